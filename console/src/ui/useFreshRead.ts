import { useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { useTranslator } from '../i18n';
import { problemText } from '../problemText';
import { useNotice } from './notice';

/**
 * Reads from the gateway, not from the cache. On failure `read` returns null and shows the
 * gateway's sentence.
 */
export function useFreshRead<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) {
  const client = useClient();
  const notify = useNotice();
  const { t } = useTranslator();
  const [isReading, setReading] = useState(false);
  const read = async (): Promise<Data | null> => {
    setReading(true);
    const { data, error } = await client
      .query<Data, Variables>(query, variables, { requestPolicy: 'network-only' })
      .toPromise();
    setReading(false);
    if (error) {
      notify(problemText(error, t), true);
    }
    return error ? null : (data ?? null);
  };
  return { isReading, read };
}
