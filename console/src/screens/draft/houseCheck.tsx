import { Badge, Group, Text } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import { CheckHouseRulesDocument, type HouseCheckFragment } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { FindingList, levelColors } from '../../ui/houseFindings';
import { Panel } from '../../ui/panel';
import { type Quote, locateQuote } from '../../ui/passages';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useDebouncedQuery } from '../../ui/useDebouncedQuery';
import { CheckFailure } from './checkFailure';
import type { Mark } from './markedEditor';
import type { ProposalState } from './rewriteProposal';

/** The longest text to check, in UTF-16 units; the gateway counts code points, which are fewer. */
const longestText = 100_000;

/** What house rules find in the text, or why they cannot be asked. */
export interface LiveHouseCheck {
  readonly check: HouseCheckFragment | null;
  readonly error: CombinedError | undefined;
  readonly isSending: boolean;
  readonly retry: () => void;
}

/** Checks the text by house rules, in requests of its own: the draft opens without it. */
export function useHouseCheck(content: string): LiveHouseCheck {
  const isChecked = content.trim() !== '' && content.length <= longestText;
  const { data, error, isSending, retry } = useDebouncedQuery(
    CheckHouseRulesDocument,
    { input: { content } },
    undefined,
    isChecked,
  );
  return {
    check: (isChecked && data?.checkHouseRules) || null,
    error: isChecked ? error : undefined,
    isSending: isChecked && isSending,
    retry,
  };
}

/** Returns the passages of findings to mark in the text. */
export function houseMarks(check: HouseCheckFragment | null): Mark[] {
  return (
    check?.findings.flatMap(({ passage, message, level }, i) =>
      passage
        ? [{ id: `house-${i}`, label: message, color: levelColors[level], quote: passage }]
        : [],
    ) ?? []
  );
}

interface HouseCheckProps {
  readonly live: LiveHouseCheck;
  readonly content: string;
  readonly show: (quote: Quote) => void;
  readonly proposal: ProposalState;
  readonly mayWrite: boolean | undefined;
}

/** The findings of house rules. A click shows one, and a replacement takes its place. */
export function HouseCheck({ live, content, show, proposal, mayWrite }: HouseCheckProps) {
  const { check } = live;
  const { t, number, name } = useTranslator();
  const replace = (quote: Quote, instead: string) => {
    const points = Array.from(content);
    const place = locateQuote(content, quote, points);
    if (place) {
      const start = points.slice(0, place.start).join('').length;
      proposal.apply({ start, before: quote.text, after: instead, warning: null });
    }
  };
  const hidden = check ? check.findingCount - check.findings.length : 0;
  const ease = check?.readability;
  return (
    <Panel
      title={t('house.title')}
      actions={
        check && (
          <Badge variant="light" color={check.findingCount ? 'orange' : 'green'}>
            {t('check.score', { score: number(check.score) })}
          </Badge>
        )
      }
    >
      <CheckFailure check={live} subject={t('house.title')} />
      {!check || check.findings.length === 0 ? (
        <NoFindings live={live} />
      ) : (
        <FindingList
          findings={check.findings}
          show={show}
          replace={mayWrite ? replace : undefined}
        />
      )}
      <Group p="md" gap="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          {[
            hidden > 0 && t('check.moreMarkers', { count: hidden }),
            ease &&
              t('house.readability', {
                measure: name('readability', ease.measure),
                value: number(Math.round(ease.value)),
              }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <ScreenLink to="/house-rules">{t('house.rules')}</ScreenLink>
      </Group>
    </Panel>
  );
}

function NoFindings({ live: { check, error, isSending } }: Pick<HouseCheckProps, 'live'>) {
  const { t } = useTranslator();
  if (check) {
    return <EmptyState title={t('house.noFindings')} />;
  }
  return error ? null : <EmptyState title={t(isSending ? 'check.checking' : 'check.noText')} />;
}
