import type { Exchange, OperationResult } from '@urql/core';
import { fromArray, fromValue, mergeMap, pipe, tap } from 'wonka';

/** Reports whether a result is the progress of a job, which only changes the cache. */
function isProgress({ operation, data }: OperationResult): boolean {
  return operation.kind === 'subscription' && Boolean(data) && 'workspaceJobs' in data;
}

/**
 * Delivers the progress of jobs again after a response that was under way when they arrived. The response may be
 * older than the events, and would replace newer rows of the cache.
 */
export const replayEvents: Exchange = ({ forward }) => {
  const missed = new Map<number, OperationResult[]>(); // by the key of the operation
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
        if (isProgress(result)) {
          missed.forEach((events) => events.push(result));
          return fromValue(result);
        }
        const events = missed.get(result.operation.key) ?? [];
        missed.delete(result.operation.key);
        return fromArray([result, ...events]);
      }),
    );
};
