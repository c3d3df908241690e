import {
  type Client,
  type Operation,
  type OperationResult,
  gql,
  makeOperation,
  makeResult,
} from '@urql/core';
import { makeSubject, pipe, publish, subscribe } from 'wonka';
import { expect, test } from 'vitest';
import { replayEvents } from './eventReplay';

const client = {} as Client;

function operation(kind: Operation['kind'], key: number): Operation {
  const query = gql`
    query Anything {
      anything
    }
  `;
  return makeOperation(
    kind,
    { key, query, variables: {} },
    { url: '', requestPolicy: 'network-only' },
  );
}

/** Starts the exchange; `log` has the data of what it delivers. */
function start() {
  const operations = makeSubject<Operation>();
  const results = makeSubject<OperationResult>();
  const log: unknown[] = [];
  const exchange = replayEvents({
    client,
    dispatchDebug: () => undefined,
    forward: (source) => {
      pipe(source, publish);
      return results.source;
    },
  });
  pipe(
    exchange(operations.source),
    subscribe(({ data }) => log.push(data)),
  );
  const respond = (to: Operation, data: object) =>
    results.next(makeResult(to, { data, hasNext: false }));
  return { send: (one: Operation) => operations.next(one), respond, log };
}

const live = operation('subscription', 1);
const query = operation('query', 2);
const event = { workspaceJobs: { id: 'a' } };

test('an event during a query is delivered again after its response', () => {
  const { send, respond, log } = start();
  send(query);
  respond(live, event);
  respond(query, { rows: 1 });
  expect(log).toEqual([event, { rows: 1 }, event]);
});

test('an event before a request, or after its response, is delivered once', () => {
  const { send, respond, log } = start();
  respond(live, event);
  send(query);
  respond(query, { rows: 1 });
  respond(live, event);
  respond(query, { rows: 2 }); // a later result of the same query
  expect(log).toEqual([event, { rows: 1 }, event, { rows: 2 }]);
});

test('a request that was given up has no events', () => {
  const { send, respond, log } = start();
  send(query);
  respond(live, event);
  send(operation('teardown', query.key));
  respond(query, { rows: 1 });
  expect(log).toEqual([event, { rows: 1 }]);
});

test('results of other subscriptions are not replayed', () => {
  const { send, respond, log } = start();
  send(operation('mutation', 3));
  respond(live, { interactStream: { delta: 'x' } });
  respond(operation('mutation', 3), { done: true });
  expect(log).toEqual([{ interactStream: { delta: 'x' } }, { done: true }]);
});
