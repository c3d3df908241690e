import { Badge, Group, Text } from '@mantine/core';
import { CheckHouseRulesDocument, type HouseCheckFragment } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { FindingList, levelColors } from '../../ui/houseFindings';
import { Panel } from '../../ui/panel';
import { type Quote, locateQuote } from '../../ui/passages';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useDebouncedQuery } from '../../ui/useDebouncedQuery';
import type { DraftDetails } from './draft';
import type { Mark } from './markedEditor';
import type { ProposalState } from './rewriteProposal';

/** The longest text to check, in UTF-16 units; the gateway counts code points, which are fewer. */
const longestText = 100_000;

/** What house rules find in the text: the stored draft's findings until the text changes. */
export function useHouseCheck(draft: DraftDetails, content: string): HouseCheckFragment | null {
  const isStored = content === (draft.content ?? '');
  const isChecked = content.trim() !== '' && content.length <= longestText;
  const { data } = useDebouncedQuery(
    CheckHouseRulesDocument,
    { input: { content } },
    draft.houseCheck ? { checkHouseRules: draft.houseCheck } : null,
    isChecked && !isStored,
  );
  return (isChecked && (isStored ? draft.houseCheck : data?.checkHouseRules)) || null;
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
  readonly check: HouseCheckFragment | null;
  readonly content: string;
  readonly show: (quote: Quote) => void;
  readonly proposal: ProposalState;
  readonly mayWrite: boolean | undefined;
}

/** The findings of house rules. A click shows one, and a replacement takes its place. */
export function HouseCheck({ check, content, show, proposal, mayWrite }: HouseCheckProps) {
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
      {!check || check.findings.length === 0 ? (
        <EmptyState title={t(check ? 'house.noFindings' : 'check.noText')} />
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
