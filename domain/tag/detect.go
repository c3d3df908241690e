package tag

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
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
	refused    []string // the values of the engine that were refused, with the reasons
	model      string
}

// warning returns the sentence that names the refused values; empty without any.
func (v *documentFindings) warning() string {
	if len(v.refused) == 0 {
		return ""
	}
	return "refused values: " + strings.Join(v.refused, "; ")
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
	maxShownValue    = 100 // characters of a refused value
	maxAnswer        = 4000
)

// promptTag is an auto-tag in the prompt.
type promptTag struct {
	Key, Name, Type, Description string
	Allowed, Known               string
	Examples                     string // one on each line
}

// findValues asks the engine for the values of auto-tags in a document. It returns the ones that
// pass validateClaim, or the engine's errors.
func (s *Service) findValues(ctx context.Context, doc *model.Document, tags []*tagDefinition) (*documentFindings,
	error) {
	out := &documentFindings{documentID: doc.ID, model: s.engine.Model()}
	if len(tags) == 0 {
		return out, nil
	}
	nearest := make([]*nearestExample, len(tags))
	for i, t := range tags {
		nearest[i] = t.nearestTo(doc)
	}
	task, err := newTask(doc, tags, nearest)
	if err != nil {
		return nil, err
	}
	answer, by, err := llm.Ask[offline.TaggingAnswer](ctx, s.engine, task)
	if err != nil {
		return nil, fmt.Errorf("apply auto-tags: %w", err)
	}
	out.model = by.Model
	for i, t := range tags {
		f, refused := t.firstValid(doc, promptKey(i), answer.Values)
		if f == nil {
			out.refused = append(out.refused, refused...)
			continue
		}
		if near := nearest[i]; near != nil {
			similarity := roundScore(near.Similarity)
			f.ExampleID, f.Similarity = &near.id, &similarity
		}
		out.findings = append(out.findings, *f)
	}
	return out, nil
}

// firstValid returns the finding of the first valid claim with this key; nil if there is none, with
// the reasons.
func (t *tagDefinition) firstValid(doc *model.Document, key string, claims []offline.TagClaim) (found *finding,
	refused []string) {
	for _, c := range claims {
		if c.Tag != key {
			continue
		}
		f, reason := t.validateClaim(doc, c)
		if reason == "" {
			return &f, nil
		}
		refused = append(refused, fmt.Sprintf("%s: %s %s", t.Name,
			quoteLine(text.Truncate(sanitizeText(c.Value), maxShownValue)), reason))
	}
	return nil, refused
}

func newTask(doc *model.Document, tags []*tagDefinition, nearest []*nearestExample) (llm.Task, error) {
	data := struct {
		Tags     []promptTag
		Document string
		Date     string // empty if it is not stated
	}{Date: dateOf(doc), Document: doc.Title + "\n\n" + text.FirstRunes(optional.ValueOr(doc.Content, ""), maxRead)}
	for i, t := range tags {
		data.Tags = append(data.Tags, t.newPromptTag(i))
	}
	task, err := applyPrompt.Task(data)
	if err != nil {
		return task, err
	}
	task.Schema, task.MaxTokens = applySchema, maxAnswer
	task.Input = newOfflineInput(doc, tags, nearest)
	return task, nil
}

// dateOf returns the day of a document's publication; empty if it is not stated.
func dateOf(doc *model.Document) string {
	if doc.ExtractedDate == nil {
		return ""
	}
	return doc.ExtractedDate.UTC().Format(time.DateOnly)
}

func newOfflineInput(doc *model.Document, tags []*tagDefinition, nearest []*nearestExample) offline.Tagging {
	in := offline.Tagging{
		Title: doc.Title, Text: optional.ValueOr(doc.Content, ""), Company: optional.ValueOr(doc.Company, ""),
		Executive: optional.ValueOr(doc.Executive, ""),
	}
	for i, t := range tags {
		asked := offline.Tag{
			Key: promptKey(i), Name: t.Name, Type: t.TagType, Description: t.Description, Allowed: t.AllowedValues,
			Known: t.known, Manual: t.Manual,
		}
		if nearest[i] != nil {
			asked.Nearest = &nearest[i].Neighbor
		}
		in.Tags = append(in.Tags, asked)
	}
	return in
}

func promptKey(i int) string { return fmt.Sprintf("t%d", i+1) }

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
		examples = append(examples, quoteLine(e.Value)+": "+quoteLine(text.FirstRunes(e.Snippet, maxShownSnippet)))
	}
	out.Examples = strings.Join(examples, "\n")
	return out
}

// quoteLine quotes a text on one line, so that a model does not read it as part of the prompt.
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

// roundScore rounds to three decimals.
func roundScore(score float64) float64 { return math.Round(score*1000) / 1000 }

// HasEnabledTags reports whether ingested documents are read for auto-tags.
func (s *Service) HasEnabledTags(ctx context.Context, db dbx.Reader, workspaceID string) (bool, error) {
	ids, err := s.enabledTagIDs(ctx, db, workspaceID)
	return len(ids) > 0, err
}

// Find reads a document for the enabled auto-tags and manual filters. keep stores the result in a
// transaction, which must not have locked the document yet; it is nil if there is nothing to find.
// Find returns the engine's errors.
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
