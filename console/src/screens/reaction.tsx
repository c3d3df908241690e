import { Badge, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslator } from '../i18n';
import { passageAddress } from '../ui/address';
import { ScreenLink } from '../ui/link';
import { Panel } from '../ui/panel';
import { Sentiment } from '../ui/rating';
import type { Persona, Reaction } from './audience';

/** The reaction that is chosen in the matrix, with its themes and its quotes, each of which opens in its document. */
export function ReactionPanel({ personas, chosen }: { personas: readonly Persona[]; chosen: string | null }) {
  const { t } = useTranslator();
  const box = useRef<HTMLDivElement>(null);
  const persona = personas.find(({ reactions }) => reactions?.nodes.some(({ id }) => id === chosen));
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
      <Panel title={t('audience.reactionOf', { name: persona.name })} actions={<Sentiment value={reaction.sentiment} rating={reaction.rating} />}>
        <Stack p="md" gap="sm">
          {reaction.document && <ScreenLink to={`/documents/${reaction.document.id}?at=${reaction.id}`}>{reaction.document.title}</ScreenLink>}
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
        </Stack>
      </Panel>
    </div>
  );
}

function Quotes({ reaction: { id, quotes, document } }: { reaction: Reaction }) {
  const { t } = useTranslator();
  if (quotes.length === 0 || !document) {
    return null;
  }
  return (
    <div>
      <Text size="sm" fw={600} c="dimmed">
        {t('audience.quotes')}
      </Text>
      <ul className="points">
        {quotes.map((quote) => (
          <li key={quote.start}>
            <ScreenLink to={passageAddress({ documentId: document.id, findingId: id, start: quote.start, end: quote.end })}>“{quote.text}”</ScreenLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A list of sentences with its title; nothing without sentences. */
export function PointList({ title, points }: { title: string; points: readonly string[] }) {
  if (points.length === 0) {
    return null;
  }
  return (
    <div>
      <Text size="sm" fw={600} c="dimmed">
        {title}
      </Text>
      <ul className="points">
        {points.map((point) => (
          <li key={point} dir="auto">
            {point}
          </li>
        ))}
      </ul>
    </div>
  );
}
