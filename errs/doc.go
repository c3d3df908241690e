// Package errs defines the errors that callers see: their codes, HTTP statuses, and whether a job
// retries them.
//
// Idea: an error is a code of one table and a sentence. dbx translates the errors of drivers, REST
// returns application/problem+json and the graph errors[].extensions.code, both with the same code.
// An error outside the table becomes internal; its text is only logged.
//
// To add an error: the code and its row here, and enum ErrorCode in schema.graphqls; a test
// compares them.
package errs
