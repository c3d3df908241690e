// Package compile writes selections to JSON straight from rows.
//
// Idea: gqlgen resolves and marshals each field of each row through a closure, a field context and
// a buffer. If the value of a field is already an object or a list of rows, none of that is needed:
// its JSON follows from the selection and the Go types alone. So the first run of an operation
// compiles the selection below such a field into a plan, a tree of functions that append to one
// buffer, and later runs execute the plan. Plans are cached per operation, by the field's position
// and the values of its @skip and @include conditions. Batch resolvers, with their arguments, are
// called once for all rows of a level, whichever lists they are in, before the first byte is
// written. Those of one level run at the same time, and the server receives their statements in one
// round trip (dbx.Together). Events of a subscription are written once for all subscribers with the
// same selection; with edges, for those with the same scopes and variables.
//
// Introspection is compiled as well, and the answer of __schema is kept.
//
// Limits: a plan stops when the operation must stop, by its time, its client or the bytes of the
// response; gqlgen then reports the error.
//
// Fallback: a plan covers plain struct fields, methods without arguments, batch resolvers, scalars,
// enums, lists, nested objects, interfaces and unions. If a selection holds anything else (@defer,
// single-row resolvers), it is not compiled. If a value cannot be written at run time (an error, a
// panic, a null in a non-null place), the output is discarded. In both cases the extension returns
// the unwritten value and gqlgen marshals it, so that errors, paths and null propagation are always
// gqlgen's.
//
// Proof: FuzzCompiled runs random queries over the whole schema with random values, both with and
// without this extension, and compares data and errors byte by byte. The values include nulls,
// invalid enums, NaN, control characters, errors and panics. It fails for a batch resolver that the
// test does not implement, so that new fields are covered.
package compile
