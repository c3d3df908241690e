import { useEffect, useMemo, useState } from 'react';
import { type AnyVariables, type CombinedError, type TypedDocumentNode } from 'urql';
import { useAccess } from '../access';
import { createPlainClient } from '../client';
import { useSession } from '../session';

/** How long an input rests before it is sent, in milliseconds. */
const pause = 500;

/** After how long an input that got no response is sent again, in milliseconds. */
const retryPause = 3_000;

/** The response to the latest input that was sent. */
export interface DebouncedResult<Data> {
  readonly data: Data | null;
  readonly error: CombinedError | undefined;
  /** False while the input differs from the one of the response. */
  readonly isCurrent: boolean;
  /** True while the gateway has not responded yet. */
  readonly isSending: boolean;
  /** Sends the input again. */
  readonly retry: () => void;
}

/**
 * Sends a query after its variables have changed and rest, one request at a time. `saved` is the
 * response of the first variables, which are not sent; without it they are sent at once. A request
 * that got no response is repeated until the gateway responds. Responses are not cached, because
 * each has an input of its own.
 */
export function useDebouncedQuery<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  saved?: Data | null,
  enabled = true,
): DebouncedResult<Data> {
  const session = useSession();
  const access = useAccess();
  const client = useMemo(() => createPlainClient(session, access), [session, access]);
  const key = JSON.stringify(variables);
  const [sending, setSending] = useState(false);
  const [known, setKnown] = useState<{
    /** The variables that were sent; null if none were, or if they are to be sent again. */
    key: string | null;
    data: Data | null;
    error: CombinedError | undefined;
  }>({ key: saved === undefined ? null : key, data: saved ?? null, error: undefined });
  const isUnanswered = Boolean(known.error?.networkError);
  useEffect(() => {
    if (sending || !enabled || (key === known.key && !isUnanswered)) {
      return;
    }
    const send = async () => {
      setSending(true);
      const { data, error } = await client.query(query, JSON.parse(key) as Variables).toPromise();
      setKnown((before) => ({ key, data: data ?? before.data, error }));
      setSending(false);
    };
    const wait = known.key === null ? 0 : key === known.key ? retryPause : pause;
    const timer = setTimeout(() => void send(), wait);
    return () => clearTimeout(timer);
  }, [client, enabled, isUnanswered, key, known.key, query, sending]);
  return {
    data: known.data,
    error: known.error,
    isCurrent: key === known.key && !known.error,
    isSending: sending,
    retry: () => setKnown((before) => ({ ...before, key: null })),
  };
}
