package audience

import (
	"context"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm/text"
	"rostrum/model"
)

// coverageRun is what finding out costs which points a text makes; mostPoints is how many it may have.
const (
	coverageRun = 1
	mostPoints  = 100
	titleRunes  = 80
)

// trial is a narrative test that is about to be queued.
type trial struct {
	plan
	subject *subject
	readers []*reader
	upload  bool // the text is a document that says that it was uploaded for a test
	fresh   bool // and is to be stored first
}

// NarrativeTest queues a job that tests a text, a document or a draft on personas, and whether it makes its points. It fails with
// budget_exhausted, and with invalid_state while there is no text.
func (s *Service) NarrativeTest(ctx context.Context, in model.NarrativeTestInput, estimate bool) (*model.ReactionJobPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	t, err := s.trial(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	due, _, err := s.due(ctx, t.subject, t.readers)
	if err != nil {
		return nil, err
	}
	runs := t.runs(len(due))
	if estimate {
		return s.estimated(ctx, p.WorkspaceID, runs)
	}
	r := job.Request{Type: JobNarrative, DocumentID: t.DocumentID, Parameters: t.plan}
	started, err := s.enqueue(ctx, p, r, opNarrative, runs, func(ctx context.Context, tx dbx.Tx) error { return s.store(ctx, tx, p, t) })
	if err != nil {
		return nil, fmt.Errorf("test a narrative: %w", err)
	}
	return queued(started), nil
}

// runs is what the test costs when so many are to be asked.
func (p plan) runs(due int) int {
	if len(p.Points) > 0 {
		return due + coverageRun
	}
	return due
}

// trial checks a test and reads what it is about.
func (s *Service) trial(ctx context.Context, workspaceID string, in model.NarrativeTestInput) (*trial, error) {
	if err := s.checkTrial(in); err != nil {
		return nil, err
	}
	t := &trial{}
	for _, one := range in.PullThroughPriorities.Value() {
		t.Points = append(t.Points, point{strings.TrimSpace(one.Text), model.ValueOr(one.Level.Value(), "must")})
	}
	wanted := choice{ids: in.PersonaIds.Value()}
	var err error
	switch {
	case in.DraftID.Value() != nil:
		err = s.tryDraft(ctx, workspaceID, t, *in.DraftID.Value(), in, &wanted)
	case in.DocumentID.Value() != nil:
		err = s.tryDocument(ctx, t, *in.DocumentID.Value())
	default:
		t.take(*in.Content.Value())
	}
	if err != nil {
		return nil, err
	}
	if t.readers, err = s.choose(ctx, workspaceID, wanted); err != nil {
		return nil, err
	}
	t.PersonaIDs = idsOf(t.readers)
	return t, nil
}

// checkTrial holds that there is one text, and not too many points.
func (s *Service) checkTrial(in model.NarrativeTestInput) error {
	given := 0
	for _, one := range []*string{in.Content.Value(), in.DocumentID.Value(), in.DraftID.Value()} {
		if one != nil {
			given++
		}
	}
	var bad []errs.Field
	switch {
	case given == 0:
		bad = append(bad, errs.BodyField("missing", "is required, unless a document or a draft is named", "content"))
	case given > 1:
		bad = append(bad, errs.BodyField("value_error", "give only one of a text, a document and a draft", "content"))
	case in.Content.Value() != nil && strings.TrimSpace(*in.Content.Value()) == "":
		bad = append(bad, errs.BodyField("string_too_short", "must not be empty", "content"))
	}
	if len(in.PullThroughPriorities.Value()) > mostPoints {
		bad = append(bad, errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", mostPoints), "pullThroughPriorities"))
	}
	if len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}

// tryDraft takes a draft with its own points and audience, where no others are given.
func (s *Service) tryDraft(ctx context.Context, workspaceID string, t *trial, id string, in model.NarrativeTestInput, wanted *choice) error {
	of, draft, err := s.draft(ctx, id)
	if err != nil {
		return err
	}
	if of == nil {
		return errs.Invalid(errs.BodyField("unknown_id", "names no draft of this workspace", "draftId"))
	}
	t.DraftID, t.subject = id, of
	if !in.PullThroughPriorities.IsSet() {
		for _, one := range draft.Metadata.PullThroughPriorities[:min(mostPoints, len(draft.Metadata.PullThroughPriorities))] {
			t.Points = append(t.Points, point{one.Text, one.Level})
		}
	}
	if in.PersonaIds.IsSet() {
		return nil
	}
	audience, err := s.Personas.ByIDs(ctx, workspaceID, draft.Metadata.AudiencePersonaIDs)
	if err != nil {
		return err
	}
	for _, one := range audience {
		wanted.ids = append(wanted.ids, one.ID)
	}
	return nil
}

// tryDocument takes a document; one that was not read from an address was uploaded.
func (s *Service) tryDocument(ctx context.Context, t *trial, id string) error {
	of, doc, err := s.document(ctx, id)
	if err != nil {
		return err
	}
	if of == nil {
		return errs.Invalid(errs.BodyField("unknown_id", "names no document of this workspace", "documentId"))
	}
	t.DocumentID, t.subject = id, of
	t.upload = doc.SourceURL == nil && !model.ValueOr(doc.IsNarrativeTestingUpload, false)
	return nil
}

// take makes a text a document that is to be stored.
func (t *trial) take(content string) {
	id := model.NewID(model.DocumentPrefix)
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	t.subject = &subject{ID: id, DocumentID: &id, Title: "Narrative test: " + text.Truncate(line, titleRunes), Content: content}
	t.DocumentID, t.upload, t.fresh = id, true, true
}

// store keeps a pasted text as a document, and says of an upload that it is one.
func (s *Service) store(ctx context.Context, tx dbx.Tx, p model.Principal, t *trial) error {
	if t.fresh {
		in := model.CreateDocumentInput{Title: t.subject.Title, Content: t.subject.Content, ContentType: graphql.OmittableOf(new("text"))}
		if err := s.Documents.Keep(ctx, tx, p.WorkspaceID, t.DocumentID, in); err != nil {
			return err
		}
	}
	if !t.upload {
		return nil
	}
	uploaded := true
	_, err := s.Documents.Amend(ctx, tx, model.DocumentEventKindUpdated, p.WorkspaceID, t.DocumentID, func(doc *model.Document) error {
		doc.IsNarrativeTestingUpload = &uploaded
		return nil
	})
	return err
}
