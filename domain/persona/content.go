package persona

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// contentRequest holds the parameters of a content job.
type contentRequest struct {
	PersonaID            string               `json:"persona_id"`
	Topic                string               `json:"topic"`
	ContentType          *string              `json:"content_type,omitempty"`
	Length               *model.ContentLength `json:"length,omitempty"`
	ReferenceDocumentIDs []string             `json:"reference_document_ids,omitempty"`
	VoiceProfileID       *string              `json:"voice_profile_id,omitempty"`

	// DocumentID is chosen with the request, so that a retried job stores its document once.
	DocumentID string `json:"document_id"`
}

func newContentRequest(in api.GeneratePersonaContentInput) contentRequest {
	return contentRequest{
		PersonaID: in.PersonaID, Topic: strings.TrimSpace(in.Topic), ContentType: in.ContentType.Value(),
		Length:               in.Length.Value(),
		ReferenceDocumentIDs: distinctIDs(in.ReferenceDocumentIds.Value()), VoiceProfileID: in.VoiceProfileID.Value(),
		DocumentID: model.NewID(model.DocumentPrefix),
	}
}

// contentTask is a content request together with the data of its prompt.
type contentTask struct {
	contentRequest
	Persona     *model.Persona
	Refinements []*model.PersonaRefinement
	Voice       *voice
	Passages    []passage
	Language    string // English name of the language
	warnings    []string
}

// Words returns the approximate length of the text in words.
func (c *contentTask) Words() int {
	return map[model.ContentLength]int{
		model.ContentLengthShort: 80, model.ContentLengthMedium: 200, model.ContentLengthLong: 450,
	}[optional.ValueOr(c.Length, model.ContentLengthMedium)]
}

// Kind returns the content type in words.
func (c *contentTask) Kind() string {
	return strings.ReplaceAll(optional.ValueOr(c.ContentType, "text"), "_", " ")
}

// GenerateContent writes a text in a persona's voice and stores it as a document. If it cannot be
// stored, it is returned with a warning. It fails with not_found, validation_failed,
// budget_exhausted, model_failed and model_timeout.
func (s *Service) GenerateContent(ctx context.Context,
	in api.GeneratePersonaContentInput) (*model.GeneratePersonaContentPayload, error) {
	p := principal.Must(ctx)
	c, err := s.prepareContent(ctx, p.WorkspaceID, newContentRequest(in))
	if err != nil {
		return nil, err
	}
	var answer llm.Answer
	err = s.accounts.Spend(ctx, p.WorkspaceID, fieldContent, runCost, func(ctx context.Context) (FinishFunc, error) {
		answer, err = s.writeContent(ctx, p.WorkspaceID, c, callLimit)
		return func(context.Context, dbx.Tx) error { return nil }, err
	})
	if err != nil {
		return nil, fmt.Errorf("generate content: %w", err)
	}
	return s.saveContent(context.WithoutCancel(ctx), c, answer, s.db.InTx), nil
}

