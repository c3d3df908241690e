import type { OperationResult } from 'urql';
import { failureCode } from '../client';
import { clashing } from './editForm';

interface Merge<Value, Result> {
  readonly value: Value;
  /** The stored value that the changes began with. */
  readonly base: Value;
  /** The version that is shown. */
  readonly version: string;
  /** Sends the changed fields for a version. */
  readonly send: (version: string) => Promise<Result>;
  /** Reads what is stored now; null if it cannot be read. */
  readonly read: () => Promise<{ readonly value: Value; readonly version: string } | null>;
}

/**
 * Sends changes with the version that is shown. If somebody else has saved since, they are sent again
 * with the version of now, unless both changed the same field: then it returns null, and the screen
 * shows what was read.
 */
export async function saveMerged<
  Value extends object,
  Result extends Pick<OperationResult, 'error'>,
>({ value, base, version, send, read }: Merge<Value, Result>): Promise<Result | null> {
  const first = await send(version);
  if (failureCode(first) !== 'precondition_failed') {
    return first;
  }
  const now = await read();
  return now && clashing(base, value, now.value).length === 0 ? send(now.version) : null;
}
