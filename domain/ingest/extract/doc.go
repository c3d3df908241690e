// Package extract extracts a document's text from the bytes of a source, or the reason for its
// absence.
//
// Idea: files of others are read in child processes: the program itself with the only argument
// extract (ServeIfChild, the first call of main). All extractors of a process share a pool with at
// most one child for each processor. A child starts with the first file, reads one file after
// another over its standard input and output, ends after a minute without work, and has none of the
// parent's settings.
//
// The text of a page is a vote of extractors on its blocks (vote.go). They run in the order of
// their time, and the next one only while the result is in doubt (candidate.go): readability alone
// if its choice has all text outside the frame and nothing else, then trafilatura, and its two
// other runs only if both differ.
//
// Text keeps what its form means. Raised digits are exponents or notes (llm/text/script), struck-out
// and hidden text is left out, notes stand behind the text, and lists have their labels. A DOCX is
// read by the relationships and styles of ECMA-376 (docx.go), and of a PDF's page edges only what
// repeats or counts the pages is left out (pdffurniture.go).
//
// Limits: a file may use 1 GiB of memory (RLIMIT_DATA) and 30 s of processor time (RLIMIT_CPU); the
// parent kills the child after two minutes and when the request or job is cancelled. A file that
// exceeds a limit fails with too_large, and the next one gets a new child. Text recognition and
// transcription run outside the child; a scanned PDF is drawn by it page by page. An image is
// recognized if all its pages have at most 100 million pixels. Pages that are too long for the
// libraries, which take quadratic time, are read without them (tooLong).
//
// Fallback: a library that panics fails the file with unsupported_content. A program that does not
// call ServeIfChild reads files in its own process; tests call it in TestMain.
//
// Proof: test/kit/hostile builds files that show that time and memory grow linearly. A change is
// scored with go run ./test/bench/quality/score -split tune.
package extract
