// Package console is the web console: TypeScript that Vite builds into dist. A build with the tag
// "release" contains these files.
package console
