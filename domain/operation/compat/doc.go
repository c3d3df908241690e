// Package compat finds what a new schema breaks for an operation that was written for an older one.
//
// Idea: an operation stays whole if the new schema accepts its text and all variables that the old
// one accepted, and if it sends no response that the old one could not send. So the selections are
// walked in both schemas at once, for each concrete type that an object may have.
//
// It tolerates what clients must: values that an enum in a response gains, and types that an
// interface or union gains. A changed default or a narrower @range breaks nothing here, because it
// changes no type.
//
// Proof: TestCheck_random compares it with responses and variables that are generated from random
// schemas.
package compat
