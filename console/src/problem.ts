import type { CombinedError } from '@urql/core';
import type { FieldProblem } from './session';

/** Returns the gateway's sentence about an error, or the client's if there was no response. */
export function problemText(error: CombinedError): string {
  return error.graphQLErrors[0]?.message ?? error.message;
}

/** Returns the reason why the gateway refused a field of an input, or undefined. */
export function fieldProblem(error: CombinedError | undefined, field: string): string | undefined {
  for (const { extensions } of error?.graphQLErrors ?? []) {
    const found = (extensions['errors'] as FieldProblem[] | undefined)?.find(({ pointer }) => pointer === `#/${field}` || pointer.startsWith(`#/${field}/`));
    if (found) {
      return found.msg;
    }
  }
  return undefined;
}
