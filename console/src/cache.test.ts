import {
  Client,
  type Exchange,
  type Operation,
  type OperationResult,
  type TypedDocumentNode,
  makeResult,
} from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { filter, makeSubject, merge, pipe, subscribe, tap } from 'wonka';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cacheUpdates, keylessTypes, newHomeVariables } from './cache';
import { onEvent } from './connection';
import {
  CancelJobDocument,
  type DocumentRowFragment,
  HomeDocument,
  type HomeQuery,
  type JobRowFragment,
  type JobStatus,
  RetryJobDocument,
  WorkspaceEventsDocument,
  type WorkspaceEventsSubscription,
} from './graph/graphql';

type Event = WorkspaceEventsSubscription['workspaceEvents'];

const job = (id: string, status: JobStatus): JobRowFragment & { __typename: 'Job' } => ({
  __typename: 'Job',
  id,
  jobType: 'AUTO_TAGS',
  status,
  progress: 0,
  note: null,
  createdAt: '2026-03-10T08:00:00Z',
  completedAt: null,
  errorMessage: null,
  document: null,
});

const row = (id: string): DocumentRowFragment & { __typename: 'Document' } => ({
  __typename: 'Document',
  id,
  title: `Title of ${id}`,
  createdAt: '2026-03-10T08:00:00Z',
  wordCount: 10,
  processingStatus: null,
  processingError: null,
  visibility: 'PUBLIC',
  companyName: null,
  executiveName: null,
  communicationType: null,
  autoTags: [],
  reactions: null,
  signals: null,
});

const session = (id: string) => ({
  __typename: 'LinkSession' as const,
  id,
  openedAt: '2026-03-10T08:00:00Z',
});

const link = (id: string, openCount: number, sessions: string[], hasNextPage = false) => ({
  __typename: 'Link' as const,
  id,
  openCount,
  sessions: {
    __typename: 'LinkSessionConnection' as const,
    pageInfo: { __typename: 'PageInfo' as const, hasNextPage },
    nodes: sessions.map(session),
  },
});

const connection = <Node>(__typename: string, nodes: Node[], totalCount = nodes.length) => ({
  __typename,
  totalCount,
  nodes,
});

/** Home with two jobs that run, one that failed, two of nine documents, and one link. */
const home = {
  __typename: 'Query',
  eventCursor: 'start',
  viewer: null,
  active: connection('JobConnection', [job('running', 'RUNNING'), job('queued', 'QUEUED')]),
  failed: connection('JobConnection', [job('broken', 'FAILED')]),
  documents: connection('DocumentConnection', [row('new'), row('old')], 9),
  links: connection('LinkConnection', [link('one', 1, ['first'])]),
} as unknown as HomeQuery;

/** Returns a client with a fake network; `send` delivers an event of the socket. */
function start(mutations: Record<string, unknown> = {}) {
  const events = makeSubject<OperationResult>();
  let socket: Operation | undefined;
  const requests: string[] = [];
  const network: Exchange = () => (operations) => {
    const answers = makeSubject<OperationResult>();
    const answer = (operation: Operation) => {
      const [definition] = operation.query.definitions;
      const name = (definition && 'name' in definition && definition.name?.value) || '';
      requests.push(name);
      const data =
        name === 'Home' ? home : (mutations[name] ?? { __typename: 'Query', documents: null });
      queueMicrotask(() => answers.next(makeResult(operation, { data, hasNext: false })));
    };
    pipe(
      operations,
      filter(({ kind }) => kind !== 'teardown'),
      tap((operation) =>
        operation.kind === 'subscription' ? (socket = operation) : answer(operation),
      ),
      subscribe(() => undefined),
    );
    return merge([answers.source, events.source]);
  };
  const client = new Client({
    url: 'http://gateway/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange({ keys: keylessTypes, updates: cacheUpdates }), network],
  });
  pipe(
    client.subscription(WorkspaceEventsDocument, {}),
    subscribe(() => undefined),
  );
  const send = (event: Partial<Event>) =>
    socket &&
    events.next(
      makeResult(socket, {
        data: { __typename: 'Subscription', workspaceEvents: event },
        hasNext: true,
      }),
    );
  return { client, send, requests };
}

