import type { Cache, KeyingConfig, UpdatesConfig } from '@urql/exchange-graphcache';
import { reportNewDocument } from './connection';
import { type DocumentRowFragment, type HomeQuery, HomeDocument, type JobProgressSubscription, type JobRowFragment, type WorkspaceEventsSubscription } from './graph/graphql';

/** Objects whose ids are unique within another object only. */
export const keylessTypes: KeyingConfig = { LinkVariant: () => null };

const activeStates = new Set(['QUEUED', 'RUNNING', 'RETRYING']);
const homeDocuments = 8;
const homeFailures = 5;

type JobList = NonNullable<HomeQuery['active']>;
type DocumentList = NonNullable<HomeQuery['documents']>;

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

/** Moves a job between Home's lists; its other fields are those of the normalised job. */
function placeJob(cache: Cache, job: JobRowFragment): void {
  cache.updateQuery({ query: HomeDocument }, (data) => {
    if (!data?.active || !data.failed) {
      return data;
    }
    const isActive = activeStates.has(job.status);
    return {
      ...data,
      active: isActive ? withJob(data.active, job, 20) : withoutJob(data.active, job.id),
      failed: job.status === 'FAILED' ? withJob(data.failed, job, homeFailures) : withoutJob(data.failed, job.id),
    };
  });
}

function placeDocument(list: DocumentList, document: DocumentRowFragment): DocumentList {
  if (list.nodes.some((known) => known.id === document.id)) {
    return list;
  }
  return { ...list, nodes: [document, ...list.nodes].slice(0, homeDocuments), totalCount: list.totalCount + 1 };
}

function removeDocument(list: DocumentList, id: string): DocumentList {
  const nodes = list.nodes.filter((document) => document.id !== id);
  return { ...list, nodes, totalCount: list.totalCount - 1 };
}

/** Has the pages of the list of documents loaded again; Home's list, which has no filter, is changed in place. */
function invalidateDocumentLists(cache: Cache): void {
  for (const { fieldName, arguments: given } of cache.inspectFields('Query')) {
    if (fieldName === 'documents' && given && 'filter' in given) {
      cache.invalidate('Query', fieldName, given);
    }
  }
}

function applyEvent(cache: Cache, event: WorkspaceEventsSubscription['workspaceEvents']): void {
  if (event.__typename === 'JobChanged' && event.job) {
    placeJob(cache, event.job);
  }
  if (event.__typename !== 'DocumentChanged') {
    return;
  }
  const { document, documentId } = event;
  if (event.eventName === 'DOCUMENT_CREATED' && documentId) {
    reportNewDocument(documentId);
  } else if (event.eventName === 'DOCUMENT_DELETED') {
    invalidateDocumentLists(cache);
  }
  cache.updateQuery({ query: HomeDocument }, (data) => {
    if (!data?.documents) {
      return data;
    }
    if (event.eventName === 'DOCUMENT_CREATED' && document) {
      return { ...data, documents: placeDocument(data.documents, document) };
    }
    return event.eventName === 'DOCUMENT_DELETED' && documentId ? { ...data, documents: removeDocument(data.documents, documentId) } : data;
  });
}

/** How events and mutations change lists. Rows change by themselves, as each is stored once by its id. */
export const cacheUpdates: UpdatesConfig = {
  Subscription: {
    workspaceEvents(result, _variables, cache) {
      const { workspaceEvents } = result as Partial<WorkspaceEventsSubscription>; // an alias of the field is for a screen to show
      if (workspaceEvents) {
        applyEvent(cache, workspaceEvents);
      }
    },
    workspaceJobs: (result, _variables, cache) => placeJob(cache, (result as JobProgressSubscription).workspaceJobs),
  },
  Mutation: {
    retryJob: (result, _variables, cache) => placeJob(cache, (result as { retryJob: { job: JobRowFragment } }).retryJob.job),
    retryDocument: (result, _variables, cache) => placeJob(cache, (result as { retryDocument: { job: JobRowFragment } }).retryDocument.job),
    cancelJob: (result, _variables, cache) => placeJob(cache, (result as { cancelJob: { job: JobRowFragment } }).cancelJob.job),
  },
};
