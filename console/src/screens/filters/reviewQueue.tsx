import { Button, Group, Kbd, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import {
  AcceptValueDocument,
  CorrectValueDocument,
  type FiltersQuery,
  RejectValueDocument,
} from '../../graph/filters/graphql';
import { useTranslator } from '../../i18n';
import { CorrectionForm } from '../../ui/correctionForm';
import { Panel } from '../../ui/panel';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';

type Review = NonNullable<FiltersQuery['autoTagReviews']>['nodes'][number];

interface ReviewQueueProps {
  readonly reviews: readonly Review[];
  readonly total: number;
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

/**
 * The values that await a decision. A accepts, R rejects, C corrects; the next value then has the
 * focus.
 */
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
    <Panel
      title={t('review.title', { count: Math.max(0, total - (reviews.length - open.length)) })}
    >
      {!review ? (
        <EmptyQueue takesFocus={decided.length > 0} />
      ) : (
        <ReviewCard
          key={review.id}
          review={review}
          mayWrite={mayWrite}
          takesFocus={decided.length > 0}
          settle={() => settle(review.id)}
        />
      )}
    </Panel>
  );
}

/** Moves the focus to a new element if the element that had it was removed. */
function useLostFocus(element: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) {
      element.current?.focus();
    }
  }, [element, takesFocus]);
}

function EmptyQueue({ takesFocus }: { takesFocus: boolean }) {
  const { t } = useTranslator();
  const box = useRef<HTMLDivElement>(null);
  useLostFocus(box, takesFocus);
  return (
    <div ref={box} tabIndex={-1}>
      <EmptyState title={t('review.none')} hint={t('review.noneHint')} />
    </div>
  );
}

interface ReviewCardProps {
  readonly review: Review;
  readonly mayWrite: boolean | undefined;
  readonly takesFocus: boolean;
  readonly settle: () => void;
}

function ReviewCard({ review, mayWrite, takesFocus, settle }: ReviewCardProps) {
  const { t } = useTranslator();
  const accept = useAction(AcceptValueDocument);
  const [correction, correct] = useMutation(CorrectValueDocument);
  const reject = useAction(RejectValueDocument);
  const card = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useLostFocus(card, takesFocus);
  const busy = accept.fetching || correction.fetching || reject.fetching;
  const decide = async (decision: Promise<unknown>) => {
    if (await decision) {
      settle();
    }
  };
  const reviewId = review.id;
  const replace = async (value: string) => {
    const { data } = await correct({ reviewId, value });
    return data?.correctAutoTagValue;
  };
  const focusField = () => {
    input.current?.focus();
    input.current?.select();
  };
  const act = {
    a: () => decide(accept.run({ reviewId })),
    r: () => decide(reject.run({ reviewId })),
    c: focusField,
  };
  const press = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isShortcut =
      event.target === event.currentTarget && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (mayWrite && !busy && isShortcut && (key === 'a' || key === 'r' || key === 'c')) {
      event.preventDefault();
      void act[key]();
    }
  };
  return (
    <Stack
      ref={card}
      p="md"
      gap="sm"
      tabIndex={0}
      role="group"
      aria-label={t('review.card')}
      onKeyDown={press}
    >
      <ReviewText review={review} />
      {mayWrite && (
        <Group align="flex-end">
          <Button
            size="xs"
            loading={accept.fetching}
            onClick={() => void act.a()}
            rightSection={<Kbd size="xs">A</Kbd>}
          >
            {t('review.accept')}
          </Button>
          <Button
            size="xs"
            variant="light"
            color="red"
            loading={reject.fetching}
            onClick={() => void act.r()}
            rightSection={<Kbd size="xs">R</Kbd>}
          >
            {t('review.reject')}
          </Button>
          <CorrectionForm
            input={input}
            extracted={review.extractedValue}
            tag={review.autoTag ?? { tagType: review.tagType, allowedValues: [] }}
            fetching={correction.fetching}
            error={correction.error}
            correct={(value) => !busy && void decide(replace(value))}
            shortcut={<Kbd size="xs">C</Kbd>}
          />
        </Group>
      )}
    </Stack>
  );
}

function ReviewText({ review }: { review: Review }) {
  const { percent } = useTranslator();
  return (
    <div>
      <Text fw={600}>
        {review.name}: {review.extractedValue}
        {review.confidenceScore != null && ` · ${percent(review.confidenceScore)}`}
      </Text>
      {review.document && (
        <ScreenLink to={`/documents/${review.document.id}`}>{review.document.title}</ScreenLink>
      )}
      {review.quote && (
        <Text size="sm" c="dimmed" fs="italic">
          {review.quote}
        </Text>
      )}
    </div>
  );
}
