import type { CombinedError } from '@urql/core';
import type { Translator } from './i18n';
import type { FieldProblem } from './session';

/** Returns the sentence of an error, or one of the page's language if there was no response. */
export function problemText(error: CombinedError, t: Translator['t']): string {
  return error.graphQLErrors[0]?.message ?? t('state.offlineHint');
}

/** Returns the fields that the gateway refused. */
function refusedFields(error: CombinedError | undefined): FieldProblem[] {
  return (error?.graphQLErrors ?? []).flatMap(
    ({ extensions }) => (extensions['errors'] as FieldProblem[] | undefined) ?? [],
  );
}

const isAtField = ({ pointer }: FieldProblem, field: string) =>
  pointer === `#/${field}` || pointer.startsWith(`#/${field}/`);

/** Returns the reason why the gateway refused a field of an input, or undefined. */
export function fieldProblem(error: CombinedError | undefined, field: string): string | undefined {
  return refusedFields(error).find((problem) => isAtField(problem, field))?.msg;
}

/** Reports whether every reason of a refusal is about one of the fields. */
export function isAtFields(error: CombinedError, fields: readonly string[]): boolean {
  const refused = refusedFields(error);
  return (
    refused.length > 0 &&
    refused.every((problem) => fields.some((field) => isAtField(problem, field)))
  );
}
