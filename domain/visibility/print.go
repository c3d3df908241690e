package visibility

import (
	"context"
	"hash/maphash"
	"strings"
	"time"
	"unicode"

	"rostrum/llm/text"
	"rostrum/platform/live"
)

// The lengths, in letters and digits, from which a title or a sentence identifies a text.
const (
	minTitle    = 16
	minSentence = 30
)

// Print identifies a title or a sentence by hashes, which take less memory than the text.
type Print struct {
	window uint64 // of the first minTitle letters
	full   uint64 // of all letters
	length int    // in letters
}

var seed = maphash.MakeSeed()

// PrintsOf returns the prints of the title and of each sentence, unless they are too short.
func PrintsOf(title, content string) (prints []Print) {
	add := func(said string, least int) {
		letters := []rune(lettersOf(said))
		if len(letters) < least {
			return
		}
		var window uint64
		for _, letter := range letters[:minTitle] {
			window = window*base + uint64(letter)
		}
		prints = append(prints, Print{window, maphash.String(seed, string(letters)), len(letters)})
	}
	add(title, minTitle)
	for _, sentence := range text.Sentences(content) {
		add(sentence.Text, minSentence)
	}
	return prints
}

// base is the base of the rolling hash of minTitle letters, and outgoing its power minTitle.
const base = 1_000_003

var outgoing = func() uint64 {
	power := uint64(1)
	for range minTitle {
		power *= base
	}
	return power
}()

// printIndex has the prints of several texts by their windows.
type printIndex map[uint64][]indexedPrint

type indexedPrint struct {
	Print
	text int
}

func indexPrints(texts []Embargoed) printIndex {
	index := printIndex{}
	for i, t := range texts {
		for _, p := range t.Prints {
			index[p.window] = append(index[p.window], indexedPrint{p, i})
		}
	}
	return index
}

// find returns the texts that the shared text has a title or a sentence of, also within a longer
// sentence.
func (x printIndex) find(shared string) map[int]bool {
	found := map[int]bool{}
	letters := []rune(lettersOf(shared))
	var window uint64
	for i, letter := range letters {
		window = window*base + uint64(letter)
		if i >= minTitle {
			window -= uint64(letters[i-minTitle]) * outgoing
		}
		start := i + 1 - minTitle
		if start < 0 {
			continue
		}
		for _, p := range x[window] {
			end := start + p.length
			if !found[p.text] && end <= len(letters) && maphash.String(seed, string(letters[start:end])) == p.full {
				found[p.text] = true
			}
		}
	}
	return found
}

// lettersOf returns a text's letters and digits in lower case, so that markup and line breaks do
// not matter.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

const (
	// keptTexts is the number of texts whose prints a process keeps, keptPrints the most that one
	// of them may have, and keptTime how long they are kept.
	keptTexts  = 2_000
	keptPrints = 5_000
	keptTime   = 24 * time.Hour
	// readTogether is the number of characters of the texts that are read at once.
	readTogether = 4_000_000
)

// Prints keeps the prints of texts under embargo, so that each is read once. It has no limit of
// texts: those that it does not keep are read again.
type Prints struct {
	kept *live.LocalCache[string, []Print]
}

// NewPrints returns an empty Prints.
func NewPrints() *Prints {
	return &Prints{live.NewLocalCache[string, []Print](keptTexts, keptTime)}
}

// StoredText is a text under embargo in the database. Key changes with the text; Size is its number
// of characters.
type StoredText struct {
	ID, Key string
	Size    int
}

// Of returns the prints of each text. read returns the prints of the texts with the ids; one that
// was deleted meanwhile has none.
func (p *Prints) Of(ctx context.Context, texts []StoredText,
	read func(ctx context.Context, ids []string) (map[string][]Print, error)) (map[string][]Print, error) {
	out := make(map[string][]Print, len(texts))
	keys := map[string]string{}
	var ids []string
	size := 0
	readNext := func() error {
		found, err := read(ctx, ids)
		for id, prints := range found {
			if out[id] = prints; len(prints) <= keptPrints {
				p.kept.Add(keys[id], prints)
			}
		}
		ids, size = nil, 0
		return err
	}
	for _, t := range texts {
		if prints, ok := p.kept.Get(t.Key); ok {
			out[t.ID] = prints
			continue
		}
		keys[t.ID], ids, size = t.Key, append(ids, t.ID), size+t.Size
		if size >= readTogether {
			if err := readNext(); err != nil {
				return nil, err
			}
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	return out, readNext()
}
