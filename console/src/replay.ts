import type { Exchange, OperationResult } from '@urql/core';
import { fromArray, fromValue, mergeMap, pipe, tap } from 'wonka';

/** Reports whether a result is an event of LiveUpdates, which is stored by the cache and shown by no screen itself. */
function isLiveUpdate({ operation, data }: OperationResult): boolean {
  const fields = (data ?? {}) as Record<string, unknown>;
  return operation.kind === 'subscription' && ('workspaceEvents' in fields || 'workspaceJobs' in fields);
}

/**
 * Delivers the events that arrived while a response was under way once more after it: the response may have been read before them, and the
 * cache would keep its older rows.
 */
export const replayEvents: Exchange = ({ forward }) => {
  const missed = new Map<number, OperationResult[]>(); // by the key of the operation whose response is awaited
  return (operations) =>
    pipe(
      operations,
      tap(({ kind, key }) => {
        if (kind === 'query' || kind === 'mutation') {
          missed.set(key, []);
        } else if (kind === 'teardown') {
          missed.delete(key);
        }
      }),
      forward,
      mergeMap((result) => {
        if (isLiveUpdate(result)) {
          missed.forEach((events) => events.push(result));
          return fromValue(result);
        }
        const events = missed.get(result.operation.key) ?? [];
        missed.delete(result.operation.key);
        return fromArray([result, ...events]);
      }),
    );
};
