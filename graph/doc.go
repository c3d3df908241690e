// Package graph holds the GraphQL schema and its resolvers, which call the domain services, and
// builds the server of the schema.
//
// Idea: an area is NAME.graphqls with NAME.go, its resolvers of one to three lines. A field that
// leads from a row's id to its object is an edge: a batch resolver that calls loadEdges or
// loadEdgeLists (edge.go). All rows of a level take one statement, restricted to the workspace,
// with only the selected columns; if only the id is selected, none runs. An object that was
// deleted, or belongs to another workspace, is null. The way back is a connection within a row,
// such as Document.reactions(first: 5): loadPages reads the pages of all rows of a level together.
//
// The columns that a selection needs are derived once per operation (selection.go). node and nodes
// find rows by the prefix of their ids (node.go), with one statement for each type. query.go of the
// executor starts queries without the preparations that only @defer and unused functions of gqlgen
// need.
//
// Two schemas: stored operations run on the full one, clients on the one without the elements
// marked @inaccessible (api_schema.go). Introspection, validation and rostrum schema do not show
// those. TestInaccessible lists each with its reason. On an argument, field or type, @inaccessible
// means that only REST can select it. On an enum value it means that REST reads any text, and one
// that is no other value is this value, which the use case rejects.
//
// Nullability: root fields, and fields that run a statement of their own, are nullable, so that a
// failing part leaves the rest of a response. A member of a row that always has a value is
// non-null. A nullable field whose null always comes with an error is marked @semanticNonNull.
// TestNullability holds the rule.
//
// Jobs: Job.resultText and Job.parametersText are the stored texts, which REST sends byte for byte.
// The graph decodes the same texts into the unions JobResult and JobParameters; an unknown shape is
// an UnknownJobResult, never an error.
//
// Limits: a field with @scope needs that scope wherever it is selected. @weight, rows and
// complexity are measured by package policy.
//
// Proof: test/integration/graph_walk_test.go plants ids of another workspace in every column of ids
// and follows every edge. screen_test.go counts the statements of ten screens, which do not grow
// with rows. test/e2e compiles the screens with five clients.
//
// To add a mutation: a verb and a noun, one argument input, a result <Name>Payload @semanticNonNull
// with the changed nodes; TestMutations has the verbs. To add an estimate: a field of EstimateInput
// and its line in estimator.go. To remove or rename a field: @deprecated with a date first, then
// its message in test/e2e/breaking.json.
package graph
