import { useCallback } from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation } from 'urql';
import { asksForSignIn } from '../access';
import { failureCode } from '../client';
import { useTranslator } from '../i18n';
import { problemText } from '../problemText';
import { useNotice } from './notice';

/**
 * Runs a mutation. On failure `run` returns null and shows the gateway's sentence, unless the
 * sign-in opens.
 */
export function useAction<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
) {
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
