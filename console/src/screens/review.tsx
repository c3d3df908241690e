import { Button, Group, Kbd, Stack, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { AcceptValueDocument, CorrectValueDocument, type FiltersQuery, RejectValueDocument } from '../graph/filters/graphql';
import { useTranslator } from '../i18n';
import { useAction } from '../ui/action';
import { ScreenLink } from '../ui/link';
import { Panel } from '../ui/panel';
import { EmptyState } from '../ui/screen';

type Review = NonNullable<FiltersQuery['autoTagReviews']>['nodes'][number];

interface ReviewQueueProps {
  readonly reviews: readonly Review[];
  readonly total: number;
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

/** The values that await a decision, one after the other: A accepts, R rejects, C corrects. */
export function ReviewQueue({ reviews, total, mayWrite, reload }: ReviewQueueProps) {
  const { t } = useTranslator();
  const [decided, setDecided] = useState<readonly string[]>([]);
  const open = reviews.filter(({ id }) => !decided.includes(id));
  const review = open[0];
  const settle = (id: string) => {
    setDecided((before) => [...before, id]);
    if (open.length === 1) {
      reload();
    }
  };
  return (
    <Panel title={t('review.title', { count: Math.max(0, total - decided.length) })}>
      {!review ? (
        <EmptyState title={t('review.none')} hint={t('review.noneHint')} />
      ) : (
        <ReviewCard key={review.id} review={review} mayWrite={mayWrite} settle={() => settle(review.id)} />
      )}
    </Panel>
  );
}

function ReviewCard({ review, mayWrite, settle }: { review: Review; mayWrite: boolean | undefined; settle: () => void }) {
  const { t, percent } = useTranslator();
  const accept = useAction(AcceptValueDocument);
  const correct = useAction(CorrectValueDocument);
  const reject = useAction(RejectValueDocument);
  const [value, setValue] = useState(review.extractedValue);
  const input = useRef<HTMLInputElement>(null);
  const busy = accept.fetching || correct.fetching || reject.fetching;
  const decide = async (decision: Promise<unknown>) => {
    if (await decision) {
      settle();
    }
  };
  const reviewId = review.id;
  const act = { a: () => decide(accept.run({ reviewId })), r: () => decide(reject.run({ reviewId })), c: () => input.current?.focus() };
  const press = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (mayWrite && !busy && event.target === event.currentTarget && (key === 'a' || key === 'r' || key === 'c')) {
      event.preventDefault();
      void act[key]();
    }
  };
  return (
    <Stack p="md" gap="sm" tabIndex={0} role="group" aria-label={t('review.card')} onKeyDown={press}>
      <div>
        <Text fw={600}>
          {review.name}: {review.extractedValue}
          {review.confidenceScore != null && ` · ${percent(review.confidenceScore)}`}
        </Text>
        {review.document && <ScreenLink to={`/documents/${review.document.id}`}>{review.document.title}</ScreenLink>}
        {review.quote && (
          <Text size="sm" c="dimmed" fs="italic">
            {review.quote}
          </Text>
        )}
      </div>
      {mayWrite && (
        <Group align="flex-end">
          <Button size="xs" loading={accept.fetching} onClick={() => void act.a()} rightSection={<Kbd size="xs">A</Kbd>}>
            {t('review.accept')}
          </Button>
          <Button size="xs" variant="light" color="red" loading={reject.fetching} onClick={() => void act.r()} rightSection={<Kbd size="xs">R</Kbd>}>
            {t('review.reject')}
          </Button>
          <TextInput ref={input} size="xs" label={t('review.value')} value={value} onChange={(event) => setValue(event.currentTarget.value)} />
          <Button size="xs" variant="default" loading={correct.fetching} disabled={!value.trim()} onClick={() => void decide(correct.run({ reviewId, value }))} rightSection={<Kbd size="xs">C</Kbd>}>
            {t('review.correct')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
