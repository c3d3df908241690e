import {
  Client,
  CombinedError,
  type Exchange,
  type Operation,
  type OperationResult,
  makeResult,
} from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { filter, makeSubject, pipe, subscribe, tap } from 'wonka';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type WorkspaceEvent,
  collectTime,
  concerns,
  followEvents,
  shortestRest,
} from './followEvents';
import { WorkspaceEventsDocument } from './graph/graphql';

const links = 'query Links { links { totalCount } }';
const drafts = 'query Drafts { drafts { totalCount } }';

const nameOf = ({ query }: Operation) => {
  const [definition] = query.definitions;
  return (definition && 'name' in definition && definition.name?.value) || '';
};

/** Starts a client with a fake network, whose requests `respond` answers. */
function start() {
  const network = makeSubject<OperationResult>();
  const waiting: Operation[] = [];
  let socket: Operation | undefined;
  const requests: string[] = [];
  const fake: Exchange = () => (operations) => {
    pipe(
      operations,
      filter(({ kind }) => kind !== 'teardown'),
      tap((operation) => {
        if (operation.kind === 'subscription') {
          socket = operation;
          return;
        }
        requests.push(nameOf(operation));
        waiting.push(operation);
      }),
      subscribe(() => undefined),
    );
    return network.source;
  };
  const client = new Client({
    url: 'http://gateway/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange({}), followEvents, fake],
  });
  const live = () =>
    pipe(
      client.subscription(WorkspaceEventsDocument, {}),
      subscribe(() => undefined),
    );
  let closing = live();
  const restart = () => {
    closing.unsubscribe();
    closing = live();
  };
  const send = (event: Partial<WorkspaceEvent> & { __typename: WorkspaceEvent['__typename'] }) =>
    socket && network.next(makeResult(socket, { data: { workspaceEvents: event }, hasNext: true }));
  /** Takes a request from the waiting ones: the oldest, or that of the name. */
  const take = (name?: string) => {
    const [operation] = waiting.splice(
      name ? waiting.findIndex((one) => nameOf(one) === name) : 0,
      1,
    );
    if (!operation) {
      throw new Error('there is no request');
    }
    return operation;
  };
  const respondTo = (name: string, data: object) =>
    network.next(makeResult(take(name), { data, hasNext: false }));
  /** Responds to the oldest request with a number of rows. */
  const respond = (totalCount: number) => {
    const operation = take();
    const name = nameOf(operation);
    const list = { __typename: `${name.slice(0, -1)}Connection`, totalCount };
    network.next(makeResult(operation, { data: { [name.toLowerCase()]: list }, hasNext: false }));
  };
  const fail = () => {
    const error = new CombinedError({ networkError: new Error('offline') });
    network.next({ operation: take(), data: undefined, error, stale: false, hasNext: false });
  };
  const show = (query: string) => {
    const shown: (number | undefined)[] = [];
    const subscription = pipe(
      client.query(query, {}, { requestPolicy: 'cache-and-network' }),
      subscribe(({ data, stale }) => {
        const [list] = Object.values((data ?? {}) as Record<string, { totalCount: number }>);
        if (!stale) {
          shown.push(list?.totalCount);
        }
      }),
    );
    return { shown, close: () => subscription.unsubscribe() };
  };
  return { client, requests, send, respond, respondTo, fail, show, restart };
}

const rested = collectTime + shortestRest;

/** The page, as far as it matters whether somebody sees it. */
const page = Object.assign(new EventTarget(), { hidden: false });

beforeEach(() => {
  page.hidden = false;
  vi.stubGlobal('document', page);
  vi.useFakeTimers();
  // Without a schema graphcache warns that it guesses the types of fragments.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a query that is shown runs again after an event, and shows the response', async () => {
  const { requests, send, respond, show } = start();
  const { shown } = show(links);
  respond(1);
  send({ __typename: 'LinkOpened' });
  await vi.advanceTimersByTimeAsync(rested);
  respond(2);
  expect(requests).toEqual(['Links', 'Links']);
  expect(shown).toEqual([1, 2]);
});

