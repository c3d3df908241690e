/** What an address may share: an operation and its variables, never a key. */
export interface Shared {
  query?: string;
  variables?: string;
}

export function readShared(search: string): Shared {
  const parameters = new URLSearchParams(search);
  return {
    query: parameters.get('query') ?? undefined,
    variables: parameters.get('variables') ?? undefined,
  };
}

/** Returns the address that opens the operation in a tab of its own. */
export function shareAddress(origin: string, { query, variables }: Shared): string {
  const parameters = new URLSearchParams({ query: query ?? '' });
  if (variables?.trim()) {
    parameters.set('variables', variables);
  }
  return `${origin}/playground?${parameters}`;
}
