import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { getOperationAST } from 'graphql';
import { createClient } from 'graphql-ws';

/** How many events of a subscription are shown, the newest first. */
const shownEvents = 50;

/** Returns a fetcher that sends the key with each request, and shows the events of a subscription as a list that grows. */
export function createFetcher(key: string): Fetcher {
  const identity: Record<string, string> = key ? { 'X-API-Key': key } : {};
  const url = new URL('/graphql', location.href);
  const request = createGraphiQLFetcher({ url: url.href, headers: identity });
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = createClient({ url: url.href, connectionParams: identity });

  return (parameters, options) => {
    const operation =
      options?.documentAST && getOperationAST(options.documentAST, parameters.operationName);
    if (operation?.operation !== 'subscription') {
      return request(parameters, options);
    }
    return {
      subscribe(observer) {
        if (!observer || typeof observer === 'function') {
          throw new Error('GraphiQL subscribes with an observer');
        }
        const events: unknown[] = [];
        let received = 0;
        const payload = {
          query: parameters.query,
          variables: parameters.variables as Record<string, unknown> | undefined,
          operationName: parameters.operationName ?? undefined,
        };
        const unsubscribe = socket.subscribe(payload, {
          next(event) {
            received += 1;
            events.unshift(event);
            events.length = Math.min(events.length, shownEvents);
            observer.next({ received, events: [...events] } as never);
          },
          error: (error) => observer.error(error),
          complete: () => observer.complete(),
        });
        return { unsubscribe };
      },
    };
  };
}
