// Package playground is the playground at /playground: GraphiQL, which Vite builds with its editor and
// that editor's workers into dist. A build with the tag "release" contains these files.
//
// Idea: examples/AREA.graphql has named operations with their variables, which a panel lists and the
// tests run on the demo. A second panel shows the operation of the tab as curl, as TypeScript and as a
// link. The fetcher shows the events of a subscription as a list. Tabs and history are in the
// browser's storage; the key is in that of the tab only, and in no link.
//
// Limits: scripts and workers of this server only.
//
// Proof: TestDocs of test/e2e runs the examples, and playground.spec.ts of console/test runs the
// page in a browser.
package playground
