import {
  type Exchange,
  type OperationContext,
  type OperationResult,
  Client,
  fetchExchange,
  makeOperation,
  mapExchange,
  subscriptionExchange,
} from '@urql/core';
import { type KeyingConfig, cacheExchange } from '@urql/exchange-graphcache';
import { type Client as SocketClient, createClient as createSocketClient } from 'graphql-ws';
import { type Access, asksForSignIn } from './access';
import { addSocket, removeSocket } from './connection';
import { translateErrors } from './errorTranslation';
import { replayEvents } from './eventReplay';
import { followEvents } from './followEvents';
import { type Session, credentialHeaders } from './session';

const graphPath = '/graphql';

/**
 * Types without a key in the cache: the ids of variants are unique within a link only, and a
 * summary is a link as it was at an event.
 */
const keylessTypes: KeyingConfig = {
  Brand: () => null,
  BrandLogo: () => null,
  LinkVariant: () => null,
  LinkSummary: () => null,
  DocumentOriginal: () => null,
  DeletedDocument: () => null,
  SavedAutoTag: () => null,
  SavedSearchFilter: () => null,
  SearchMatchedPayload: () => null,
  SourceError: () => null,
  SourceLink: () => null,
  SourceLinkGroup: () => null,
  SourcePreviewEntry: () => null,
  TimeSpan: () => null,
};

/** Reports each response that refuses the credentials: of a query, a mutation or a subscription. */
function reportRefusals({ refuse }: Access): Exchange {
  return mapExchange({
    onError(error) {
      const code = failureCode({ error });
      if (asksForSignIn(code)) {
        refuse(code);
      }
    },
  });
}

/**
 * The context of a query that may be refused. Its response has status 200 even then, because
 * browsers log other statuses as errors.
 */
export const mayBeRefused: Partial<OperationContext> = { acceptsRefusal: true };

/** Asks for a response with status 200 to queries that may be refused. */
function acceptRefusals(headers: Record<string, string>): Exchange {
  return mapExchange({
    onOperation: (operation) =>
      operation.context['acceptsRefusal']
        ? makeOperation(operation.kind, operation, {
            ...operation.context,
            fetchOptions: { headers: { ...headers, Accept: 'application/json' } },
          })
        : operation,
  });
}

/**
 * Creates the client of a session: one cache, and one socket that opens with the first
 * subscription.
 */
export function createGraphClient(
  session: Session,
  access: Access,
): { client: Client; close: () => void } {
  const headers = credentialHeaders(session);
  const socket = openSocket(headers);
  const client = new Client({
    ...requestOptions(headers),
    exchanges: [
      reportRefusals(access),
      translateErrors,
      cacheExchange({ keys: keylessTypes }),
      acceptRefusals(headers),
      replayEvents,
      followEvents,
      fetchExchange,
      subscriptionExchange({ forwardSubscription: (request) => resumingSource(socket, request) }),
    ],
  });
  return { client, close: () => void socket.dispose() };
}

/** Creates a client without a cache and a socket. */
export function createPlainClient(session: Session, access: Access): Client {
  return new Client({
    ...requestOptions(credentialHeaders(session)),
    exchanges: [reportRefusals(access), translateErrors, fetchExchange],
  });
}

function requestOptions(headers: Record<string, string>) {
  return {
    url: graphPath,
    preferGetMethod: false as const,
    fetchOptions: () => ({ headers: { ...headers, Accept: 'application/graphql-response+json' } }),
  };
}

function openSocket(headers: Record<string, string>): SocketClient {
  return createSocketClient({
    url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}${graphPath}`,
    connectionParams: headers,
    retryAttempts: Infinity,
    keepAlive: 20_000,
    retryWait: (attempt) =>
      new Promise((resolve) =>
        setTimeout(resolve, Math.min(500 * 2 ** attempt, 10_000) * (0.5 + Math.random() / 2)),
      ),
    shouldRetry: (event) => !(event instanceof CloseEvent && event.code === 4403),
    on: {
      connected(socket) {
        addSocket(socket);
        (socket as WebSocket).addEventListener('close', () => removeSocket(socket));
      },
    },
  });
}

interface SubscriptionBody {
  query?: string | undefined;
  variables?: object | undefined;
}

/**
 * Subscribes so that a dropped socket continues after the last event. graphql-ws sends the same
 * payload when it reconnects, so each event moves the position in it.
 */
function resumingSource(socket: SocketClient, request: SubscriptionBody) {
  const payload = {
    query: request.query ?? '',
    variables: { ...request.variables } as Record<string, unknown>,
  };
  return {
    subscribe(sink: { next(value: unknown): void; error(error: unknown): void; complete(): void }) {
      const unsubscribe = socket.subscribe(payload, {
        next(value) {
          const event = Object.values(
            (value.data ?? {}) as Record<string, { cursor?: string } | null>,
          )[0];
          if (event?.cursor) {
            payload.variables['after'] = event.cursor;
          }
          sink.next(value);
        },
        error: (error) => sink.error(error),
        complete: () => sink.complete(),
      });
      return { unsubscribe };
    },
  };
}

/** Returns the code of an error, such as "unauthenticated", or "network" without a response. */
export function failureCode(result: Pick<OperationResult, 'error'>): string | null {
  if (!result.error) {
    return null;
  }
  const code = result.error.graphQLErrors[0]?.extensions['code'];
  return typeof code === 'string' ? code : 'network';
}
