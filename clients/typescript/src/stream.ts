import { type Client as Socket, createClient } from 'graphql-ws';
import { socketImplementation } from '#socket';
import { errorOf, streamError } from './error.js';
import { backoff, sleep } from './retry.js';

/** Three times the interval at which the gateway sends something on an idle socket. */
const longestSilence = 45_000;
/** How often in a row a lost socket is opened again, which takes two minutes. */
const mostTries = 15;

/** Opens a socket with the first stream, again when it is lost, and closes it with the last one. */
export function openSocket(url: string, key: string): Socket {
  let silent: ReturnType<typeof setTimeout> | undefined;
  const hear = () => {
    clearTimeout(silent);
    silent = setTimeout(() => socket.terminate(), longestSilence);
  };
  const socket = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: socketImplementation,
    connectionParams: { 'X-API-Key': key },
    retryAttempts: mostTries,
    retryWait: (retries) => sleep(backoff(retries + 1)),
    shouldRetry: (event) => (event as { code?: number }).code !== 4403,
    on: { connected: hear, message: hear, closed: () => clearTimeout(silent) },
  });
  return socket;
}

/** The place of an event in its stream. */
interface Positioned {
  cursor?: string;
  position?: number;
}

/**
 * Yields the data of a subscription. After a lost socket it goes on after the last event: the
 * `cursor` or `position` of each event becomes the variable `after`, and graphql-ws sends the
 * payload as it is then.
 */
export async function* follow<Data>(
  socket: Socket,
  query: string,
  variables: object,
  signal?: AbortSignal,
): AsyncGenerator<Data, void, undefined> {
  signal?.throwIfAborted();
  const payload = { query, variables: { ...variables } as Record<string, unknown> };
  const events = socket.iterate<Data>(payload);
  const stop = () => void events.return?.();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const { data, errors } of events) {
      if (errors?.length || !data) {
        throw errorOf(200, { errors: (errors ?? []) as [] });
      }
      const [event] = Object.values(data) as (Positioned | null)[];
      const position = event?.cursor ?? event?.position;
      if (position !== undefined) {
        payload.variables['after'] = position;
      }
      yield data;
    }
  } catch (error) {
    throw streamError(error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  signal?.throwIfAborted();
}
