package model

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/uptrace/bun"
)

// ReadSet collects the texts whose words an operation has read from the database, so that reads of
// texts under embargo can be noted before the response is sent. It is safe for concurrent use.
type ReadSet struct {
	// Grow is called with the bytes of each text that a row brings into memory. Its error ends the
	// statement that reads the row. It may be nil.
	Grow func(bytes int) error

	mu        sync.Mutex
	documents map[string]readState
	drafts    map[string]bool
}

// readState is what a set knows of a document. A greater one replaces a smaller one.
type readState int

const (
	readDrawn readState = iota + 1 // a row that was drawn from it was read
	readOpen                       // its own row was read, and is not under embargo
	readEmbargoed
)

type readSetKey struct{}

// WithReads returns a context whose reads are collected in the set; a nil set collects none, for
// example for a comparison that gives no words to the caller.
func WithReads(ctx context.Context, set *ReadSet) context.Context {
	return context.WithValue(ctx, readSetKey{}, set)
}

// NoteReads adds the reads of a set, for example of an event that subscribers share, to the set of
// the context.
func NoteReads(ctx context.Context, from *ReadSet) {
	from.mu.Lock()
	documents, drafts := maps.Clone(from.documents), maps.Clone(from.drafts)
	from.mu.Unlock()
	change(ctx, func(s *ReadSet) {
		for id, state := range documents {
			s.addDocument(id, state)
		}
		for id := range drafts {
			s.addDraft(id)
		}
	})
}

// Take returns the ids of the documents and drafts that may be under embargo, and empties the set.
func (s *ReadSet) Take() (documents, drafts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, state := range s.documents {
		if state != readOpen {
			documents = append(documents, id)
		}
	}
	drafts = slices.Collect(maps.Keys(s.drafts))
	s.documents, s.drafts = nil, nil
	return documents, drafts
}

func (s *ReadSet) addDocument(id string, state readState) {
	if s.documents == nil {
		s.documents = map[string]readState{}
	}
	s.documents[id] = max(s.documents[id], state)
}

func (s *ReadSet) addDraft(id string) {
	if s.drafts == nil {
		s.drafts = map[string]bool{}
	}
	s.drafts[id] = true
}

// change changes the set of the context, if there is one.
func change(ctx context.Context, do func(*ReadSet)) {
	if s, _ := ctx.Value(readSetKey{}).(*ReadSet); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		do(s)
	}
}

// grow counts texts that a row has brought into memory.
func grow(ctx context.Context, texts ...*string) error {
	s, _ := ctx.Value(readSetKey{}).(*ReadSet)
	if s == nil || s.Grow == nil {
		return nil
	}
	bytes := 0
	for _, text := range texts {
		if text != nil {
			bytes += len(*text)
		}
	}
	return s.Grow(bytes)
}

// NoteDocuments notes that words of documents are read by a statement that returns no rows of this
// package.
func NoteDocuments(ctx context.Context, ids ...string) { _ = noteSources(ctx, true, ids...) }

// noteSources notes that words of documents are read, in a row that was drawn from them.
func noteSources(ctx context.Context, hasWords bool, ids ...string) error {
	if !hasWords || len(ids) == 0 {
		return nil
	}
	change(ctx, func(s *ReadSet) {
		for _, id := range ids {
			if id != "" {
				s.addDocument(id, readDrawn)
			}
		}
	})
	return nil
}

func noteDraft(ctx context.Context, hasWords bool, id *string) {
	if hasWords && id != nil {
		change(ctx, func(s *ReadSet) { s.addDraft(*id) })
	}
}

// present returns the ids that are not nil.
func present(ids ...*string) (out []string) {
	for _, id := range ids {
		if id != nil {
			out = append(out, *id)
		}
	}
	return out
}

// The methods AfterScanRow run when a row was read (see bun.AfterScanRowHook and package dbx). They
// note the documents and drafts that the row has words of, and count long texts.
var _ = []bun.AfterScanRowHook{(*Document)(nil), (*Draft)(nil), (*Reaction)(nil), (*PersonaInteraction)(nil),
	(*Signal)(nil), (*AudienceSummary)(nil), (*Insight)(nil), (*Job)(nil), (*Persona)(nil), (*DocumentAutoTag)(nil),
	(*AppliedAutoTag)(nil), (*AutoTagReview)(nil), (*AutoTagExample)(nil), (*CommsFilterExample)(nil),
	(*DocumentVersion)(nil), (*DeletedDocument)(nil), (*DraftVersion)(nil), (*DraftStateChange)(nil),
	(*Link)(nil), (*DraftComment)(nil)}

// AfterScanRow notes a read of the title, the text or the original's name. Call it also after a change
// that may begin an embargo.
func (d *Document) AfterScanRow(ctx context.Context) error {
	hasWords := d.Title != "" || d.Content != nil || d.Original != nil // a file's name may say what it is about
	switch {
	case d.Visibility != "" && d.Visibility != VisibilityEmbargoed:
		change(ctx, func(s *ReadSet) { s.addDocument(d.ID, readOpen) })
	case hasWords && d.Visibility == "":
		_ = noteSources(ctx, true, d.ID)
	case hasWords:
		change(ctx, func(s *ReadSet) { s.addDocument(d.ID, readEmbargoed) })
	}
	return grow(ctx, d.Content)
}

