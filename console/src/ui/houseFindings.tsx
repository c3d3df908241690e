import { Badge, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useTranslator } from '../i18n';
import type { Quote } from './passages';

type Level = 'SUGGESTION' | 'WARNING' | 'ERROR';

/** A place where a text does not keep to a house rule. */
export interface HouseFinding {
  readonly ruleName: string;
  readonly level: Level;
  readonly message: string;
  readonly replacements: readonly string[];
  readonly passage?: Quote | null;
}

export const levelColors: Record<Level, string> = {
  ERROR: 'red',
  WARNING: 'orange',
  SUGGESTION: 'blue',
};

interface FindingListProps {
  readonly findings: readonly HouseFinding[];
  /** Shows a passage in the text; without it passages are no buttons. */
  readonly show?: (quote: Quote) => void;
  /** Replaces a passage in the text; without it nothing is replaced. */
  readonly replace?: ((quote: Quote, instead: string) => void) | undefined;
}

/** The findings of house rules in a text. */
export function FindingList({ findings, show, replace }: FindingListProps) {
  const { name } = useTranslator();
  return (
    <ul className="rows marker-list">
      {findings.map((finding, i) => (
        <li key={i}>
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap={6}>
            <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {finding.message}
            </Text>
            <Badge
              size="sm"
              variant="light"
              color={levelColors[finding.level]}
              style={{ flexShrink: 0 }}
            >
              {name('houseLevel', finding.level)}
            </Badge>
          </Group>
          <Where finding={finding} show={show} />
          {replace && <Replacements finding={finding} replace={replace} />}
        </li>
      ))}
    </ul>
  );
}

function Where({
  finding: { passage, ruleName },
  show,
}: {
  finding: HouseFinding;
  show: ((quote: Quote) => void) | undefined;
}) {
  const { t } = useTranslator();
  if (!passage) {
    return (
      <Text size="xs" c="dimmed">
        {t('house.wholeText')} · {ruleName}
      </Text>
    );
  }
  const words = (
    <Text size="sm" lineClamp={3}>
      {passage.text}{' '}
      <Text span size="xs" c="dimmed">
        {t('check.span', { start: passage.start + 1, end: passage.end })} · {ruleName}
      </Text>
    </Text>
  );
  return show ? (
    <UnstyledButton className="quote" onClick={() => show(passage)}>
      {words}
    </UnstyledButton>
  ) : (
    words
  );
}

function Replacements({
  finding: { passage, replacements },
  replace,
}: {
  finding: HouseFinding;
  replace: (quote: Quote, instead: string) => void;
}) {
  const { t } = useTranslator();
  return (
    passage &&
    replacements.length > 0 && (
      <Group gap="xs" mt={4}>
        {replacements.map((instead) => (
          <Button
            key={instead}
            size="compact-xs"
            variant="light"
            aria-label={
              instead
                ? t('house.replaceAt', { words: passage.text, instead, start: passage.start + 1 })
                : `${t('house.leaveOut')}: ${passage.text}`
            }
            onClick={() => replace(passage, instead)}
          >
            {instead ? t('house.replace', { instead }) : t('house.leaveOut')}
          </Button>
        ))}
      </Group>
    )
  );
}
