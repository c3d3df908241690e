import { type AnyVariables, type DocumentInput, stringifyDocument } from '@urql/core';

/** The request of a screen. */
export interface ScreenRequest {
  readonly query: DocumentInput;
  readonly variables: AnyVariables;
}

/** Returns the operation as text, with its variables as a comment. */
export function graphText({ query, variables }: ScreenRequest): string {
  const text = stringifyDocument(query);
  const given = JSON.stringify(variables ?? {}, null, 2);
  return given === '{}' ? text : `${text}\n\n# variables\n${given.replace(/^/gm, '# ')}`;
}

/** Returns a command for a POSIX shell; the key is the shell's variable KEY. */
export function curlCommand({ query, variables }: ScreenRequest): string {
  const body = JSON.stringify({
    query: stringifyDocument(query),
    variables: variables ?? {},
  }).replaceAll("'", "'\\''");
  return `curl ${window.location.origin}/graphql \\\n  -H "X-API-Key: $KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}
