// Package proof checks the statements of a text model against the passages that they cite.
package proof
