import {
  type Client,
  type Exchange,
  type Operation,
  type OperationResult,
  getOperationName,
  makeOperation,
} from '@urql/core';
import { filter, pipe, tap } from 'wonka';
import type { WorkspaceEventsSubscription } from './graph/graphql';

/** An event of the workspace. */
export type WorkspaceEvent = WorkspaceEventsSubscription['workspaceEvents'];

/** How long events are collected before a query runs again, in milliseconds. */
export const collectTime = 200;

/** How long a query rests after its response, as a multiple of the time that it took. */
const restFactor = 3;

/** How long a query rests after its response at least, in milliseconds. */
export const shortestRest = 800;

/** After how long a query that got no response runs again, in milliseconds. */
const retryPause = 3_000;

/** A query that something shows. */
interface FollowedQuery {
  operation: Operation;
  /** The types of the objects and lists of its last response. */
  types: ReadonlySet<string>;
  startedAt: number;
  endedAt: number;
  isUnderWay: boolean;
  /** True if an event may have changed what the last response shows. */
  isOutdated: boolean;
  /** True if the response of a mutation arrived while the query was under way. */
  isOvertaken: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The types that frequent events change. Any other event may change every screen, for example the
 * end of a job.
 */
const changedTypes: Partial<Record<WorkspaceEvent['__typename'], RegExp>> = {
  DraftChanged: /^Draft/,
  FormSubmitted: /^Link/,
  JobChanged: /^Job/,
  LinkChanged: /^Link/,
  LinkConverted: /^Link/,
  LinkOpened: /^Link/,
  SearchMatched: /^SavedSearch/,
  SourceChanged: /^Source/,
  WebhookChanged: /^(Webhook|Delivery)/,
};

const endedStates: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED'];

/** Reports whether an event may change a response that shows the types. */
export function concerns(event: WorkspaceEvent, types: ReadonlySet<string>): boolean {
  const changed = changedTypes[event.__typename];
  const endsJob = event.__typename === 'JobChanged' && endedStates.includes(event.status);
  return !changed || endsJob || [...types].some((type) => changed.test(type));
}

/** Adds the types of the objects in data. */
function collectTypes(data: unknown, types = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(data)) {
    data.forEach((item) => collectTypes(item, types));
  } else if (data && typeof data === 'object') {
    for (const [name, value] of Object.entries(data)) {
      if (name === '__typename') {
        types.add(String(value));
      } else {
        collectTypes(value, types);
      }
    }
  }
  return types;
}

const isFollowUp = ({ context }: Operation) => context['isFollowUp'] === true;

/** The queries that are shown, and when each runs again. */
class Followed {
  private readonly queries = new Map<number, FollowedQuery>();

  constructor(private readonly client: Client) {}

  /** Notes that a query was sent. */
  start(operation: Operation): void {
    const known = this.queries.get(operation.key);
    clearTimeout(known?.timer);
    this.queries.set(operation.key, {
      ...{ operation, types: known?.types ?? new Set(), startedAt: Date.now(), endedAt: 0 },
      ...{ isUnderWay: true, isOutdated: false, isOvertaken: false, timer: undefined },
    });
  }

  /** Notes that nothing shows a query any more. */
  stop(key: number): void {
    clearTimeout(this.queries.get(key)?.timer);
    this.queries.delete(key);
  }

  /** Runs the queries again that the event concerns. */
  change(event: WorkspaceEvent): void {
    this.queries.forEach((query) => {
      if (query.types.size === 0 || concerns(event, query.types)) {
        this.outdate(query);
      }
    });
  }

  changeAll(): void {
    this.queries.forEach((query) => this.outdate(query));
  }

  /** Notes the response of a mutation, which is newer than the responses that are under way. */
  overtake(): void {
    this.queries.forEach((query) => (query.isOvertaken ||= query.isUnderWay));
  }

  /**
   * Notes the response of a query. Returns false if it must not be shown, because it is older than
   * a mutation or there is none. The query runs again then.
   */
  finish({ operation, data, error }: OperationResult): boolean {
    const query = this.queries.get(operation.key);
    if (!query) {
      return true;
    }
    query.isUnderWay = false;
    query.endedAt = Date.now();
    const isLost = isFollowUp(operation) && Boolean(error?.networkError);
    if (isLost || (isFollowUp(operation) && query.isOvertaken)) {
      this.outdate(query, isLost ? retryPause : 0);
      return false;
    }
    query.types = collectTypes(data);
    if (query.isOutdated) {
      this.outdate(query);
    }
    return true;
  }

  /** Runs a query again, once it has rested. One under way may not know of the event yet. */
  private outdate(query: FollowedQuery, pause = 0): void {
    query.isOutdated = true;
    if (query.isUnderWay || query.timer !== undefined) {
      return;
    }
    const rest = Math.max(shortestRest, restFactor * (query.endedAt - query.startedAt));
    const due = Math.max(collectTime, pause, query.endedAt + rest - Date.now());
    query.timer = setTimeout(() => this.repeat(query), due);
  }

  /** Runs a query again. In a page that nobody sees it waits until somebody does. */
  private repeat(query: FollowedQuery): void {
    if (document.hidden) {
      document.addEventListener('visibilitychange', () => this.resume(query), { once: true });
      return;
    }
    const { operation } = query;
    const context = {
      ...operation.context,
      requestPolicy: 'network-only',
      isFollowUp: true,
    } as const;
    this.client.reexecuteOperation(makeOperation('query', operation, context));
  }

  /** Runs a query again that waited, unless nothing shows it any more or it ran since. */
  private resume(query: FollowedQuery): void {
    if (this.queries.get(query.operation.key) === query) {
      this.repeat(query);
    }
  }
}

/**
 * Runs every query that is shown again after an event that may change its response. Screens need
 * not do anything for it. The subscription of LiveUpdates delivers the events; when it starts
 * again, all queries run again.
 */
export const followEvents: Exchange = ({ client, forward }) => {
  const followed = new Followed(client);
  let isSubscribed = false;
  return (operations) =>
    pipe(
      operations,
      tap((operation) => {
        if (operation.kind === 'query') {
          followed.start(operation);
        } else if (operation.kind === 'teardown') {
          followed.stop(operation.key);
        } else if (operation.kind === 'subscription' && isLiveSubscription(operation)) {
          if (isSubscribed) {
            followed.changeAll();
          }
          isSubscribed = true;
        }
      }),
      forward,
      filter((result) => {
        const { kind } = result.operation;
        if (kind === 'query') {
          return followed.finish(result);
        }
        if (kind === 'mutation') {
          followed.overtake();
        }
        const event = (result.data as Partial<WorkspaceEventsSubscription> | undefined)
          ?.workspaceEvents;
        if (event) {
          followed.change(event);
        }
        return true;
      }),
    );
};

/** Reports whether a subscription is that of LiveUpdates. */
const isLiveSubscription = ({ query }: Operation) => getOperationName(query) === 'WorkspaceEvents';
