// Package model defines the database rows and enums, which are also types of the graph. The schema
// decides which fields are public.
//
// To add an enum: the type and its values here, enum in the schema, and make gen, which writes the
// marshalers (model/enumgen).
package model
