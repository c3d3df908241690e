import { useState } from 'react';

/** A value as the gateway stores it, with its time and, if it has one, its version. */
export interface StoredValue<Value> {
  readonly value: Value;
  readonly updatedAt: string;
  readonly version?: string | undefined;
}

/** A value while it is edited. */
export interface FormValue<Value> {
  /** The stored value that the changes began with. */
  readonly base: StoredValue<Value>;
  readonly value: Value;
}

export interface FormState<Value> extends FormValue<Value> {
  /** True if the value differs from its base. */
  readonly isChanged: boolean;
  /** Changes the value. */
  readonly change: (change: (before: Value) => Value) => void;
  /**
   * Sets the base. `update` returns the next value from the present one; by default it is the
   * stored value.
   */
  readonly setBase: (stored: StoredValue<Value>, update?: (value: Value) => Value) => void;
}

/** Reports whether two values are the same for a person. */
export type IsSame<Value> = (a: Value, b: Value) => boolean;

/**
 * Returns a value that is edited, with the stored value that it began with. A stored value that
 * arrives later is shown if nothing was changed. Otherwise the base stays, and saving detects the
 * conflict. `restored` are the changes of an earlier page.
 */
export function useFormState<Value>(
  stored: StoredValue<Value>,
  isSame: IsSame<Value>,
  restored?: FormValue<Value>,
): FormState<Value> {
  const [state, setState] = useState<FormValue<Value>>(
    restored ?? { base: stored, value: stored.value },
  );
  const current = adoptStored(state, stored, isSame);
  if (current !== state) {
    setState(current);
  }
  return {
    ...current,
    isChanged: !isSame(current.value, current.base.value),
    change: (change) => setState((before) => ({ ...before, value: change(before.value) })),
    setBase: (base, update = () => base.value) =>
      setState((before) => ({ base, value: update(before.value) })),
  };
}

/** Returns the state after a stored value has arrived. */
export function adoptStored<Value>(
  state: FormValue<Value>,
  stored: StoredValue<Value>,
  isSame: IsSame<Value>,
): FormValue<Value> {
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
