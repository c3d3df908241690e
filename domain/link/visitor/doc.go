// Package visitor classifies requests for links: a person or a program, the location, and the
// browser. It uses the request only.
//
// The rules are in agents.ini, and in crawlers.tsv, the patterns of the npm package
// crawler-user-agents; make crawlers updates them.
package visitor
