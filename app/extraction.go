package app

import "rostrum/domain/ingest/extract"

// ServeExtraction makes the program a child process that reads files, if its only argument is
// "extract". The child exits at the end of the files. Otherwise it allows the program to start such
// children. It comes first in main, so that a child starts fast, without settings and connections.
func ServeExtraction() { extract.ServeIfChild() }
