/** The operation of a tab, as programs send it. */
export interface ProgramRequest {
  endpoint: string;
  query: string;
  variables: string;
  operationName: string | undefined;
  isSubscription: boolean;
}

/** Returns the body of the request. Variables that are not yet valid JSON are left out. */
function bodyOf({ query, variables, operationName }: ProgramRequest): object {
  return { query: query.trim(), ...parseVariables(variables), ...(operationName && { operationName }) };
}

function parseVariables(text: string): { variables?: unknown } {
  try {
    return text.trim() ? { variables: JSON.parse(text) as unknown } : {};
  } catch {
    return {};
  }
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a command for a POSIX shell. A subscription is streamed as server-sent events. */
export function curlOf(request: ProgramRequest): string {
  return [
    `curl ${request.isSubscription ? '-N ' : ''}${quoteForShell(request.endpoint)}`,
    `  -H "X-API-Key: $ROSTRUM_KEY" -H 'Content-Type: application/json'`,
    ...(request.isSubscription ? [`  -H 'Accept: text/event-stream'`] : []),
    `  -d ${quoteForShell(JSON.stringify(bodyOf(request)))}`,
  ].join(' \\\n');
}

/** Returns a module that runs in browsers, Node and Deno; one for a subscription needs graphql-sse. */
export function typeScriptOf(request: ProgramRequest): string {
  const body = JSON.stringify(bodyOf(request), null, 2);
  const endpoint = JSON.stringify(request.endpoint);
  if (request.isSubscription) {
    return `import { createClient } from 'graphql-sse';

const client = createClient({
  url: ${endpoint},
  headers: { 'X-API-Key': process.env.ROSTRUM_KEY ?? '' },
});
for await (const event of client.iterate(${body})) {
  console.log(event.data);
}
`;
  }
  return `const response = await fetch(${endpoint}, {
  method: 'POST',
  headers: { 'X-API-Key': process.env.ROSTRUM_KEY ?? '', 'Content-Type': 'application/json' },
  body: JSON.stringify(${body}),
});
const { data, errors } = await response.json();
console.log(errors ?? data);
`;
}
