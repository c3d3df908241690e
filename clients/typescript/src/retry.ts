import { type Body, RostrumError, errorOf } from './error.js';

/** How often a request is sent, and how long the gateway may take to answer once. */
export interface Patience {
  tries: number;
  timeout: number;
}

const longestPause = 60_000;

/**
 * Sends a request and returns the body of its answer. It sends it again after a lost connection and
 * when the gateway has no time for it: after `Retry-After`, and at least after 0.5, 1, 2 … seconds. A
 * longer `Retry-After` than a minute is an error at once.
 */
export async function send<Data>(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  { tries, timeout }: Patience,
): Promise<Body<Data>> {
  for (let attempt = 1; ; attempt++) {
    const { body, error, pause } = await sendOnce<Data>(fetch, url, init, timeout, attempt);
    if (!error) {
      return body;
    }
    if (!error.isPassing || attempt >= tries || pause > longestPause) {
      throw error;
    }
    await sleep(pause, init.signal);
  }
}

interface Outcome<Data> {
  body: Body<Data>;
  error?: RostrumError;
  pause: number;
}

async function sendOnce<Data>(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  timeout: number,
  attempt: number,
): Promise<Outcome<Data>> {
  const pause = backoff(attempt);
  const limit = AbortSignal.timeout(timeout);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  try {
    // A redirect would take the key to another address.
    const response = await fetch(url, { ...init, signal, redirect: 'manual' });
    const text = await response.text();
    const body = parse<Data>(response, text);
    const asked = Number(response.headers.get('Retry-After') || NaN) * 1000;
    const failed = !response.ok || body.errors?.length;
    return {
      body,
      pause: asked > pause ? asked : pause,
      ...(failed && { error: errorOf(response.status, body) }),
    };
  } catch (cause) {
    init.signal?.throwIfAborted();
    const error = new RostrumError(`${url} is not reached`, 'network', 0, [], { cause });
    return { body: {}, error, pause };
  }
}

function parse<Data>(response: Response, text: string): Body<Data> {
  try {
    return JSON.parse(text) as Body<Data>;
  } catch {
    const from = response.ok
      ? 'the answer is not the gateway’s'
      : `the answer is ${response.status}`;
    return { errors: [{ message: from, extensions: { code: 'bad_answer' } }] };
  }
}

/** Returns the pause after so many tries, half of it by chance. */
export function backoff(attempt: number): number {
  return Math.min(500 * 2 ** (attempt - 1), 10_000) * (0.5 + Math.random() / 2);
}

export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
