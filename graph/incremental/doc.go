// Package incremental delivers fragments with @defer after the rest of a response.
//
// Idea: an operation is split into parts, one without its deferred fragments and one per fragment.
// A part has its fragment and the fields on the path to it, and gqlgen runs it like any operation.
// The values of fields that several parts select are kept, so a part continues on the rows that the
// first one read: no resolver of a path runs twice, and all deliveries are of one state. A resolver
// sees the selections of all parts, because its rows must have the columns of the later ones.
//
// Each deferred fragment has a marker, a __typename with an alias that no client can write. The
// objects of a part's response that have the marker are those that the fragment applies to.
//
// A null in a non-null place ends at the nearest nullable field, as without @defer. Every object of
// the fragment below that field fails with the error then; what was delivered before stays.
//
// Limits: parts run one after the other, in the order of the text. An operation may defer
// maxDeferred fragments. Without a client that reads deliveries the operation runs as a whole.
//
// Proof: FuzzDefer of package graph puts @defer into random queries over the whole schema. In both
// formats the merged deliveries equal the response without @defer.
package incremental