test('many events are one request, and later ones wait until the query has rested', async () => {
  const { requests, send, respond, show } = start();
  show(links);
  respond(1);
  Array.from({ length: 75 }, () => send({ __typename: 'JobChanged', status: 'COMPLETED' }));
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toHaveLength(2);
  respond(25);
  send({ __typename: 'JobChanged', status: 'COMPLETED' });
  await vi.advanceTimersByTimeAsync(collectTime);
  expect(requests).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toHaveLength(3);
});

test('an event while a request is under way is followed by another one', async () => {
  const { requests, send, respond, show } = start();
  const { shown } = show(links);
  send({ __typename: 'LinkOpened' });
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toHaveLength(1);
  respond(1);
  await vi.advanceTimersByTimeAsync(4 * rested); // it rests longer after a slow response
  respond(2);
  expect(shown).toEqual([1, 2]);
});

test('a query that is not shown any more does not run', async () => {
  const { requests, send, respond, show } = start();
  const { close } = show(links);
  respond(1);
  send({ __typename: 'LinkOpened' });
  close();
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toEqual(['Links']);
});

test('a page that nobody sees waits, and shows all changes at once when it is seen', async () => {
  const { requests, send, respond, show } = start();
  const { shown } = show(links);
  respond(1);
  page.hidden = true;
  send({ __typename: 'LinkOpened' });
  await vi.advanceTimersByTimeAsync(rested);
  send({ __typename: 'LinkOpened' });
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toEqual(['Links']);
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toEqual(['Links', 'Links']);
  respond(3);
  expect(shown).toEqual([1, 3]);
});

test('an event of links does not load drafts again, the end of a job does', async () => {
  const { requests, send, respond, show } = start();
  show(drafts);
  respond(1);
  send({ __typename: 'LinkOpened' });
  send({ __typename: 'JobChanged', status: 'RUNNING' });
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toEqual(['Drafts']);
  send({ __typename: 'JobChanged', status: 'FAILED' });
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toEqual(['Drafts', 'Drafts']);
});

test('a response that a mutation has overtaken is not shown', async () => {
  const { client, requests, send, respond, respondTo, show } = start();
  const { shown } = show(links);
  respond(1);
  send({ __typename: 'LinkChanged' });
  await vi.advanceTimersByTimeAsync(rested);
  const saved = client.mutation('mutation Save { save }', {}).toPromise();
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toEqual(['Links', 'Links', 'Save']);
  respondTo('Save', { save: true });
  respond(1);
  await saved;
  await vi.advanceTimersByTimeAsync(rested);
  respond(2);
  expect(shown).toEqual([1, 2]);
});

test('a request that gets no response shows no error, and is sent again', async () => {
  const { requests, send, respond, fail, show } = start();
  const { shown } = show(links);
  respond(1);
  send({ __typename: 'LinkOpened' });
  await vi.advanceTimersByTimeAsync(rested);
  fail();
  expect(shown).toEqual([1]);
  await vi.advanceTimersByTimeAsync(10_000);
  respond(2);
  expect([requests.length, shown]).toEqual([3, [1, 2]]);
});

test('when the events start again, everything runs again', async () => {
  const { requests, respond, show, restart } = start();
  show(links);
  show(drafts);
  respond(1);
  respond(1);
  restart();
  await vi.advanceTimersByTimeAsync(rested);
  expect(requests).toEqual(['Links', 'Drafts', 'Links', 'Drafts']);
});

describe('an event concerns', () => {
  const cases: [Partial<WorkspaceEvent>, string, boolean][] = [
    [{ __typename: 'DocumentChanged' }, 'Link', true],
    [{ __typename: 'ObjectChanged' }, 'Draft', true],
    [{ __typename: 'EventsDropped' }, 'Draft', true],
    [{ __typename: 'WebhookChanged' }, 'DeliveryConnection', true],
    [{ __typename: 'WebhookChanged' }, 'Persona', false],
    [{ __typename: 'SourceChanged' }, 'SourceConnection', true],
    [{ __typename: 'SourceChanged' }, 'Document', false],
    [{ __typename: 'JobChanged', status: 'QUEUED' }, 'JobConnection', true],
    [{ __typename: 'JobChanged', status: 'QUEUED' }, 'Persona', false],
    [{ __typename: 'JobChanged', status: 'CANCELLED' }, 'Persona', true],
  ];
  test.each(cases)('%o: %s is %s', (event, type, expected) => {
    expect(concerns(event as WorkspaceEvent, new Set([type]))).toBe(expected);
  });
});
