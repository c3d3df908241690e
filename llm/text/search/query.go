package search

import (
	"slices"
	"strings"
	"time"

	"rostrum/llm/text"
)

// Field is what a term is about.
type Field string

// The fields of terms. FieldText is a term without a field: words of title or text.
const (
	FieldText      Field = ""
	FieldTitle     Field = "title"
	FieldCompany   Field = "company"
	FieldExecutive Field = "executive"
	FieldSpeaker   Field = "speaker"
	FieldTag       Field = "tag"
	FieldType      Field = "type"
	FieldLanguage  Field = "lang"
	FieldIs        Field = "is"
	FieldAfter     Field = "after"
	FieldBefore    Field = "before"
)

// Query is a parsed query: each of its clauses must hold.
type Query []Clause

// Clause are alternatives, of which one must hold.
type Clause []Term

// Term is the smallest part of a query.
type Term struct {
	Field Field
	Not   bool
	Value string    // of a field other than title: a name, a label, a state
	Day   time.Time // of FieldAfter and FieldBefore

	Words   []QueryWord // of FieldText and FieldTitle: words that stand side by side
	IsExact bool        // the words are meant as they are written, because they were quoted
	Prefix  bool        // the last word is the start of one

	At, End int // where it stands in the query, in code points from 0
}

// IsText reports whether the term is about words of the text or its title.
func (t Term) IsText() bool { return t.Field == FieldText || t.Field == FieldTitle }

// QueryWord is a word of a query.
type QueryWord struct {
	Form   string // as the index has it
	raw    string
	at     int // its place in the query, in code points
	end    int
	IsGram bool // a pair of characters, which has no stem
}

// Variants returns the forms that a word has without its accents: zurich and zuerich for Zürich.
func (w QueryWord) Variants() []string {
	if other := fold(umlauts.Replace(w.raw)); other != "" && other != w.Form && !w.IsGram {
		return []string{w.Form, other}
	}
	return []string{w.Form}
}

// Key is a stem of a word in a language.
type Key struct{ Language, Stem string }

// Keys returns the word's stems in all languages, by which the list of words finds its other forms.
func (w QueryWord) Keys() []Key {
	if w.IsGram {
		return nil
	}
	var keys []Key
	for _, language := range append(text.StemmedLanguages(), "") {
		for _, form := range append(w.Variants(), digraphs(w.Form)) {
			keys = append(keys, Key{language, text.Stem(form, language)})
		}
		keys = append(keys, Key{language, fold(text.Stem(w.raw, language))})
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return strings.Compare(a.Language+" "+a.Stem, b.Language+" "+b.Stem)
	})
	return slices.Compact(keys)
}

// Words returns the words that the query asks for, without those that it excludes.
func (q Query) Words() []QueryWord {
	var words []QueryWord
	for _, clause := range q {
		for _, term := range clause {
			if !term.Not {
				words = append(words, term.Words...)
			}
		}
	}
	return words
}

// HasText reports whether the query asks for words, by which results can be ranked.
func (q Query) HasText() bool { return len(q.Words()) > 0 }

// withoutStops drops unquoted stop words of the query's language, such as "the", unless nothing
// else is asked for.
func (q Query) withoutStops(language string) Query {
	isStop := func(c Clause) bool {
		t := c[0]
		return len(c) == 1 && t.Field == FieldText && !t.Not && !t.IsExact && !t.Prefix && len(t.Words) == 1 &&
			text.IsStop(t.Words[0].raw, language)
	}
	kept := slices.DeleteFunc(slices.Clone(q), isStop)
	if !kept.HasText() {
		return q
	}
	return kept
}

// Forms returns the different words of a text as the index has them, in order.
func Forms(value string) []string {
	var forms []string
	seen := map[string]bool{}
	tokenize(value, func(t token) bool {
		if form := cutWord(t.form); !seen[form] {
			seen[form] = true
			forms = append(forms, form)
		}
		return true
	})
	return forms
}

// AllOf returns a query of the words of each text, which stand side by side.
func AllOf(texts ...string) Query {
	var q Query
	for _, one := range texts {
		t := Term{}
		if t.setWords(strings.TrimRight(one, "*"), 0, false); len(t.Words) > 0 {
			q = append(q, Clause{t})
		}
	}
	return q
}
