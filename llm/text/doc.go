// Package text implements the deterministic text methods of the offline engine. All of them accept
// any script and empty texts.
package text
