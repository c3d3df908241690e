// The findings of linters that are accepted: the rule, the place, and the reason. An entry that matches no finding is reported itself.
const openapi = [
  ['redocly operation-2xx-response', /^#\/paths\/~1api~1public~1auth~1oidc/, 'the sign-in by OpenID Connect only redirects'],
  ['redocly no-unused-components', /^#\/components\/schemas\/(ContentEvent|InteractEvent)$/,
    'x-event-data refers to them, which Redocly does not follow; OpenAPI 3.1 has no schema for the events of a stream'],
];

const schema = [
  ['@graphql-eslint/relay-edge-types', /^JobEventEdge$/, "a step of a job's stream has a position in it and no id"],
  ['@graphql-eslint/relay-edge-types', /^(CommsFilterExample|FilterTagValue)Edge$/, 'a part of a filter or an auto-tag, which is not found by an id'],
  ['@graphql-eslint/relay-edge-types', /^ViewerWorkspaceEdge$/, 'only the workspace that is acted in can be found by its id'],
  ['@graphql-eslint/naming-convention', /^Mutation$/, 'startBulkMutation starts bulk mutations: the suffix is its object'],
  ['@graphql-eslint/relay-edge-types', /^DeletedDocumentEdge$/, 'a deleted document is a node again when it is restored, by the same id'],
];

// report prints the findings that are not accepted, and the entries without a finding.
function report(findings, accepted) {
  const matches = ([rule, place], f) => rule === f.rule && place.test(f.at);
  for (const f of findings.filter((f) => !accepted.some((entry) => matches(entry, f)))) {
    console.log(`${f.rule} at ${f.at}: ${f.message}`);
  }
  for (const entry of accepted.filter((entry) => !findings.some((f) => matches(entry, f)))) {
    console.log(`accepted.mjs accepts what is not found any more: ${entry[0]} at ${entry[1]}`);
  }
}

export { openapi, report, schema };
