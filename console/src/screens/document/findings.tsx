import { Badge, Group, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../../i18n';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import type { Passage } from '../../ui/passages';
import { SentimentBadge } from '../../ui/sentimentBadge';
import type { DocumentDetails } from './document';

const quoteColors: Record<string, string> = { POSITIVE: 'green', NEGATIVE: 'red' };

/** Returns the passages of the findings, to mark in the text. */
export function passagesOf(document: DocumentDetails): Passage[] {
  const signals =
    document.signals?.nodes.map((one) => ({
      id: one.id,
      label: `${one.theme}: ${one.statement}`,
      color: 'blue',
      start: one.start,
      end: one.end,
    })) ?? [];
  const quotes =
    document.reactions?.nodes.flatMap((one) =>
      one.quotes.map((quote) => ({
        id: one.id,
        label: `${one.persona?.name ?? ''}: ${quote.text}`,
        color: quoteColors[one.sentiment ?? ''] ?? 'gray',
        start: quote.start,
        end: quote.end,
      })),
    ) ?? [];
  const tags =
    document.appliedAutoTags?.flatMap((one) =>
      one.start == null || one.end == null
        ? []
        : [
            {
              id: one.id,
              label: `${one.name}: ${one.extractedValue}`,
              color: 'yellow',
              start: one.start,
              end: one.end,
            },
          ],
    ) ?? [];
  return [...signals, ...quotes, ...tags];
}

interface FindingsProps {
  readonly document: DocumentDetails;
  readonly current: string | null;
  readonly choose: (id: string) => void;
}

/** A row of the findings; a click marks its passage in the text. */
function Finding({
  id,
  current,
  choose,
  head,
  children,
}: {
  id: string;
  current: string | null;
  choose: (id: string) => void;
  head: ReactNode;
  children: ReactNode;
}) {
  return (
    <li>
      <UnstyledButton
        onClick={() => choose(id)}
        aria-pressed={current === id}
        style={{ display: 'block', inlineSize: '100%' }}
      >
        <Group gap={6} justify="space-between" wrap="nowrap" align="flex-start">
          {head}
        </Group>
        <Text size="sm" component="div" dir="auto">
          {children}
        </Text>
      </UnstyledButton>
    </li>
  );
}

export function Signals({ document, current, choose }: FindingsProps) {
  const { t } = useTranslator();
  const signals = document.signals?.nodes ?? [];
  return (
    <Panel
      title={t('document.signalsTitle')}
      actions={
        <Badge color="blue" variant="light">
          {document.signals?.totalCount ?? 0}
        </Badge>
      }
    >
      {signals.length === 0 ? (
        <EmptyPage
          name="signalsAfter"
          title={t('document.noSignals')}
          hint={t('document.noSignalsHint')}
        />
      ) : (
        <ul className="rows">
          {signals.map((signal) => (
            <Finding
              key={signal.id}
              id={signal.id}
              current={current}
              choose={choose}
              head={
                <>
                  <Text size="sm" fw={600}>
                    {signal.theme}
                  </Text>
                  <SentimentBadge value={signal.stance} />
                </>
              }
            >
              {signal.statement}
              {signal.paraphrase && (
                <Text size="xs" c="dimmed" dir="auto">
                  {t('document.paraphrase', { text: signal.paraphrase })}
                </Text>
              )}
              {signal.speakerName && (
                <Text size="xs" c="dimmed">
                  {signal.speakerCertainty === 'PROBABLE'
                    ? t('document.probableSpeaker', { name: signal.speakerName })
                    : signal.speakerName}
                </Text>
              )}
            </Finding>
          ))}
        </ul>
      )}
      <PageLinks name="signalsAfter" page={document.signals?.pageInfo} />
    </Panel>
  );
}

export function Reactions({ document, current, choose }: FindingsProps) {
  const { t } = useTranslator();
  const reactions = document.reactions?.nodes ?? [];
  return (
    <Panel
      title={t('document.reactionsTitle')}
      actions={
        <Badge color="green" variant="light">
          {document.reactions?.totalCount ?? 0}
        </Badge>
      }
    >
      {reactions.length === 0 ? (
        <EmptyPage
          name="reactionsAfter"
          title={t('document.noReactions')}
          hint={t('document.noReactionsHint')}
        />
      ) : (
        <ul className="rows">
          {reactions.map((reaction) => (
            <Finding
              key={reaction.id}
              id={reaction.id}
              current={current}
              choose={choose}
              head={
                <>
                  <Text size="sm" fw={600}>
                    {reaction.persona?.name}
                  </Text>
                  <SentimentBadge value={reaction.sentiment} rating={reaction.rating} />
                </>
              }
            >
              {reaction.text}
            </Finding>
          ))}
        </ul>
      )}
      <PageLinks name="reactionsAfter" page={document.reactions?.pageInfo} />
    </Panel>
  );
}

export function Tags({ document, current, choose }: FindingsProps) {
  const { t, percent } = useTranslator();
  const tags = document.appliedAutoTags ?? [];
  if (tags.length === 0) {
    return null;
  }
  return (
    <Panel title={t('document.tagsTitle')}>
      <ul className="rows">
        {tags.map((tag) => (
          <Finding
            key={tag.id}
            id={tag.id}
            current={current}
            choose={choose}
            head={
              <>
                <Text size="sm" fw={600}>
                  {tag.name}
                </Text>
                {tag.confidenceScore != null && (
                  <Text size="xs" c="dimmed">
                    {percent(tag.confidenceScore)}
                  </Text>
                )}
              </>
            }
          >
            {tag.extractedValue}
          </Finding>
        ))}
      </ul>
    </Panel>
  );
}
