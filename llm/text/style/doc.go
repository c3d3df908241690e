// Package style finds markers of machine style in a text and rewrites the text without them.
//
// To add a marker: a line of marker.txt.
package style
