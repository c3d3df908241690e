// Command speaker scores the speakers that the rules find in labeled texts: precision, recall, and
// the statements put under a wrong person.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
)

// labeledText is a text with statements and their speakers.
type labeledText struct {
	ID         string             `json:"id"`
	Lang       string             `json:"lang"`
	Kind       string             `json:"kind"`
	Author     *string            `json:"author"`
	Text       string             `json:"text"`
	Statements []labeledStatement `json:"statements"`
}

// labeledStatement is a passage with its speaker; null if the text does not name the speaker.
type labeledStatement struct {
	Quote   string  `json:"quote"`
	Speaker *string `json:"speaker"`
}

// score counts the statements of texts. Its strict tier has those that may be attributed to an
// executive.
type score struct {
	statements, named, unlocated int
	all, strict                  tier
}

// tier counts the claims of a strength.
type tier struct{ claimed, right, wrong int }

// add counts a claim; an empty name claims nothing.
func (t *tier) add(found, want string) {
	switch {
	case found == "":
		return
	case want != "" && (found == want || speaker.SameName(found, want)):
		t.right++
	default:
		t.wrong++
	}
	t.claimed++
}

func main() {
	files := flag.String("files", "test/bench/quality/speaker/*/*.json", "the labeled texts, as JSON lines")
	verbose := flag.Bool("v", false, "print the statements that differ from their label")
	flag.Parse()
	if err := run(os.Stdout, *files, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "speaker:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, files string, verbose bool) error {
	all, err := readTexts(files)
	if err != nil {
		return err
	}
	var total score
	byKind := map[string]*score{}
	var order []string
	for _, labeled := range all {
		for _, key := range []string{"language " + labeled.Lang, "kind " + labeled.Kind} {
			if byKind[key] == nil {
				byKind[key] = &score{}
				order = append(order, key)
			}
			byKind[key].add(io.Discard, labeled)
		}
		details := io.Discard
		if verbose {
			details = out
		}
		total.add(details, labeled)
	}
	fmt.Fprintf(out, "%d texts\n", len(all))
	total.print(out, "all")
	for _, key := range order {
		byKind[key].print(out, key)
	}
	return nil
}

// readTexts reads the labeled texts of the files, one JSON value after another.
func readTexts(files string) ([]labeledText, error) {
	paths, err := filepath.Glob(files)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("-files is %q, but no file has such a name", files)
	}
	var all []labeledText
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		for decoder := json.NewDecoder(bufio.NewReader(file)); decoder.More(); {
			var one labeledText
			if err := decoder.Decode(&one); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// add counts the statements of a text and prints those that differ from their label.
func (s *score) add(out io.Writer, of labeledText) {
	source := speaker.Source{Text: of.Text}
	if of.Author != nil {
		source.Author = *of.Author
	}
	reading := speaker.Read(source)
	for _, statement := range of.Statements {
		want := ""
		if statement.Speaker != nil {
			want = *statement.Speaker
			s.named++
		}
		s.statements++
		span, ok := text.Locate(of.Text, statement.Quote)
		if !ok {
			s.unlocated++
			continue
		}
		found, _ := reading.Find(span.Start, span.End)
		before := s.all.right
		s.all.add(found.Speaker, want)
		if found.Certainty() == speaker.Proved {
			s.strict.add(found.Speaker, want)
		}
		if s.all.right == before && (found.Speaker != "" || want != "") {
			fmt.Fprintf(out, "%s: %q is said by %q, found %q (%s%s)\n", of.ID, statement.Quote, want, found.Speaker,
				found.Proof, strength(found))
		}
	}
}

func strength(of speaker.Statement) string {
	if of.Strong {
		return ", strong"
	}
	return ""
}

func (s *score) print(out io.Writer, title string) {
	fmt.Fprintf(out, "%-24s %4d statements  precision %.3f  recall %.3f  wrong person %d  |  strict: precision %.3f  recall %.3f  wrong person %d  not located %d\n",
		title, s.statements, share(s.all.right, s.all.claimed), share(s.all.right, s.named), s.all.wrong,
		share(s.strict.right, s.strict.claimed), share(s.strict.right, s.named), s.strict.wrong, s.unlocated)
}

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}
