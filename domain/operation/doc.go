// Package operation keeps the operations that front ends register, so that a gateway which runs only
// stored operations runs theirs too, and a release that would break one does not start.
//
// Idea: a build of a front end pushes its manifest under the name of the app and a version. All of
// its operations are validated; if one is invalid, none is stored. A version never changes, so its
// contents are kept in memory until the list of versions changes.
//
// Tenants: the rows belong to a workspace, although the mode is a setting of the installation. An
// admin of one workspace must not decide what runs for another. So an operation is found for callers
// of its own workspace only, runs with the caller's key and scopes, and callers without a key have
// only the operations of the program.
//
// Manifests, as their tools write them:
//
//   - Apollo (generate-persisted-query-manifest):
//     {"format": "apollo-persisted-query-manifest", "version": 1,
//     "operations": [{"id": "…", "name": "Home", "type": "query", "body": "query Home {…}"}]};
//     an id is the SHA-256 of the body unless the app chooses its own.
//   - Relay (persistConfig.file): {"MD5 of the text": "query Home {…}"}; SHA-1 and SHA-256 by setting.
//   - GraphQL Code Generator's client preset (persisted-documents.json): {"SHA-1 of the text": "query
//     Home {…}"}; SHA-256 by setting.
//   - urql with gql.tada (generate-persisted): {"sha256:…": "query Home {…}"}. urql with the client
//     preset has that one's.
//
// Replicas: a change is published to the other processes, which also read the list of versions every
// 5 seconds.
//
// Counts: requests are counted in memory by operation, and added to the rows every 5 seconds. A
// client that names its app and version in headers is counted for these, another one for the newest
// version that has the operation. A killed process loses its last counts.
//
// Contract: each version keeps the schema that it was written for. Before a process migrates the
// database, it compares its own schema with those (see compat).
//
// Limits: MaxVersions, MaxOperations and MaxBytes.
package operation
