import { Badge } from '@mantine/core';
import { useTranslator } from '../i18n';

const colors: Record<string, string> = {
  IN_REVIEW: 'orange',
  APPROVED: 'green',
  PUBLISHED: 'blue',
};

/** How far a draft is, in its colour. */
export function DraftStateBadge({ state }: { state: string }) {
  const { name } = useTranslator();
  return (
    <Badge variant="light" color={colors[state] ?? 'gray'} size="sm" style={{ flexShrink: 0 }}>
      {name('draftState', state)}
    </Badge>
  );
}

/** Returns a function that says when a review is due. */
export function useDue(): (at: string) => string {
  const { t, dateTime } = useTranslator();
  return (at) =>
    t(Date.parse(at) < Date.now() ? 'review.overdue' : 'review.dueAt', { at: dateTime(at) });
}

/** Returns a function that says when a page opens to visitors; null if it is open. */
export function useOpening(): (at: string | null | undefined) => string | null {
  const { t, dateTime } = useTranslator();
  return (at) =>
    at && Date.parse(at) > Date.now() ? t('publish.opensAt', { at: dateTime(at) }) : null;
}
