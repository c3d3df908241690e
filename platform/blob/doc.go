// Package blob stores files that are too large for the database: the originals of documents
// and the files of links.
//
// Idea: a blob has a key and bytes that never change. It is written before the transaction that
// stores its key, so a committed row always has its blob. A blob without a row is left by a process
// that died between both, or by a deletion that failed; Sweep deletes it a day later.
//
// Limits: a key has letters, digits and the characters "_-./". The package knows no sizes: callers
// limit what they store, and count it (domain/account).
//
// Fallback: without an address, a folder of this machine. Several gateways of a database then need
// the folder on a disk that all see, or an address such as s3://bucket?region=eu-central-1. Package
// gocloud.dev/blob reads and writes both.
package blob
