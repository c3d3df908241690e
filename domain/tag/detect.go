package tag

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/optional"
)

// tagDefinition is an auto-tag with its examples and known values.
type tagDefinition struct {
	*model.AutoTag
	examples []*model.AutoTagExample // newest first
	known    []string                // values in use, most frequent first; empty if the values are listed
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

// documentFindings are the values that were found in a document.
type documentFindings struct {
	documentID string
	findings   []finding
	model      string
}

// modelAnswer is the JSON answer of a text model.
type modelAnswer struct {
	Values []claim `json:"values"`
}

// claim is an unverified value in a model's answer.
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

// The limits of a document's text in the prompt, and of each auto-tag.
const (
	maxRead          = 24_000 // characters
	maxShownKnown    = 50
	maxShownExamples = 10
	maxShownSnippet  = 400 // characters
	maxAnswer        = 4000
)

// promptTag is an auto-tag in the prompt.
type promptTag struct {
	Key, Name, Type, Description string
	Allowed, Known               string
	Examples                     string // one on each line
}

// findValues asks the engine for the values of auto-tags in a document, and returns those that pass validateClaim. It returns the engine's
// errors.
func (s *Service) findValues(ctx context.Context, doc *model.Document, tags []*tagDefinition) (*documentFindings, error) {
	out := &documentFindings{documentID: doc.ID, model: s.engine.Model()}
	if len(tags) == 0 {
		return out, nil
	}
	task, err := newTask(doc, tags)
	if err != nil {
		return nil, err
	}
	answer, by, err := llm.Ask[modelAnswer](ctx, s.engine, task)
	if err != nil {
		return nil, fmt.Errorf("apply auto-tags: %w", err)
	}
	out.model = by.Model
	content, seen := optional.ValueOr(doc.Content, ""), map[string]bool{}
	for _, c := range answer.Values {
		t := tagByPromptKey(tags, c.Tag)
		if t == nil || seen[t.ID] {
			continue
		}
		if f, ok := t.validateClaim(content, c); ok {
			seen[t.ID] = true
			out.findings = append(out.findings, t.withNearestExample(doc, f))
		}
	}
	return out, nil
}

func newTask(doc *model.Document, tags []*tagDefinition) (llm.Task, error) {
	data := struct {
		Tags     []promptTag
		Document string
	}{Document: doc.Title + "\n\n" + truncateText(optional.ValueOr(doc.Content, ""), maxRead)}
	for i, t := range tags {
		data.Tags = append(data.Tags, t.newPromptTag(i))
	}
	task, err := applyPrompt.Task(data)
	if err != nil {
		return task, err
	}
	task.Schema, task.MaxTokens = applySchema, maxAnswer
	task.Builtin = func(context.Context) (string, error) { return answerBuiltin(doc, tags) }
	return task, nil
}

func promptKey(i int) string { return fmt.Sprintf("t%d", i+1) }

func tagByPromptKey(tags []*tagDefinition, key string) *tagDefinition {
	for i, t := range tags {
		if promptKey(i) == key {
			return t
		}
	}
	return nil
}

func (t *tagDefinition) newPromptTag(i int) promptTag {
	out := promptTag{
		Key: promptKey(i), Name: quoteLine(t.Name), Type: quoteLine(t.TagType),
		Allowed: quoteList(choicesOf(t.AutoTag)), Known: quoteList(t.known[:min(len(t.known), maxShownKnown)]),
	}
	if t.Description != "" {
		out.Description = quoteLine(t.Description)
	}
	var examples []string
	for _, e := range t.examples[:min(len(t.examples), maxShownExamples)] {
		examples = append(examples, quoteLine(e.Value)+": "+quoteLine(truncateText(e.Snippet, maxShownSnippet)))
	}
	out.Examples = strings.Join(examples, "\n")
	return out
}

// quoteLine returns a text in quotation marks on one line, so that a model does not read it as part of the prompt.
func quoteLine(text string) string {
	return `"` + strings.ReplaceAll(strings.Join(strings.Fields(text), " "), `"`, "'") + `"`
}

func quoteList(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = quoteLine(v)
	}
	return strings.Join(out, ", ")
}

// validateClaim returns the finding of a claim; ok is false for a value that is not allowed and for a value of an open tag without a quote
// from the text. A listed value is valid without a quote and then has no span.
func (t *tagDefinition) validateClaim(content string, c claim) (finding, bool) {
	value, ok := t.resolveValue(c.Value)
	if !ok || len([]rune(value)) > maxValue {
		return finding{}, false
	}
	f := finding{TagID: t.ID, Value: value, Confidence: roundScore(min(max(c.Confidence, 0), 1))}
	place, ok := locateFirst(content, strings.ToValidUTF8(c.Quote, ""), sanitizeText(c.Quote), sanitizeText(c.Value))
	if ok {
		f.Quote, f.Start, f.End = &place.Text, &place.Start, &place.End
	}
	return f, ok || len(choicesOf(t.AutoTag)) > 0
}

// resolveValue returns the value that a model means; ok is false for a value that is not allowed or has no visible characters.
func (t *tagDefinition) resolveValue(text string) (value string, ok bool) {
	seen := sanitizeText(text)
	if seen == "" {
		return "", false
	}
	if value, ok = allowedSpelling(t.AutoTag, seen); ok {
		return value, true
	}
	return allowedSpelling(t.AutoTag, text) // a listed value may contain characters that sanitizeText removes
}

// withNearestExample adds the example most similar to the document.
func (t *tagDefinition) withNearestExample(doc *model.Document, f finding) finding {
	if t.index == nil {
		return f
	}
	if at, similarity, _ := t.nearestExample(doc); at >= 0 {
		similarity = roundScore(similarity)
		f.ExampleID, f.Similarity = &t.examples[at].ID, &similarity
	}
	return f
}

// roundScore rounds to three decimals.
func roundScore(score float64) float64 { return math.Round(score*1000) / 1000 }

// HasEnabledTags reports whether ingested documents are read for auto-tags.
func (s *Service) HasEnabledTags(ctx context.Context, db dbx.Reader, workspaceID string) (bool, error) {
	ids, err := s.enabledTagIDs(ctx, db, workspaceID)
	return len(ids) > 0, err
}

// Find reads a document for the enabled auto-tags and manual filters. The returned keep function stores the result in a transaction that has
// not locked the document yet; it is nil if there is nothing to find. Find returns the engine's errors.
func (s *Service) Find(ctx context.Context, doc *model.Document) (keep func(context.Context, dbx.Tx) error, err error) {
	ids, err := s.enabledTagIDs(ctx, s.db, doc.WorkspaceID)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	tags, err := s.loadDefinitions(ctx, doc.WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	found, err := s.findValues(ctx, doc, tags)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.storeFindings(ctx, tx, doc.WorkspaceID, tags, []*documentFindings{found})
		return err
	}, nil
}
