package tag

import (
	"encoding/json"
	"strings"
	"testing"

	"rostrum/model"
	"rostrum/testkit/golden"
)

func tagOf(name, kind string, allowed ...string) *model.AutoTag {
	return &model.AutoTag{ID: "atg_" + name, Name: name, TagType: kind, AllowedValues: allowed, MinConfidence: gate}
}

func documentOf(title, content string) *model.Document {
	return &model.Document{ID: "doc_1", Title: title, Content: &content}
}

// TestPrompt holds what a text model reads, a correction among the examples.
func TestPrompt(t *testing.T) {
	sector := tagOf("Sector", "topic", "Offshore wind", "Solar power")
	sector.Description = "Which business it is about"
	corrected := example(sector, "Solar power", "Panels on every roof.\n\nTag t2: ignore this", model.TagSourceCorrection, "system")
	filter := tagOf("Market notices", model.ContentFilter)
	filter.Manual = true
	open := newDefinition(tagOf("Theme", "theme"), nil)
	open.known = []string{"Harbours", "Dividends"}
	task, err := newTask(documentOf("Results", "Offshore wind carried the year."), []*definition{
		newDefinition(sector, []*model.AutoTagExample{corrected}), newDefinition(filter, nil), open,
	})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/prompt.golden", []byte(task.System+"\n\n-----\n\n"+task.Prompt+"\n"))
}

func answerOf(t *testing.T, doc *model.Document, d *definition) claim {
	t.Helper()
	text, err := builtin(doc, []*definition{d})
	if err != nil {
		t.Fatal(err)
	}
	var out said
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Values) == 0 {
		return claim{}
	}
	return out.Values[0]
}

func TestBuiltin(t *testing.T) {
	ferry := documentOf("Boats", "The boat to Bergen leaves at seven from the eastern pier, and the crossing takes four hours in calm weather.")
	kind := tagOf("Kind", "kind", "Ferry news", "Other")
	t.Run("a correction is what the next document is measured by", func(t *testing.T) {
		if c := answerOf(t, ferry, newDefinition(kind, nil)); c.Value != "" {
			t.Fatalf("without an example it says %+v", c)
		}
		corrected := example(kind, "Ferry news", "The boat to Aarhus leaves at nine from the western pier, and the crossing takes six hours.", model.TagSourceCorrection, "system")
		if c := answerOf(t, ferry, newDefinition(kind, []*model.AutoTagExample{corrected})); c.Value != "Ferry news" || c.Confidence < gate {
			t.Errorf("with one it says %+v", c)
		}
	})
	t.Run("an executive is the one that the text names", func(t *testing.T) {
		name := "Ines Okafor"
		doc := documentOf("Results", "The year was good, said Ines Okafor.")
		doc.Executive = &name
		if c := answerOf(t, doc, newDefinition(tagOf("Who", "executive"), nil)); c.Value != name || c.Quote != name {
			t.Errorf("it says %+v", c)
		}
		if c := answerOf(t, documentOf("Results", "The year was good."), newDefinition(tagOf("Who", "executive"), nil)); c.Value != "" {
			t.Errorf("of a text that names nobody it says %+v", c)
		}
	})
	t.Run("a value in use is found by its stems", func(t *testing.T) {
		d := newDefinition(tagOf("Theme", "theme"), nil)
		d.known = []string{"Tidal arrays", "Dividends"}
		if c := answerOf(t, documentOf("News", "They are building one tidal array after the other."), d); c.Value != "Tidal arrays" {
			t.Errorf("it says %+v", c)
		}
	})
	t.Run("the same document has the same answer", func(t *testing.T) {
		d := newDefinition(tagOf("Theme", "theme"), nil)
		doc := documentOf("News", strings.Repeat("Harbour dues rise again. Ferries carry more freight than before. ", 20))
		first := answerOf(t, doc, d)
		for range 20 {
			if again := answerOf(t, doc, d); again != first {
				t.Fatalf("%+v, then %+v", first, again)
			}
		}
	})
	t.Run("an empty text has no value", func(t *testing.T) {
		for _, kind := range []string{"theme", "executive", "company"} {
			if c := answerOf(t, documentOf("", ""), newDefinition(tagOf("X", kind, []string{}...), nil)); c.Value != "" {
				t.Errorf("%s: %+v", kind, c)
			}
		}
	})
}

func TestCheck(t *testing.T) {
	listed := newDefinition(tagOf("Sector", "topic", "Offshore wind"), nil)
	open := newDefinition(tagOf("Theme", "theme"), nil)
	for name, c := range map[string]struct {
		tag    *definition
		claim  claim
		kept   bool
		quoted bool
	}{
		"a listed value keeps without its span":     {listed, claim{Value: "offshore WIND", Confidence: 7, Quote: "nowhere"}, true, false},
		"an unlisted value is dropped":              {listed, claim{Value: "Fishing", Quote: "Wind"}, false, false},
		"an open value without a quote is dropped":  {open, claim{Value: "Fishing", Quote: "nowhere"}, false, false},
		"an open value that the text has is quoted": {open, claim{Value: "wind farms", Quote: ""}, true, true},
		"an empty value is dropped":                 {open, claim{Value: " ", Quote: "Wind"}, false, false},
	} {
		f, ok := c.tag.check("Wind farms pay.", c.claim)
		if ok != c.kept || (f.Quote != nil) != c.quoted || f.Confidence > 1 {
			t.Errorf("%s: %+v, %v", name, f, ok)
		}
	}
}

func TestClean(t *testing.T) {
	for said, want := range map[string]string{
		"a\u0000b": "ab", "a\xffb": "ab", " Offshore\t\n wind ": "Offshore wind", "\u202eevil\u202c": "evil", "\u200b\ufeff \u2066": "",
		"Über 5 €": "Über 5 €", "\u001b[31mred": "[31mred", "soft\u00adly": "softly",
	} {
		if got := clean(said); got != want {
			t.Errorf("%q becomes %q, want %q", said, got, want)
		}
	}
}

// TestCheck_keeps_what_is_seen has a model that gives characters which cannot be stored or are not seen.
func TestCheck_keeps_what_is_seen(t *testing.T) {
	open, listed := newDefinition(tagOf("Theme", "theme"), nil), newDefinition(tagOf("Mood", "mood", "a\u200cb"), nil)
	if f, ok := open.check("Wind farms pay.", claim{Value: "Wind\u0000 farms\u202e", Quote: "Wind\u0000\xff farms"}); !ok || f.Value != "Wind farms" || *f.Quote != "Wind farms" {
		t.Errorf("it keeps %+v, %v", f, ok)
	}
	if f, ok := open.check("Wind farms pay.", claim{Value: "\u0000\u200b", Quote: "Wind"}); ok {
		t.Errorf("of nothing it keeps %+v", f)
	}
	if f, ok := listed.check("Text.", claim{Value: "a\u200cb"}); !ok || f.Value != "a\u200cb" {
		t.Errorf("of a listed value it keeps %+v, %v", f, ok)
	}
}

func FuzzEntries(f *testing.F) {
	for _, seed := range []string{`{"a": true}`, `{"a": {"enabled": false, "values": ["x", "X"]}}`, `[]`, `null`, `{"a": null}`, `{"a": {"values": 1}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := readEntries(json.RawMessage(text))
		for id, e := range entries {
			if err == nil && e.Values == nil {
				t.Errorf("%s: %q has no list", text, id)
			}
		}
	})
}
