import { Badge, Text } from '@mantine/core';
import type { SourceRowFragment } from '../graph/graphql';
import { useTranslator } from '../i18n';
import { useIntervalName } from './sourceFields';

/** Whether a source is polled, paused, waiting or failing. */
export function SourceBadge({ source }: { source: SourceRowFragment }) {
  const { t } = useTranslator();
  const [color, text] = source.isPaused
    ? source.pausedReason === 'OWNER'
      ? ['gray', t('source.paused')]
      : ['red', t(source.pausedReason === 'GONE' ? 'source.gone' : 'source.refused')]
    : source.isFailing
      ? ['red', t('source.failing')]
      : source.lastError
        ? ['orange', t('source.waiting')]
        : ['green', t('source.active')];
  return (
    <Badge variant="light" color={color} style={{ flexShrink: 0 }}>
      {text}
    </Badge>
  );
}

/** How often a source is polled, when it was and will be, what it brought in, and what is wrong. */
export function SourceFacts({ source }: { source: SourceRowFragment }) {
  const { t, ago } = useTranslator();
  const intervalName = useIntervalName();
  const facts = [
    intervalName(source.intervalMinutes),
    source.lastPolledAt
      ? t('source.polled', { when: ago(source.lastPolledAt) })
      : t('source.neverPolled'),
    source.nextPollAt && t('source.next', { when: ago(source.nextPollAt) }),
    t('source.entries', { count: source.entriesSeen }),
    t('source.documents', { count: source.documentsCreated }),
    source.waitingCount > 0 && t('source.waitingCount', { count: source.waitingCount }),
    source.failedCount ? t('source.failedCount', { count: source.failedCount }) : null,
  ];
  return (
    <>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {facts.filter(Boolean).join(' · ')}
      </Text>
      {source.lastError && (
        <Text size="sm" c={source.isFailing ? 'red' : undefined}>
          {source.lastError.message}
        </Text>
      )}
    </>
  );
}