let variables: ReturnType<typeof newHomeVariables>;

async function openHome(mutations?: Record<string, unknown>) {
  const parts = start(mutations);
  await parts.client.query(HomeDocument, variables).toPromise();
  const read = () => {
    const data = parts.client.readQuery(HomeDocument, variables)?.data;
    if (!data) {
      throw new Error('the cache has no response of Home');
    }
    return data;
  };
  return { ...parts, read };
}

const ids = (list: { nodes: readonly { id: string }[] } | null | undefined) =>
  list?.nodes.map(({ id }) => id);

const jobChanged = (changed: JobRowFragment & { __typename: 'Job' }): Partial<Event> => ({
  __typename: 'JobChanged',
  cursor: `job ${changed.id} ${changed.status}`,
  eventName: 'JOB_CHANGED',
  jobId: changed.id,
  status: changed.status,
  job: changed,
});

beforeEach(() => {
  // Without a schema graphcache warns that it guesses the types of fragments.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  variables = newHomeVariables();
});

describe('a job', () => {
  test('that starts is first of the active ones, once', async () => {
    const { send, read } = await openHome();
    send(jobChanged(job('started', 'QUEUED')));
    send(jobChanged(job('started', 'RUNNING')));
    expect(ids(read().active)).toEqual(['started', 'running', 'queued']);
    expect(read().active?.totalCount).toBe(3);
    expect(read().active?.nodes[0]?.status).toBe('RUNNING');
  });

  test('that fails moves to the failed ones', async () => {
    const { send, read } = await openHome();
    send(jobChanged(job('running', 'FAILED')));
    expect(ids(read().active)).toEqual(['queued']);
    expect(ids(read().failed)).toEqual(['running', 'broken']);
    expect([read().active?.totalCount, read().failed?.totalCount]).toEqual([1, 2]);
  });

  test('that is completed leaves both lists', async () => {
    const { send, read } = await openHome();
    send(jobChanged(job('broken', 'COMPLETED')));
    send(jobChanged(job('queued', 'COMPLETED')));
    expect([ids(read().active), ids(read().failed)]).toEqual([['running'], []]);
  });

  test('that is too many is counted but not listed', async () => {
    const { send, read } = await openHome();
    Array.from({ length: 6 }, (_, i) => send(jobChanged(job(`f${i}`, 'FAILED'))));
    expect(ids(read().failed)).toEqual(['f5', 'f4', 'f3', 'f2', 'f1']);
    expect(read().failed?.totalCount).toBe(7);
  });

  test.each([
    [
      'RetryJob',
      RetryJobDocument,
      'retryJob',
      job('broken', 'QUEUED'),
      ['broken', 'running', 'queued'],
    ],
    ['CancelJob', CancelJobDocument, 'cancelJob', job('running', 'CANCELLED'), ['queued']],
  ] as [string, TypedDocumentNode<unknown, { jobId: string }>, string, JobRowFragment, string[]][])(
    'is placed by the response of %s',
    async (name, mutation, field, changed, active) => {
      const payload = { __typename: 'JobPayload', job: changed };
      const { client, read } = await openHome({
        [name]: { __typename: 'Mutation', [field]: payload },
      });
      await client.mutation(mutation, { jobId: changed.id }).toPromise();
      expect(ids(read().active)).toEqual(active);
    },
  );
});

