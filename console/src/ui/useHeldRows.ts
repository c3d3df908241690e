import { useState } from 'react';

interface Row {
  readonly id: string;
}

/**
 * Returns the rows of a list without new ones that would move known rows under the pointer, and how
 * many these are. Rows after the last known one move none.
 */
export function holdRows<R extends Row>(
  known: ReadonlySet<string>,
  listed: readonly R[],
): { rows: readonly R[]; heldCount: number } {
  const last = listed.findLastIndex(({ id }) => known.has(id));
  const rows = listed.filter(({ id }, i) => known.has(id) || i > last);
  return { rows, heldCount: listed.length - rows.length };
}

/**
 * Holds back new rows of a list that is loaded again, until `show` is called. A new key is another
 * list. Without isHolding all rows are shown.
 */
export function useHeldRows<R extends Row>(
  listed: readonly R[] | undefined,
  key: string,
  isHolding: boolean,
) {
  const [state, setState] = useState({ key, known: new Set<string>() });
  const known = state.key === key && isHolding ? state.known : new Set<string>();
  const { rows, heldCount } = holdRows(known, listed ?? []);
  const ids = listed ? rows.map(({ id }) => id) : [...known];
  const show = () => setState({ key, known: new Set() });
  if (
    state.key !== key ||
    ids.length !== state.known.size ||
    ids.some((id) => !state.known.has(id))
  ) {
    setState({ key, known: new Set(ids) });
  }
  return { rows, heldCount, show };
}