// EstimateContent returns the cost of GenerateContent, and its errors for an invalid request.
func (s *Service) EstimateContent(ctx context.Context, in api.GeneratePersonaContentInput) (*model.Estimate, error) {
	if _, err := s.prepareContent(ctx, principal.Must(ctx).WorkspaceID, newContentRequest(in)); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

// StartContent queues a job that runs GenerateContent.
func (s *Service) StartContent(ctx context.Context, in api.GeneratePersonaContentInput) (*model.StartedJob, error) {
	p := principal.Must(ctx)
	b := newContentRequest(in)
	if _, err := s.prepareContent(ctx, p.WorkspaceID, b); err != nil {
		return nil, err
	}
	return s.startJob(ctx, fieldContent, "", job.Request{Type: JobContent, Parameters: b})
}

func (s *Service) workContent(ctx context.Context, run *job.Run) (any, error) {
	p := principal.Must(ctx)
	b, err := job.Parameters[contentRequest](run.Job)
	if err != nil {
		return nil, err
	}
	c, err := s.prepareContent(ctx, p.WorkspaceID, b)
	if err != nil {
		return nil, err
	}
	answer, err := s.writeContent(ctx, p.WorkspaceID, c, jobLimit)
	if err != nil {
		return nil, err
	}
	return s.saveContent(ctx, c, answer, run.InTx), nil
}

// prepareContent validates a request and reads its persona and voice.
func (s *Service) prepareContent(ctx context.Context, workspaceID string, b contentRequest) (*contentTask, error) {
	c := &contentTask{contentRequest: b}
	var err error
	if c.Persona, err = s.byID(ctx, workspaceID, b.PersonaID, nil); err != nil {
		return nil, err
	}
	var invalid errs.FieldErrors
	if c.Voice, err = s.voiceFor(ctx, &invalid, c.Persona, b.VoiceProfileID); err != nil {
		return nil, err
	}
	if err := s.checkDocuments(ctx, &invalid, workspaceID, "referenceDocumentIds", b.ReferenceDocumentIDs); err != nil {
		return nil, err
	}
	return c, invalid.Err()
}

//go:embed content.tmpl
var contentText string

var contentPrompt = llm.MustPrompt("persona.content", contentText)

// writeContent gathers passages and asks the model for the text within the limit.
func (s *Service) writeContent(ctx context.Context, workspaceID string, c *contentTask,
	limit llm.Limit) (answer llm.Answer, err error) {
	if c.Refinements, err = s.learnedRefinements(ctx, workspaceID, c.Persona.ID); err != nil {
		return answer, err
	}
	found, err := s.gatherPassages(ctx, c.Persona, c.Topic, "reference_document_ids", c.ReferenceDocumentIDs)
	if err != nil {
		return answer, err
	}
	if c.Passages = found.passages; found.warning != "" {
		c.warnings = append(c.warnings, found.warning)
	}
	c.Language = languageName(c.Persona.ResponseLanguage)
	if len(c.Passages) == 0 {
		c.warnings = append(c.warnings, found.missingNote()+": the text is based on the persona alone")
	}
	task, err := contentPrompt.Task(c)
	if err != nil {
		return answer, err
	}
	task.MaxTokens = c.Words() * 4
	task.Input = c.offlineOutline()
	if answer, err = s.askWithin(limit)(ctx, task); answer.Warning != "" {
		c.warnings = append(c.warnings, answer.Warning)
	}
	return answer, err
}

// saveContent stores the text as a document and returns the payload. A storage error becomes a
// warning. A retry stores nothing twice, because it has the same document ID.
func (s *Service) saveContent(
	ctx context.Context, c *contentTask, answer llm.Answer,
	inTx func(context.Context, func(context.Context, dbx.Tx) error) error,
) *model.GeneratePersonaContentPayload {
	out := &model.GeneratePersonaContentPayload{
		Content: answer.Text, ContentType: c.ContentType, ModelUsed: answer.Model, DocumentID: &c.DocumentID,
		Truncated:         answer.Truncated,
		SourceDocumentIDs: c.sourceIDs(),
	}
	if c.Voice != nil {
		out.VoiceProfileUsed = c.Voice.profile
	}
	kind := optional.ValueOr(c.ContentType, "text")
	tags, internal := []string{model.TagGenerated}, model.VisibilityInternal
	err := inTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.documents.CreateIfMissing(ctx, tx, c.Persona.WorkspaceID, c.DocumentID, api.CreateDocumentInput{
			Title: text.Truncate(c.Topic, 200), Content: answer.Text, ContentType: graphql.OmittableOf(&kind),
			Tags:       graphql.OmittableOf(tags),
			Visibility: graphql.OmittableOf(&internal),
		})
	})
	if err != nil {
		out.DocumentID = nil
		c.warnings = append(c.warnings, "the text could not be stored as a document: "+errs.From(err).Message)
	}
	out.Warning = joinWarnings(c.warnings)
	return out
}

// phrasesOf returns up to three phrases of a comma-separated list.
func phrasesOf(list string) []string {
	var out []string
	for _, c := range offline.Concerns(list, "en") {
		if len(out) < 3 {
			out = append(out, c.Phrase)
		}
	}
	return out
}
