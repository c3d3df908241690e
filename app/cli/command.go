package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Commands are the commands of users. Their Run methods take a context and Streams.
type Commands struct {
	Login  loginCommand  `cmd:"" help:"Sign in: check a key at a gateway, and keep both for the next commands."`
	Logout logoutCommand `cmd:"" help:"Remove the kept address and key."`
	Ingest ingestCommand `cmd:"" help:"Create documents from files and addresses."`
	Search searchCommand `cmd:"" help:"Find documents: id, date, title, company, and an excerpt."`
	Ask    askCommand    `cmd:"" help:"Ask a persona, and print its reply and the documents that it could draw on."`
	React  reactCommand  `cmd:"" help:"Have personas react to a document, wait, and print the reactions."`
	Draft  draftCommand  `cmd:"" help:"List, show and save drafts."`
	Export exportCommand `cmd:"" help:"Write a draft to a file."`
	Links  linksCommand  `cmd:"" help:"List and create short links."`
	Watch  watchCommand  `cmd:"" help:"Follow a job until it ends."`
	Tail   tailCommand   `cmd:"" help:"Print the workspace's events as they happen."`
}

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// ExitCodes explains the exit codes.
const ExitCodes = "Exit codes: 0 done, 1 refused or failed, 2 wrong use, 3 gateway not reached, 4 not signed in, 130 ended by Ctrl+C."

// printText prints a text without the characters that control a terminal, as documents and their
// titles are untrusted.
func printText(to io.Writer, format string, values ...any) error {
	_, err := io.WriteString(to, cleanText(fmt.Sprintf(format, values...)))
	return err
}

func cleanText(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && controlsTerminal(r) {
			return -1
		}
		return r
	}, text)
}

func controlsTerminal(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// oneLine returns a text with single spaces between its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// printAnswer prints the API's answer as it came, in a line. JSON may have the characters that control
// a terminal in its strings, where they are escaped: the values stay the same.
func printAnswer(to io.Writer, answer []byte) error {
	var line strings.Builder
	for _, r := range strings.TrimSuffix(string(answer), "\n") {
		if controlsTerminal(r) {
			fmt.Fprintf(&line, `\u%04x`, r)
		} else {
			line.WriteRune(r)
		}
	}
	_, err := fmt.Fprintln(to, line.String())
	return err
}

// CleanLine returns a text that somebody else has chosen as one line without the characters that
// move a terminal's cursor or change its state.
func CleanLine(text string) string { return oneLine(cleanText(text)) }
