package app

import "rostrum/domain/ingest/extract"

// ServeExtraction makes the program a child process that reads files if its only argument is
// "extract", and exits at the end of the files. In other processes it allows the program to start
// such children. It precedes everything else in main, so that a child starts fast and has neither
// settings nor connections.
func ServeExtraction() { extract.ServeIfChild() }
