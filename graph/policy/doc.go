// Package policy authorizes, limits and times out every operation of the graph, on every transport,
// before a resolver runs. It also resolves stored operations, repeats responses by Idempotency-Key
// and decides which errors a client sees.
//
// Idea: a text that is not in the document cache is measured before it is validated (checkText):
// depth, fields of one object, repeated and conflicting fields. The validator's time and memory
// grow with their square. Complexity, rows and introspection are measured on the validated
// operation (Analysis). An operation that passes is authorized, its variables are coerced, and its
// inputs checked; only then a resolver runs.
//
// Execution is the state of a run: each field stops once the client has left, the time is up or the
// response has too many bytes. A response lists the first 20 errors and the number of the others.
//
// Variables are coerced twice, by gqlgen and strictly by checkVariables, which names every invalid
// variable with its value. REST's adapter reads its variables from texts and is exempt. Filters of
// the graph reject empty texts (@filled); REST reads an empty parameter as it is.
//
// Deprecated fields, arguments and input fields are found in the operation, and in the values of
// its variables, and counted for each key (usage.go).
//
// Limits: the document cache is bounded by the bytes of its texts. An analysis and the compiled
// plans attached to it are dropped with their text. The limits are in SECURITY.md.
//
// Proof: TestSecurity of app compares SECURITY.md with the constants. make abuse sends operations
// at and over each limit.
package policy
