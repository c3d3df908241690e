// Package console is the web console: TypeScript that Vite builds into dist. A build with the tag
// "release" contains these files.
//
// Idea: a screen is one operation of the public graph, in src/screens/NAME.graphql, which spreads
// the fragment Frame for the navigation. make console writes the schema that clients see,
// graphql-codegen types the operations from it, and Vite builds dist; none of the three is
// committed. A screen offers its own request to copy.
//
// The cache is normalised: a job or a document is stored once by its id. One socket per page runs
// workspaceEvents from the position eventCursor of the screen's response, and workspaceJobs for
// progress. When the socket drops, it subscribes again after the last event. After an event that
// may change a response that is shown, its request is sent once more: followEvents does it for
// every query, so a screen cannot forget it, and counts are those of the gateway. The list of
// documents holds new rows back until they are asked for (useHeldRows).
//
// Unsaved text: editors send what is written once it rests, one request at a time. A field keeps
// the stored value that it began with. A stored value that arrives later is shown if nothing was
// typed, and is a conflict at saving otherwise, which the person decides. When a response refuses
// the credentials, the page stays mounted and hidden under the sign-in, and is shown again to the
// same user in the same workspace only. The sign-in by an identity provider leaves the page: a
// draft's changes wait in the tab's storage.
//
// Filters, order and page of a list are parameters of the address. What a response cannot have as a
// whole is said to be a part, for example the matrix of an audience. A pasted key is in memory
// only. A viewer's scopes are stored in the browser, because the gateway refuses a whole operation
// if one of its fields needs another scope.
//
// Messages are in src/messages, one file for each language, with the direction of its script.
// Errors of the gateway are translated by their codes. An action whose scope the viewer lacks is a
// GuardedButton, disabled with the reason; one that cannot be undone is a ConfirmedButton, which
// asks. A screen that fails shows a sentence instead (ScreenBoundary). Code that is not part of the
// first screen is a loadLater. After a change of screens its heading has the focus. Plots are SVG
// whose marks are links, with the same figures as text.
//
// Limits: scripts of this server only. A hosted page's preview is the gateway's HTML in a frame
// without scripts.
//
// Proof: TestConsoleOperations of graph validates the operations without npm. test/e2e starts
// gateways and runs the tests of console/test on Playwright Test. Each has a new window, and fails
// if it logs an error or sends a request to another host (test/fixtures.ts).
package console
