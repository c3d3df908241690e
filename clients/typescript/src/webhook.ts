/** Why a delivery is not the gateway's, or is too old. Answer it with 401. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/** A delivery of a webhook. Events of links have `link` and `viewer`, all others `data`. */
export interface WebhookEvent {
  /** The header webhook-id: the event's id, the same in each attempt. */
  id: string;
  event: string;
  timestamp: string;
  /** Whether it is a sample of a test. */
  test?: boolean;
  data?: Record<string, unknown>;
  link?: Record<string, unknown>;
  viewer?: Record<string, unknown>;
}

export type WebhookHeaders =
  { get(name: string): string | null } | Record<string, string | string[] | undefined>;

export interface WebhookOptions {
  /** How many seconds the delivery may be off the clock, in both directions; 300 if absent. */
  tolerance?: number;
  /** The present time in milliseconds; for tests. */
  now?: number;
}

/**
 * Returns the event of a delivery whose signature (Standard Webhooks) is right. Pass the body as it
 * came: one that was parsed and written again has other bytes. Compare the event's id with those
 * that you have, as a delivery may come twice. It throws a WebhookError otherwise.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { tolerance = 300, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > tolerance) {
    throw new WebhookError('the timestamp is too far from the present');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await importKey(secret);
  for (const signature of header(headers, 'webhook-signature').split(' ')) {
    const [version, value] = signature.split(',', 2);
    const given = version === 'v1' && value ? fromBase64(value) : undefined;
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) {
      return { ...(JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent), id };
    }
  }
  throw new WebhookError('no signature is right');
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : (headers as Record<string, string | undefined>)[name];
  if (!value) {
    throw new WebhookError(`the header ${name} is missing`);
  }
  return String(value);
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) {
    throw new TypeError('the secret is not whsec_ and base64');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function join(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