describe('a document', () => {
  const created = (id: string): Partial<Event> => ({
    __typename: 'DocumentChanged',
    cursor: `created ${id}`,
    eventName: 'DOCUMENT_CREATED',
    documentId: id,
    document: row(id),
  });
  const deleted = (id: string, cursor = `deleted ${id}`): Partial<Event> => ({
    __typename: 'DocumentChanged',
    cursor,
    eventName: 'DOCUMENT_DELETED',
    documentId: id,
    document: null,
  });

  test('that is created is first of at most eight, once', async () => {
    const { send, read } = await openHome();
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'g'].forEach((id) => send(created(id)));
    expect(ids(read().documents)).toEqual(['g', 'f', 'e', 'd', 'c', 'b', 'a', 'new']);
    expect(read().documents?.totalCount).toBe(16);
  });

  test('that is deleted is gone, and counted once if its event is reported twice', async () => {
    const { send, read } = await openHome();
    send(deleted('old'));
    send(deleted('old'));
    expect(ids(read().documents)).toEqual(['new']);
    expect(read().documents?.totalCount).toBe(8);
    send(deleted('not listed'));
    send(deleted('not listed'));
    expect(read().documents?.totalCount).toBe(7);
  });

  test('that changes is changed in every list', async () => {
    const { send, read } = await openHome();
    send({
      __typename: 'DocumentChanged',
      cursor: 'updated',
      eventName: 'DOCUMENT_UPDATED',
      documentId: 'old',
      document: { ...row('old'), title: 'Another title' },
    });
    expect(read().documents?.nodes[1]?.title).toBe('Another title');
    expect(read().documents?.totalCount).toBe(9);
  });

  test('that is deleted has filtered lists loaded again', async () => {
    const { client, send, requests } = await openHome();
    const list = 'query List($filter: F) { documents(filter: $filter) { totalCount } }';
    const open = () => client.query(list, { filter: { q: 'x' } }).toPromise();
    await open();
    await open();
    expect(requests.filter((name) => name === 'List')).toHaveLength(1); // the second is the cache's
    send(deleted('old', 'again'));
    await open();
    expect(requests.filter((name) => name === 'List')).toHaveLength(2);
  });
});

describe('an opened link', () => {
  const opened = (id: string, openCount: number, sessionId: string | null): Partial<Event> =>
    ({
      __typename: 'LinkOpened',
      cursor: `opened ${id} ${sessionId}`,
      eventName: 'LINK_OPENED',
      timestamp: '2026-03-10T09:00:00Z',
      link: { __typename: 'Link', id, openCount },
      payload: { __typename: 'LinkOpenedPayload', sessionId },
    }) as Partial<Event>;

  test('has the session first, once, and its count', async () => {
    const { send, read } = await openHome();
    send(opened('one', 2, 'second'));
    send(opened('one', 2, 'second'));
    expect(ids(read().links?.nodes[0]?.sessions)).toEqual(['second', 'first']);
    expect(read().links?.nodes[0]?.openCount).toBe(2);
  });

  test('that is not listed is added; earlier opens are known to exist', async () => {
    const { send, read } = await openHome();
    send(opened('two', 5, 'fifth'));
    expect(ids(read().links)).toEqual(['one', 'two']);
    expect(read().links?.nodes[1]?.sessions?.pageInfo.hasNextPage).toBe(true);
    expect(read().links?.totalCount).toBe(2);
  });

  test('without a session changes no list', async () => {
    const { send, read } = await openHome();
    send(opened('two', 5, null));
    expect(ids(read().links)).toEqual(['one']);
  });
});

test('events are passed on to screens until they stop to listen', async () => {
  const { send } = await openHome();
  const heard: string[] = [];
  const stop = onEvent(({ cursor }) => heard.push(cursor));
  send(jobChanged(job('running', 'RETRYING')));
  stop();
  send(jobChanged(job('running', 'RUNNING')));
  expect(heard).toEqual(['job running RETRYING']);
});

test('the variables of Home stay the same for ten minutes', () => {
  vi.useFakeTimers({ now: new Date('2026-03-10T12:00:01Z') });
  const first = newHomeVariables();
  expect(first).toEqual({ failedSince: '2026-03-09T12:10:00.000Z' });
  vi.setSystemTime(new Date('2026-03-10T12:09:59Z'));
  expect(newHomeVariables()).toEqual(first);
  vi.setSystemTime(new Date('2026-03-10T12:10:01Z'));
  expect(newHomeVariables()).not.toEqual(first);
  vi.useRealTimers();
});
