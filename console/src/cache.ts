import type { Cache, KeyingConfig, UpdatesConfig } from '@urql/exchange-graphcache';
import { type WorkspaceEvent, reportEvent } from './connection';
import {
  type DocumentRowFragment,
  type HomeQuery,
  type HomeQueryVariables,
  HomeDocument,
  type JobProgressSubscription,
  type JobRowFragment,
  type WorkspaceEventsSubscription,
} from './graph/graphql';

/** Types without a key in the cache: their ids are unique within another object only. */
export const keylessTypes: KeyingConfig = { LinkVariant: () => null, LinkSummary: () => null };

const activeStates = new Set(['QUEUED', 'RUNNING', 'RETRYING']);
const homeDocuments = 8;
const homeFailures = 5;

type JobList = NonNullable<HomeQuery['active']>;
type DocumentList = NonNullable<HomeQuery['documents']>;
type LinkList = NonNullable<HomeQuery['links']>;

const day = 86_400_000;
/**
 * How long Home's variables stay the same, so that a user who returns finds its response cached.
 */
const homePeriod = 600_000;

let homeVariables: HomeQueryVariables = {};

/** Sets and returns the variables of Home. Events change the lists of these variables. */
export function newHomeVariables(): HomeQueryVariables {
  homeVariables = {
    failedSince: new Date(Math.ceil(Date.now() / homePeriod) * homePeriod - day).toISOString(),
  };
  return homeVariables;
}

function updateHome(cache: Cache, update: (data: HomeQuery) => HomeQuery): void {
  cache.updateQuery(
    { query: HomeDocument, variables: homeVariables },
    (data) => data && update(data),
  );
}

function withoutJob(list: JobList, id: string): JobList {
  const nodes = list.nodes.filter((job) => job.id !== id);
  return { ...list, nodes, totalCount: list.totalCount - (list.nodes.length - nodes.length) };
}

function withJob(list: JobList, job: JobRowFragment, limit: number): JobList {
  if (list.nodes.some((known) => known.id === job.id)) {
    return list;
  }
  return { ...list, nodes: [job, ...list.nodes].slice(0, limit), totalCount: list.totalCount + 1 };
}

/** Moves a job between Home's lists. Its fields are in the cache already. */
function placeJob(cache: Cache, job: JobRowFragment): void {
  updateHome(cache, (data) => {
    if (!data.active || !data.failed) {
      return data;
    }
    const isActive = activeStates.has(job.status);
    return {
      ...data,
      active: isActive ? withJob(data.active, job, 20) : withoutJob(data.active, job.id),
      failed:
        job.status === 'FAILED'
          ? withJob(data.failed, job, homeFailures)
          : withoutJob(data.failed, job.id),
    };
  });
}

function placeDocument(list: DocumentList, document: DocumentRowFragment): DocumentList {
  if (list.nodes.some((known) => known.id === document.id)) {
    return list;
  }
  return {
    ...list,
    nodes: [document, ...list.nodes].slice(0, homeDocuments),
    totalCount: list.totalCount + 1,
  };
}

// An event may be reported twice, so these are the cursors of deletions that were counted.
const countedDeletions = new Set<string>();

function removeDocument(list: DocumentList, id: string, cursor: string): DocumentList {
  const nodes = list.nodes.filter((document) => document.id !== id);
  const isCounted = nodes.length === list.nodes.length && countedDeletions.has(cursor);
  countedDeletions.add(cursor);
  return { ...list, nodes, totalCount: list.totalCount - (isCounted ? 0 : 1) };
}

/**
 * Discards the pages of the list of documents, so that they load again. Home's list, which has no
 * filter, is changed in place.
 */
function invalidateDocumentLists(cache: Cache): void {
  for (const { fieldName, arguments: given } of cache.inspectFields('Query')) {
    if (fieldName === 'documents' && given && 'filter' in given) {
      cache.invalidate('Query', fieldName, given);
    }
  }
}

type LinkOpened = Extract<WorkspaceEvent, { __typename: 'LinkOpened' }>;

/** Adds the session of an event to its link, and the link if the list lacks it. */
function placeOpen(list: LinkList, { timestamp, link, payload }: LinkOpened): LinkList {
  if (!link || !payload?.sessionId) {
    return list;
  }
  const session = {
    __typename: 'LinkSession' as const,
    id: payload.sessionId,
    openedAt: timestamp,
  };
  const known = list.nodes.find(({ id }) => id === link.id);
  if (!known) {
    const sessions = {
      __typename: 'LinkSessionConnection' as const,
      pageInfo: { __typename: 'PageInfo' as const, hasNextPage: link.openCount > 1 },
      nodes: [session],
    };
    return {
      ...list,
      totalCount: Math.max(list.totalCount, list.nodes.length + 1),
      nodes: [...list.nodes, { ...link, sessions }],
    };
  }
  if (!known.sessions || known.sessions.nodes.some(({ id }) => id === session.id)) {
    return list;
  }
  const sessions = { ...known.sessions, nodes: [session, ...known.sessions.nodes] };
  return {
    ...list,
    nodes: list.nodes.map((node) => (node === known ? { ...node, sessions } : node)),
  };
}

function applyEvent(cache: Cache, event: WorkspaceEvent): void {
  reportEvent(event);
  if (event.__typename === 'JobChanged' && event.job) {
    placeJob(cache, event.job);
  }
  if (event.__typename === 'LinkOpened') {
    updateHome(cache, (data) =>
      data.links ? { ...data, links: placeOpen(data.links, event) } : data,
    );
  }
  if (event.__typename !== 'DocumentChanged') {
    return;
  }
  const { document, documentId } = event;
  if (event.eventName === 'DOCUMENT_DELETED') {
    invalidateDocumentLists(cache);
  }
  updateHome(cache, (data) => {
    if (!data.documents) {
      return data;
    }
    if (event.eventName === 'DOCUMENT_CREATED' && document) {
      return { ...data, documents: placeDocument(data.documents, document) };
    }
    return event.eventName === 'DOCUMENT_DELETED' && documentId
      ? { ...data, documents: removeDocument(data.documents, documentId, event.cursor) }
      : data;
  });
}

/**
 * How events and mutations change lists. Rows change by themselves, because each is stored once.
 */
export const cacheUpdates: UpdatesConfig = {
  Subscription: {
    workspaceEvents(result, _variables, cache) {
      // A screen that subscribes under an alias shows the event itself.
      const { workspaceEvents } = result as Partial<WorkspaceEventsSubscription>;
      if (workspaceEvents) {
        applyEvent(cache, workspaceEvents);
      }
    },
    workspaceJobs: (result, _variables, cache) =>
      placeJob(cache, (result as JobProgressSubscription).workspaceJobs),
  },
  Mutation: {
    retryJob: (result, _variables, cache) =>
      placeJob(cache, (result as { retryJob: { job: JobRowFragment } }).retryJob.job),
    retryDocument: (result, _variables, cache) =>
      placeJob(cache, (result as { retryDocument: { job: JobRowFragment } }).retryDocument.job),
    cancelJob: (result, _variables, cache) =>
      placeJob(cache, (result as { cancelJob: { job: JobRowFragment } }).cancelJob.job),
  },
};