// AfterScanRow notes a read of the title or text, and of the document that the draft was made from.
// Call it also after a change that may begin an embargo.
func (d *Draft) AfterScanRow(ctx context.Context) error {
	hasWords := d.Title != "" || d.Content != nil || d.Excerpt != "" || d.Metadata != nil
	noteDraft(ctx, hasWords && (d.Visibility == "" || d.Visibility == VisibilityEmbargoed), &d.ID)
	_ = noteSources(ctx, hasWords, d.Metadata.SourceIDs()...)
	return grow(ctx, d.Content)
}

// AfterScanRow notes a read of the title or text of a draft's page.
func (l *Link) AfterScanRow(ctx context.Context) error {
	noteDraft(ctx, l.Title != "" || l.Body != nil, l.DraftID)
	return grow(ctx, l.Body)
}

// AfterScanRow notes a read of the reaction's words.
func (r *Reaction) AfterScanRow(ctx context.Context) error {
	hasWords := r.Text != "" || len(r.Quotes)+len(r.Themes)+len(r.Risks)+len(r.Actions) > 0 || r.ErrorMessage != nil
	noteDraft(ctx, hasWords, r.DraftID)
	if r.Persona != nil {
		_ = r.Persona.AfterScanRow(ctx)
	}
	return noteSources(ctx, hasWords, append(present(r.DocumentID), r.SourceDocumentIDs...)...)
}

// AfterScanRow notes a read of the question or the reply.
func (i *PersonaInteraction) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, i.InputContent != "" || i.OutputContent != "",
		append(present(i.DocumentID), i.SourceDocumentIDs...)...)
}

// AfterScanRow notes a read of the statement, its theme or its passage.
func (s *Signal) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, s.Statement != "" || s.Quote != "" || s.Theme != "", s.DocumentID)
}

// AfterScanRow notes a read of the report or its quotes.
func (s *AudienceSummary) AfterScanRow(ctx context.Context) error {
	if s.Evidence != nil {
		for _, quote := range s.Evidence.Quotes {
			_ = noteSources(ctx, true, quote.DocumentID)
		}
	}
	return noteSources(ctx, s.SummaryJSON != nil || s.Evidence != nil, s.SourceDocumentIDs...)
}

// AfterScanRow notes a read of the comparison.
func (i *Insight) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, i.Answer != nil, slices.Collect(maps.Keys(i.Sources))...)
}

// AfterScanRow notes a read of the statements and their passages.
func (p *Persona) AfterScanRow(ctx context.Context) error {
	for _, statement := range p.GroundedStatements {
		_ = noteSources(ctx, true, statement.DocumentID)
	}
	return nil
}

// typedIDs finds the ids of documents and drafts in a job's JSON.
var typedIDs = regexp.MustCompile(`"(` + DocumentPrefix + `|` + DraftPrefix + `)_[0-9a-zA-Z_-]+"`)

// AfterScanRow notes a read of the job's texts. Their sources are the job's document and draft, and
// the ids in its parameters and result.
func (j *Job) AfterScanRow(ctx context.Context) error {
	if s, _ := ctx.Value(readSetKey{}).(*ReadSet); s == nil {
		return nil // the texts are long
	}
	hasWords := j.ResultText != nil || j.ParametersText != nil || j.Note != nil || j.ErrorMessage != nil
	noteDraft(ctx, hasWords, j.DraftID)
	for _, text := range present(j.ParametersText, j.ResultText) {
		for _, id := range typedIDs.FindAllString(text, -1) {
			if id = id[1 : len(id)-1]; id[:len(DraftPrefix)+1] == DraftPrefix+"_" {
				noteDraft(ctx, true, &id)
			} else {
				_ = noteSources(ctx, true, id)
			}
		}
	}
	_ = noteSources(ctx, hasWords, present(j.DocumentID)...)
	return grow(ctx, j.ParametersText, j.ResultText)
}

// AfterScanRow notes a read of the value.
func (v *DocumentAutoTag) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, v.ExtractedValue != "", v.DocumentID)
}

// AfterScanRow notes a read of the value or its passage.
func (v *AppliedAutoTag) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, v.ExtractedValue != "" || v.Quote != nil, v.DocumentID)
}

// AfterScanRow notes a read of the value, its passage or the document's title.
func (v *AutoTagReview) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, v.ExtractedValue != "" || v.Quote != nil || v.DocumentTitle != "", v.DocumentID)
}

// AfterScanRow notes a read of the passage.
func (e *AutoTagExample) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, e.Snippet != "" || e.Value != "", present(e.DocumentID)...)
}

// AfterScanRow notes a read of the title or the passage.
func (e *CommsFilterExample) AfterScanRow(ctx context.Context) error {
	return noteSources(ctx, e.Title != "" || e.Snippet != "", e.DocumentID)
}

// NoteEvent notes the reads of an event that was not read for its subscriber alone.
func NoteEvent(ctx context.Context, event any) {
	switch e := event.(type) {
	case *Job:
		_ = e.AfterScanRow(ctx)
	case *JobEvent:
		if e.State != nil {
			_ = e.State.AfterScanRow(ctx)
		}
	case *DocumentChange:
		if e.Document != nil {
			_ = e.Document.AfterScanRow(ctx)
		}
	}
}
