// Package fact extracts and compares the facts of texts: numbers, dates, names, addresses,
// quotations and code.
package fact
