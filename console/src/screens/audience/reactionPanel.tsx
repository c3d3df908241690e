import { Badge, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { RateReactionDocument } from '../../graph/audience/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { Panel } from '../../ui/panel';
import { ScreenLink } from '../../ui/screenLink';
import { SentimentBadge } from '../../ui/sentimentBadge';
import { useAction } from '../../ui/useAction';
import type { AudiencePersona, AudienceReaction } from './audience';

/** The chosen reaction, with its themes and its quotes. A quote opens in its document. */
export function ReactionPanel({
  personas,
  chosen,
  mayWrite,
}: {
  personas: readonly AudiencePersona[];
  chosen: string | null;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const box = useRef<HTMLDivElement>(null);
  const persona = personas.find(({ reactions }) =>
    reactions?.nodes.some(({ id }) => id === chosen),
  );
  const reaction = persona?.reactions?.nodes.find(({ id }) => id === chosen);
  const shown = reaction?.id;
  useEffect(() => {
    if (shown) {
      box.current?.focus();
    }
  }, [shown]);
  if (!persona || !reaction) {
    return null;
  }
  return (
    <div ref={box} tabIndex={-1} data-open-reaction={reaction.id}>
      <Panel
        title={t('audience.reactionOf', { name: persona.name })}
        actions={<SentimentBadge value={reaction.sentiment} rating={reaction.rating} />}
      >
        <Stack p="md" gap="sm">
          {reaction.document && (
            <ScreenLink to={`/documents/${reaction.document.id}?at=${reaction.id}`}>
              {reaction.document.title}
            </ScreenLink>
          )}
          <Text dir="auto">{reaction.text}</Text>
          {reaction.basis === 'EXTRACT' && (
            <Text size="sm" c="dimmed">
              {t('audience.extract')}
            </Text>
          )}
          <Group gap={6}>
            {reaction.themes.map((theme) => (
              <Badge key={theme} variant="light" color="gray" tt="none">
                {theme}
              </Badge>
            ))}
          </Group>
          <Quotes reaction={reaction} />
          <PointList title={t('audience.risks')} points={reaction.risks} />
          <PointList title={t('audience.actions')} points={reaction.actions} />
          {reaction.text !== '' && (
            <ObservedRating key={reaction.id} reaction={reaction} mayWrite={mayWrite} />
          )}
        </Stack>
      </Panel>
    </div>
  );
}

const steps = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5] as const;

/** How people took the text, which calibrates the persona. */
function ObservedRating({
  reaction: { id, observedRating },
  mayWrite,
}: {
  reaction: AudienceReaction;
  mayWrite: boolean | undefined;
}) {
  const { t, number } = useTranslator();
  const rate = useAction(RateReactionDocument);
  const known =
    observedRating != null && !steps.some((step) => step === observedRating)
      ? [observedRating]
      : [];
  return (
    <NativeSelect
      label={t('audience.observed')}
      description={mayWrite === false ? t('guard.write') : t('audience.observedHint')}
      disabled={!mayWrite || rate.fetching}
      value={observedRating == null ? '' : String(observedRating)}
      data={[
        { value: '', label: t('audience.unobserved') },
        ...[...steps, ...known].map((step) => ({ value: String(step), label: number(step) })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        void rate.run({ reactionId: id, rating: value ? Number(value) : null })
      }
      maw={340}
    />
  );
}

function Quotes({ reaction: { id, quotes, document } }: { reaction: AudienceReaction }) {
  const { t } = useTranslator();
  if (quotes.length === 0 || !document) {
    return null;
  }
  return (
    <TitledList title={t('audience.quotes')}>
      {quotes.map((quote) => (
        <li key={quote.start}>
          <ScreenLink
            to={passageAddress({
              documentId: document.id,
              findingId: id,
              start: quote.start,
              end: quote.end,
            })}
          >
            “{quote.text}”
          </ScreenLink>
        </li>
      ))}
    </TitledList>
  );
}

/** A list of sentences with its title; nothing without sentences. */
export function PointList({ title, points }: { title: string; points: readonly string[] }) {
  if (points.length === 0) {
    return null;
  }
  return (
    <TitledList title={title}>
      {points.map((point) => (
        <li key={point} dir="auto">
          {point}
        </li>
      ))}
    </TitledList>
  );
}

/** A list with its title. */
export function TitledList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600} c="dimmed">
        {title}
      </Text>
      <ul className="points">{children}</ul>
    </div>
  );
}
