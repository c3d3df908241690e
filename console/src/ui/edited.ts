import { useState } from 'react';

/** A value as the gateway stores it, with its time and, if it has one, its version. */
export interface Stored<Value> {
  readonly value: Value;
  readonly updatedAt: string;
  readonly version?: string | undefined;
}

/** A value while it is edited. */
export interface EditState<Value> {
  /** The stored value that the changes began with. */
  readonly base: Stored<Value>;
  readonly value: Value;
}

export interface Edited<Value> extends EditState<Value> {
  /** True if the value differs from its base. */
  readonly isChanged: boolean;
  /** Changes the value. */
  change(change: (before: Value) => Value): void;
  /** Sets the base to a stored value; update returns the value to edit from the present one, by default the stored one. */
  setBase(stored: Stored<Value>, update?: (value: Value) => Value): void;
}

/** Reports whether two values are the same for a person. */
export type IsSame<Value> = (a: Value, b: Value) => boolean;

/**
 * Keeps a value that is edited together with the stored value that it began with. A stored value that arrives later is shown if nothing was changed;
 * otherwise the base stays, so that saving detects that the stored value is another. An older response never replaces a newer base. `kept` are the
 * changes of an earlier page, if there are some.
 */
export function useEdited<Value>(stored: Stored<Value>, isSame: IsSame<Value>, kept?: EditState<Value>): Edited<Value> {
  const [state, setState] = useState<EditState<Value>>(kept ?? { base: stored, value: stored.value });
  const current = adoptStored(state, stored, isSame);
  if (current !== state) {
    setState(current);
  }
  return {
    ...current,
    isChanged: !isSame(current.value, current.base.value),
    change: (change) => setState((before) => ({ ...before, value: change(before.value) })),
    setBase: (base, update = () => base.value) => setState((before) => ({ base, value: update(before.value) })),
  };
}

function adoptStored<Value>(state: EditState<Value>, stored: Stored<Value>, isSame: IsSame<Value>): EditState<Value> {
  const { base, value } = state;
  if (Date.parse(stored.updatedAt) < Date.parse(base.updatedAt)) {
    return state;
  }
  if (isSame(stored.value, base.value)) {
    const isKnown = stored.version === base.version && stored.updatedAt === base.updatedAt;
    return isKnown ? state : { ...state, base: { ...stored, value: base.value } };
  }
  if (isSame(value, stored.value)) {
    return { base: stored, value };
  }
  return isSame(value, base.value) ? { base: stored, value: stored.value } : state;
}
