import { useCallback } from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation } from 'urql';
import { asksForSignIn } from '../access';
import { failureCode } from '../client';
import { useTranslator } from '../i18n';
import { useNotice } from './notice';
import { problemText } from '../problem';

/** Runs a mutation and shows the gateway's sentence when it fails, unless the client opens the sign-in. `run` returns null then. */
export function useAction<Data, Variables extends AnyVariables>(mutation: TypedDocumentNode<Data, Variables>) {
  const [{ fetching }, execute] = useMutation<Data, Variables>(mutation);
  const notify = useNotice();
  const { t } = useTranslator();
  const run = useCallback(
    async (variables: Variables): Promise<Data | null> => {
      const { data, error } = await execute(variables);
      if (error) {
        if (!asksForSignIn(failureCode({ error }))) {
          notify(problemText(error, t), true);
        }
        return null;
      }
      return data ?? null;
    },
    [execute, notify, t],
  );
  return { run, fetching };
}
