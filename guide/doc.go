// Package guide is the guide at /guide/: VitePress builds it from docs/ and a few files of the root
// into dist. A build with the tag "release" contains these files.
//
// Idea: a page is a Markdown file that also reads well in the repository. .vitepress/pages.ts lists
// the files in their order, and links between them are relative paths of files, which
// .vitepress/config.ts turns into addresses of the guide.
//
// Limits: no script of another server, no request but for the guide's own files; the search runs in
// the browser. The gateway allows the inline scripts of the pages by their hashes.
//
// Proof: a dead link and a page in no group fail the build. TestDocs of test/e2e runs every code
// block of the pages, and guide.spec.ts of console/test reads the guide in a browser.
package guide
