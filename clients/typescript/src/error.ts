/** A field of a request that the gateway does not accept. */
export interface InvalidField {
  /** Where it is, as a JSON pointer: `#/sourceUrl`. */
  pointer: string;
  msg: string;
  type: string;
}

/** Why the gateway refused a request, or did not answer it. */
export class RostrumError extends Error {
  override name = 'RostrumError';

  constructor(
    message: string,
    /**
     * A value of `ErrorCode` in lower case, such as `not_found`; `network` without an answer, and
     * `bad_answer` for one that is not the gateway's.
     */
    readonly code: string,
    /** The HTTP status; 0 without an answer. */
    readonly status: number,
    /** What is wrong with each field, with the code `validation_failed`. */
    readonly fields: readonly InvalidField[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return (
      [0, 429, 502, 503, 504].includes(this.status) ||
      ['unavailable', 'idempotency_in_flight', 'rate_limited'].includes(this.code)
    );
  }
}

interface GraphError {
  message: string;
  extensions?: { code?: string; errors?: InvalidField[] };
}

/** The body of a GraphQL response, or REST's problem document. */
export interface Body<Data = unknown> {
  data?: Data | null;
  errors?: readonly GraphError[];
  code?: string;
  detail?: string;
}

/** Returns the error that a response tells. */
export function errorOf(status: number, body: Body): RostrumError {
  const first = body.errors?.[0];
  return new RostrumError(
    first?.message ?? body.detail ?? `the gateway answers ${status}`,
    first?.extensions?.code ?? body.code ?? 'bad_answer',
    status,
    first?.extensions?.errors,
  );
}

/** Returns the error of a stream: what the gateway says of it, or how the socket was closed. */
export function streamError(cause: unknown): RostrumError {
  if (cause instanceof RostrumError) {
    return cause;
  }
  if (Array.isArray(cause)) {
    return errorOf(200, { errors: cause as GraphError[] });
  }
  const { code, reason } = (cause ?? {}) as { code?: number; reason?: string };
  const refusal = /^Forbidden: (\w+)$/.exec(reason ?? '');
  return refusal?.[1]
    ? new RostrumError(`the gateway refuses the key: ${refusal[1]}`, refusal[1], 401)
    : new RostrumError(
        `the stream was lost: ${reason || code || String(cause)}`,
        'network',
        0,
        [],
        { cause },
      );
}
