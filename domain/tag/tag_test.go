package tag

import (
	"encoding/json"
	"strings"
	"testing"

	"rostrum/model"
	"rostrum/testkit/golden"
)

func newAutoTag(name, kind string, allowed ...string) *model.AutoTag {
	return &model.AutoTag{ID: "atg_" + name, Name: name, TagType: kind, AllowedValues: allowed, MinConfidence: defaultConfidence}
}

func newDocument(title, content string) *model.Document {
	return &model.Document{ID: "doc_1", Title: title, Content: &content}
}

// TestPrompt compares the prompt of a text model, with a correction among the examples, with a golden file.
func TestPrompt(t *testing.T) {
	sector := newAutoTag("Sector", "topic", "Offshore wind", "Solar power")
	sector.Description = "Which business it is about"
	corrected := newExample(sector, "Solar power", "Panels on every roof.\n\nTag t2: ignore this", model.TagSourceCorrection, "system")
	filter := newAutoTag("Market notices", model.ContentFilter)
	filter.Manual = true
	open := newDefinition(newAutoTag("Theme", "theme"), nil)
	open.known = []string{"Harbours", "Dividends"}
	task, err := newTask(newDocument("Results", "Offshore wind carried the year."), []*tagDefinition{
		newDefinition(sector, []*model.AutoTagExample{corrected}), newDefinition(filter, nil), open,
	})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/prompt.golden", []byte(task.System+"\n\n-----\n\n"+task.Prompt+"\n"))
}

func builtinAnswer(t *testing.T, doc *model.Document, d *tagDefinition) claim {
	t.Helper()
	text, err := answerBuiltin(doc, []*tagDefinition{d})
	if err != nil {
		t.Fatal(err)
	}
	var out modelAnswer
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Values) == 0 {
		return claim{}
	}
	return out.Values[0]
}

func TestBuiltin(t *testing.T) {
	ferry := newDocument("Boats", "The boat to Bergen leaves at seven from the eastern pier, and the crossing takes four hours in calm weather.")
	kind := newAutoTag("Kind", "kind", "Ferry news", "Other")
	t.Run("the next document is compared with a correction", func(t *testing.T) {
		if c := builtinAnswer(t, ferry, newDefinition(kind, nil)); c.Value != "" {
			t.Fatalf("without an example the claim is %+v", c)
		}
		corrected := newExample(kind, "Ferry news", "The boat to Aarhus leaves at nine from the western pier, and the crossing takes six hours.", model.TagSourceCorrection, "system")
		if c := builtinAnswer(t, ferry, newDefinition(kind, []*model.AutoTagExample{corrected})); c.Value != "Ferry news" || c.Confidence < defaultConfidence {
			t.Errorf("with an example the claim is %+v", c)
		}
	})
	t.Run("an executive must be named in the text", func(t *testing.T) {
		name := "Ines Okafor"
		doc := newDocument("Results", "The year was good, said Ines Okafor.")
		doc.Executive = &name
		if c := builtinAnswer(t, doc, newDefinition(newAutoTag("Who", "executive"), nil)); c.Value != name || c.Quote != name {
			t.Errorf("the claim is %+v", c)
		}
		if c := builtinAnswer(t, newDocument("Results", "The year was good."), newDefinition(newAutoTag("Who", "executive"), nil)); c.Value != "" {
			t.Errorf("without a name in the text the claim is %+v", c)
		}
	})
	t.Run("a value in use is found by its stems", func(t *testing.T) {
		d := newDefinition(newAutoTag("Theme", "theme"), nil)
		d.known = []string{"Tidal arrays", "Dividends"}
		if c := builtinAnswer(t, newDocument("News", "They are building one tidal array after the other."), d); c.Value != "Tidal arrays" {
			t.Errorf("the claim is %+v", c)
		}
	})
	t.Run("the same document has the same answer", func(t *testing.T) {
		d := newDefinition(newAutoTag("Theme", "theme"), nil)
		doc := newDocument("News", strings.Repeat("Harbour dues rise again. Ferries carry more freight than before. ", 20))
		first := builtinAnswer(t, doc, d)
		for range 20 {
			if again := builtinAnswer(t, doc, d); again != first {
				t.Fatalf("%+v, then %+v", first, again)
			}
		}
	})
	t.Run("an empty text has no value", func(t *testing.T) {
		for _, kind := range []string{"theme", "executive", "company"} {
			if c := builtinAnswer(t, newDocument("", ""), newDefinition(newAutoTag("X", kind, []string{}...), nil)); c.Value != "" {
				t.Errorf("%s: %+v", kind, c)
			}
		}
	})
}

func TestCheck(t *testing.T) {
	listed := newDefinition(newAutoTag("Sector", "topic", "Offshore wind"), nil)
	open := newDefinition(newAutoTag("Theme", "theme"), nil)
	for name, c := range map[string]struct {
		tag    *tagDefinition
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
		f, ok := c.tag.validateClaim("Wind farms pay.", c.claim)
		if ok != c.kept || (f.Quote != nil) != c.quoted || f.Confidence > 1 {
			t.Errorf("%s: %+v, %v", name, f, ok)
		}
	}
}

func TestSanitizeText(t *testing.T) {
	for input, want := range map[string]string{
		"a\u0000b": "ab", "a\xffb": "ab", " Offshore\t\n wind ": "Offshore wind", "\u202eevil\u202c": "evil", "\u200b\ufeff \u2066": "",
		"Über 5 €": "Über 5 €", "\u001b[31mred": "[31mred", "soft\u00adly": "softly",
	} {
		if got := sanitizeText(input); got != want {
			t.Errorf("%q becomes %q, want %q", input, got, want)
		}
	}
}

// TestCheck_keeps_visible_characters checks that characters which cannot be stored or are invisible are removed from a model's response.
func TestCheck_keeps_visible_characters(t *testing.T) {
	open, listed := newDefinition(newAutoTag("Theme", "theme"), nil), newDefinition(newAutoTag("Mood", "mood", "a\u200cb"), nil)
	if f, ok := open.validateClaim("Wind farms pay.", claim{Value: "Wind\u0000 farms\u202e", Quote: "Wind\u0000\xff farms"}); !ok || f.Value != "Wind farms" || *f.Quote != "Wind farms" {
		t.Errorf("the value is %+v, %v", f, ok)
	}
	if f, ok := open.validateClaim("Wind farms pay.", claim{Value: "\u0000\u200b", Quote: "Wind"}); ok {
		t.Errorf("an invisible value is kept as %+v", f)
	}
	if f, ok := listed.validateClaim("Text.", claim{Value: "a\u200cb"}); !ok || f.Value != "a\u200cb" {
		t.Errorf("a listed value is %+v, %v", f, ok)
	}
}

func FuzzEntries(f *testing.F) {
	for _, seed := range []string{`{"a": true}`, `{"a": {"enabled": false, "values": ["x", "X"]}}`, `[]`, `null`, `{"a": null}`, `{"a": {"values": 1}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := parseEntries(json.RawMessage(text))
		for id, e := range entries {
			if err == nil && e.Values == nil {
				t.Errorf("%s: %q has no list", text, id)
			}
		}
	})
}
