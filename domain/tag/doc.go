// Package tag finds values of auto-tags in documents and hides documents from the list of
// communications by comms filters.
//
// Idea: an auto-tag gives a document one value. A value, whichever engine found it, is stored only
// if its type can have it and the text proves it (value.go). A value with little confidence waits
// for review, and a correction becomes an example. The list of communications reads
// document.hidden: changes of filters, values and decisions recompute document_hidden under the
// workspace's lock and write only the differences. A dry run is the same transaction, rolled back.
//
// A comms filter is a node with an id derived from its auto-tag's, and has no table for it.
//
// To add a type of values: its kind and Read in llm/text/value, its proof in value.go, its method
// in llm/offline/tag.go, and labels in test/bench/quality/tag.
package tag
