import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';

/** How long two texts are compared, in milliseconds. */
const patience = 1000;

interface WordChangesProps {
  readonly before: string;
  readonly after: string;
  /** Names the text for those who do not see it. */
  readonly label: string;
}

/** A text with the words that were removed and added; two texts that differ too much, one after the other. */
export function WordChanges({ before, after, label }: WordChangesProps) {
  const changes = useMemo(
    () =>
      diffWordsWithSpace(before, after, { timeout: patience }) ?? [
        { value: before, removed: true, added: false },
        { value: after, removed: false, added: true },
      ],
    [before, after],
  );
  return (
    <div className="change" dir="auto" tabIndex={0} role="group" aria-label={label}>
      {changes.map(({ value, added, removed }, i) =>
        added ? (
          <ins key={i}>{value}</ins>
        ) : removed ? (
          <del key={i}>{value}</del>
        ) : (
          <span key={i}>{value}</span>
        ),
      )}
    </div>
  );
}
