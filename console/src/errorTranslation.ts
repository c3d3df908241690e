import { type Exchange, type OperationResult, CombinedError, mapExchange } from '@urql/core';
import { type Translator, shownTranslator } from './i18n';
import type { FieldProblem } from './session';

/**
 * Returns the sentence of an error code in the page's language. Some sentences end with the
 * gateway's own one as detail.
 */
export function refusalText(
  { text }: Translator,
  code: string,
  detail: string,
  fields: readonly FieldProblem[] = [],
): string {
  const named = fields
    .map(({ pointer, msg }) => `${pointer.replace(/^#\//, '')}: ${msg}`)
    .join('; ');
  return text('error', code, { detail: named || detail });
}

/** Returns the fields that the gateway refused, with their reasons in the page's language. */
export function translateFields(
  { text }: Translator,
  fields: readonly FieldProblem[],
): FieldProblem[] {
  return fields.map((field) => ({
    ...field,
    msg: text('field', field.type, { detail: field.msg }),
  }));
}

function translateError(error: CombinedError): CombinedError {
  const translator = shownTranslator();
  const graphQLErrors = error.graphQLErrors.map(({ message, path, extensions }) => {
    const errors = translateFields(
      translator,
      (extensions['errors'] as FieldProblem[] | undefined) ?? [],
    );
    return {
      message: refusalText(translator, String(extensions['code']), message, errors),
      path,
      extensions: { ...extensions, errors },
    };
  });
  return new CombinedError({
    graphQLErrors,
    networkError: error.networkError,
    response: error.response as unknown,
  });
}

/** Translates the sentences of errors, of every operation. */
export const translateErrors: Exchange = mapExchange({
  onResult: (result: OperationResult) =>
    result.error ? { ...result, error: translateError(result.error) } : result,
});
