package audience

import (
	"context"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// coverageRun is the cost in runs of looking for points in a text. mostPoints limits the points of
// a test.
const (
	coverageRun = 1
	mostPoints  = 100
	titleRunes  = 80
)

// narrativeTest is a narrative test to queue.
type narrativeTest struct {
	readingPlan
	subject *subject
	readers []*reader
	upload  bool // mark the document as uploaded for a test
	fresh   bool // store the text as a document first
}

// StartNarrativeTest queues a job that tests a text, document or draft on personas and looks for
// the points in it. It returns errs.BudgetExhausted, errs.ValidationFailed, and errs.InvalidState
// without a text.
func (s *Service) StartNarrativeTest(ctx context.Context, in api.StartNarrativeTestInput) (*model.StartedJob, error) {
	p := principal.Must(ctx)
	t, runs, err := s.priceTest(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	out, err := s.metered.Start(ctx, job.MeteredRequest{
		Request: job.Request{Type: JobNarrative, DocumentID: t.DocumentID, DraftID: t.DraftID,
			Parameters: t.readingPlan},
		Operation: opNarrative, Runs: runs,
		AfterReserve: func(ctx context.Context, tx dbx.Tx, _ *model.Job) error { return s.storeUpload(ctx, tx, p, t) },
	})
	if err != nil {
		return nil, fmt.Errorf("test a narrative: %w", err)
	}
	return out, nil
}

// EstimateNarrativeTest returns the cost of StartNarrativeTest, or its errors for an invalid
// request.
func (s *Service) EstimateNarrativeTest(ctx context.Context, in api.StartNarrativeTestInput) (*model.Estimate, error) {
	_, runs, err := s.priceTest(ctx, principal.Must(ctx).WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runs)
}

// priceTest prepares a test and returns its cost.
func (s *Service) priceTest(ctx context.Context, workspaceID string, in api.StartNarrativeTestInput) (*narrativeTest,
	int, error) {
	t, err := s.prepareTest(ctx, workspaceID, in)
	if err != nil {
		return nil, 0, err
	}
	due, _, err := s.dueReaders(ctx, t.subject, t.readers)
	if err != nil {
		return nil, 0, err
	}
	return t, t.totalRuns(len(due)), nil
}

// totalRuns returns the cost of a test with this number of new reactions.
func (p readingPlan) totalRuns(due int) int {
	if len(p.Points) > 0 {
		return due + coverageRun
	}
	return due
}

// prepareTest validates the input and reads the text and the personas. It returns
// errs.ValidationFailed for invalid fields.
func (s *Service) prepareTest(ctx context.Context, workspaceID string, in api.StartNarrativeTestInput) (*narrativeTest,
	error) {
	if err := s.checkTest(in); err != nil {
		return nil, err
	}
	t := &narrativeTest{}
	for _, one := range in.PullThroughPriorities.Value() {
		t.Points = append(t.Points, pointInput{strings.TrimSpace(one.Text),
			optional.ValueOr(one.Level.Value(), "must")})
	}
	wanted := readerChoice{ids: in.PersonaIds.Value()}
	var err error
	switch {
	case in.DraftID.Value() != nil:
		err = s.useDraft(ctx, workspaceID, t, *in.DraftID.Value(), in, &wanted)
	case in.DocumentID.Value() != nil:
		err = s.useDocument(ctx, t, *in.DocumentID.Value())
	default:
		t.useText(*in.Content.Value())
	}
	if err != nil {
		return nil, err
	}
	if t.readers, err = s.chooseReaders(ctx, workspaceID, wanted); err != nil {
		return nil, err
	}
	t.PersonaIDs = idsOf(t.readers)
	return t, nil
}

// checkTest returns errs.ValidationFailed unless there is exactly one text and not too many points.
func (s *Service) checkTest(in api.StartNarrativeTestInput) error {
	given := 0
	for _, one := range []*string{in.Content.Value(), in.DocumentID.Value(), in.DraftID.Value()} {
		if one != nil {
			given++
		}
	}
	var invalid errs.FieldErrors
	switch {
	case given == 0:
		invalid.Body("missing", "is required, unless a document or a draft is named", "content")
	case given > 1:
		invalid.Body("value_error", "give only one of a text, a document and a draft", "content")
	case in.Content.Value() != nil && strings.TrimSpace(*in.Content.Value()) == "":
		invalid.Body("string_too_short", "must not be empty", "content")
	}
	if len(in.PullThroughPriorities.Value()) > mostPoints {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", mostPoints), "pullThroughPriorities")
	}
	return invalid.Err()
}

// useDraft sets the draft as the text to test. Its own points and audience apply unless others are
// given. It returns an error for an unknown draft.
func (s *Service) useDraft(ctx context.Context, workspaceID string, t *narrativeTest, id string,
	in api.StartNarrativeTestInput, wanted *readerChoice) error {
	of, draft, err := s.draftSubject(ctx, id)
	if err != nil {
		return err
	}
	if of == nil {
		return errs.Invalid(errs.BodyField("unknown_id", "names no draft of this workspace", "draftId"))
	}
	t.DraftID, t.subject = id, of
	if !in.PullThroughPriorities.IsSet() {
		for _, one := range draft.Metadata.PullThroughPriorities[:min(mostPoints,
			len(draft.Metadata.PullThroughPriorities))] {
			t.Points = append(t.Points, pointInput{one.Text, one.Level})
		}
	}
	if in.PersonaIds.IsSet() {
		return nil
	}
	audience, err := s.existingPersonas(ctx, workspaceID, draft.Metadata.AudiencePersonaIDs)
	if err != nil {
		return err
	}
	for _, one := range audience {
		wanted.ids = append(wanted.ids, one.ID)
	}
	return nil
}

// useDocument sets a document as the text to test. A document without a source URL counts as
// uploaded. It returns an error for an unknown document.
func (s *Service) useDocument(ctx context.Context, t *narrativeTest, id string) error {
	of, doc, err := s.documentSubject(ctx, id)
	if err != nil {
		return err
	}
	if of == nil {
		return errs.Invalid(errs.BodyField("unknown_id", "names no document of this workspace", "documentId"))
	}
	t.DocumentID, t.subject = id, of
	t.upload = doc.SourceURL == nil && !optional.ValueOr(doc.IsNarrativeTestingUpload, false)
	return nil
}

// useText sets a pasted text, to be stored as a document.
func (t *narrativeTest) useText(content string) {
	id := model.NewID(model.DocumentPrefix)
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	t.subject = &subject{ID: id, DocumentID: &id, Title: "Narrative test: " + text.Truncate(line, titleRunes),
		Content: content}
	t.DocumentID, t.upload, t.fresh = id, true, true
}

// storeUpload stores a pasted text as a document and marks the document as an upload.
func (s *Service) storeUpload(ctx context.Context, tx dbx.Tx, p principal.Principal, t *narrativeTest) error {
	if t.fresh {
		in := api.CreateDocumentInput{Title: t.subject.Title, Content: t.subject.Content,
			ContentType: graphql.OmittableOf(new("text")),
			Visibility:  graphql.OmittableOf(new(model.VisibilityInternal))}
		if err := s.Documents.CreateIfMissing(ctx, tx, p.WorkspaceID, t.DocumentID, in); err != nil {
			return err
		}
	}
	if !t.upload {
		return nil
	}
	uploaded := true
	_, err := s.Documents.Amend(ctx, tx, p.WorkspaceID, t.DocumentID, func(doc *model.Document) error {
		doc.IsNarrativeTestingUpload = &uploaded
		return nil
	})
	return err
}
