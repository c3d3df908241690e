import { useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { useTranslator } from '../i18n';
import { problemText } from '../problem';
import { useNotice } from './notice';

/** Reads what the gateway stores at present, not the cache. `read` shows the gateway's sentence and returns null when it fails. */
export function useStoredRead<Data, Variables extends AnyVariables>(query: TypedDocumentNode<Data, Variables>, variables: Variables) {
  const client = useClient();
  const notify = useNotice();
  const { t } = useTranslator();
  const [isReading, setReading] = useState(false);
  const read = async (): Promise<Data | null> => {
    setReading(true);
    const { data, error } = await client.query<Data, Variables>(query, variables, { requestPolicy: 'network-only' }).toPromise();
    setReading(false);
    if (error) {
      notify(problemText(error, t), true);
    }
    return error ? null : (data ?? null);
  };
  return { isReading, read };
}
