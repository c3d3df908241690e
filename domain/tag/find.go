package tag

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

// definition is an auto-tag with what a reader of documents needs to know of it.
type definition struct {
	*model.AutoTag
	examples []*model.AutoTagExample // newest first
	known    []string                // values in use, most frequent first; none where the values are listed
	index    *text.Index             // of the examples' texts; nil without any
}

// finding is the value that an auto-tag has in a document.
type finding struct {
	TagID      string   `json:"tag_id"`
	Value      string   `json:"value"`
	Confidence float64  `json:"confidence"`
	Quote      *string  `json:"quote,omitempty"`
	Start      *int     `json:"start,omitempty"`
	End        *int     `json:"end,omitempty"`
	ExampleID  *string  `json:"example_id,omitempty"`
	Similarity *float64 `json:"similarity,omitempty"`
}

// verdict is what was found in a document that was looked through for some auto-tags.
type verdict struct {
	documentID string
	found      []finding
	model      string
}

// said is a text model's answer.
type said struct {
	Values []claim `json:"values"`
}

// claim is one value as a text model gives it.
type claim struct {
	Tag        string  `json:"tag"`
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence"`
	Quote      string  `json:"quote"`
}

var (
	//go:embed apply.tmpl
	applyWords  string
	applyPrompt = llm.MustPrompt("tag.apply", applyWords)

	//go:embed apply.json
	applySchema json.RawMessage
)

// The bounds of what a text model reads of a document, and of what stands in the prompt for each auto-tag.
const (
	maxRead          = 24_000 // characters
	maxShownKnown    = 50
	maxShownExamples = 10
	maxShownSnippet  = 400 // characters
	maxAnswer        = 4000
)

// promptTag is an auto-tag as the prompt shows it.
type promptTag struct {
	Key, Name, Type, Description string
	Allowed, Known               string
	Examples                     []promptExample
}

type promptExample struct{ Value, Snippet string }

// look asks the engine which values the auto-tags have in a document, and checks what it says.
func (s *Service) look(ctx context.Context, doc *model.Document, tags []*definition) (*verdict, error) {
	out := &verdict{documentID: doc.ID, model: s.engine.Model()}
	if len(tags) == 0 {
		return out, nil
	}
	task, err := newTask(doc, tags)
	if err != nil {
		return nil, err
	}
	answer, by, err := llm.Ask[said](ctx, s.engine, task)
	if err != nil {
		return nil, fmt.Errorf("apply auto-tags: %w", err)
	}
	out.model = by.Model
	content, seen := model.ValueOr(doc.Content, ""), map[string]bool{}
	for _, c := range answer.Values {
		t := byKey(tags, c.Tag)
		if t == nil || seen[t.ID] {
			continue
		}
		if f, ok := t.check(content, c); ok {
			seen[t.ID] = true
			out.found = append(out.found, t.compared(doc, f))
		}
	}
	return out, nil
}

func newTask(doc *model.Document, tags []*definition) (llm.Task, error) {
	data := struct {
		Tags     []promptTag
		Document string
	}{Document: doc.Title + "\n\n" + cut(model.ValueOr(doc.Content, ""), maxRead)}
	for i, t := range tags {
		data.Tags = append(data.Tags, t.shown(i))
	}
	task, err := applyPrompt.Task(data)
	if err != nil {
		return task, err
	}
	task.Schema, task.MaxTokens = applySchema, maxAnswer
	task.Builtin = func(context.Context) (string, error) { return builtin(doc, tags) }
	return task, nil
}

func keyAt(i int) string { return fmt.Sprintf("t%d", i+1) }

func byKey(tags []*definition, key string) *definition {
	for i, t := range tags {
		if keyAt(i) == key {
			return t
		}
	}
	return nil
}

func (t *definition) shown(i int) promptTag {
	out := promptTag{
		Key: keyAt(i), Name: quoted(t.Name), Type: quoted(t.TagType),
		Allowed: listed(choicesOf(t.AutoTag)), Known: listed(t.known[:min(len(t.known), maxShownKnown)]),
	}
	if t.Description != "" {
		out.Description = quoted(t.Description)
	}
	for _, e := range t.examples[:min(len(t.examples), maxShownExamples)] {
		out.Examples = append(out.Examples, promptExample{quoted(e.Value), quoted(cut(e.Snippet, maxShownSnippet))})
	}
	return out
}

// quoted writes a text between quotation marks on one line, so that it cannot be taken for a part of the prompt.
func quoted(text string) string {
	return `"` + strings.ReplaceAll(strings.Join(strings.Fields(text), " "), `"`, "'") + `"`
}

func listed(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = quoted(v)
	}
	return strings.Join(out, ", ")
}

// check drops a claim that does not hold: a value that is none of the allowed ones, or one of an open tag whose quote is not in the
// text. A listed value may be said without a piece of text that has its words, and then has no span.
func (t *definition) check(content string, c claim) (finding, bool) {
	value, ok := t.valueOf(c.Value)
	if !ok || len([]rune(value)) > maxValue {
		return finding{}, false
	}
	f := finding{TagID: t.ID, Value: value, Confidence: rounded(min(max(c.Confidence, 0), 1))}
	place, ok := firstOf(content, strings.ToValidUTF8(c.Quote, ""), clean(c.Quote), clean(c.Value))
	if ok {
		f.Quote, f.Start, f.End = &place.Text, &place.Start, &place.End
	}
	return f, ok || len(choicesOf(t.AutoTag)) > 0
}

// valueOf is the value that a model means; ok is false for one that the auto-tag may not have, and for one of which nothing is seen.
func (t *definition) valueOf(said string) (value string, ok bool) {
	seen := clean(said)
	if seen == "" {
		return "", false
	}
	if value, ok = allowed(t.AutoTag, seen); ok {
		return value, true
	}
	return allowed(t.AutoTag, said) // a listed one may itself have what clean takes away
}

// compared adds the example that the document is most like.
func (t *definition) compared(doc *model.Document, f finding) finding {
	if t.index == nil {
		return f
	}
	if at, likeness, _ := t.nearest(doc); at >= 0 {
		likeness = rounded(likeness)
		f.ExampleID, f.Similarity = &t.examples[at].ID, &likeness
	}
	return f
}

// rounded gives a figure of this kind as many digits as mean anything.
func rounded(sure float64) float64 { return math.Round(sure*1000) / 1000 }

// Wanted reports whether documents that are ingested are looked through at all.
func (s *Service) Wanted(ctx context.Context, db bun.IDB, workspaceID string) (bool, error) {
	ids, err := s.standing(ctx, db, workspaceID)
	return len(ids) > 0, err
}

// Find looks through a document for the auto-tags and manual filters that are enabled. What it finds is kept by calling keep in a
// transaction that has not locked the document yet; keep is nil where there is nothing to look for.
func (s *Service) Find(ctx context.Context, doc *model.Document) (keep func(context.Context, dbx.Tx) error, err error) {
	ids, err := s.standing(ctx, s.db, doc.WorkspaceID)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	tags, err := s.definitions(ctx, doc.WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	found, err := s.look(ctx, doc, tags)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.keep(ctx, tx, doc.WorkspaceID, tags, []*verdict{found})
		return err
	}, nil
}
