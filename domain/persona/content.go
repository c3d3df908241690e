package persona

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/optional"
	"rostrum/principal"
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
		PersonaID: in.PersonaID, Topic: strings.TrimSpace(in.Topic), ContentType: in.ContentType.Value(), Length: in.Length.Value(),
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

// GenerateContent writes a text in a persona's voice and stores it as a document. A text that cannot be stored is returned with a warning.
// It fails with not_found, validation_failed, budget_exhausted, model_failed and model_timeout.
func (s *Service) GenerateContent(ctx context.Context, in api.GeneratePersonaContentInput) (*model.GeneratePersonaContentPayload, error) {
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
	return s.startJob(ctx, fieldContent, job.Request{Type: JobContent, Parameters: b})
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
func (s *Service) writeContent(ctx context.Context, workspaceID string, c *contentTask, limit llm.Limit) (answer llm.Answer, err error) {
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
		c.warnings = append(c.warnings, "no document of the workspace covers the topic: the text is based on the persona alone")
	}
	if s.usesBuiltin() && !sameLanguage(parseTag(c.Persona.ResponseLanguage), parseTag("en")) {
		c.warnings = append(c.warnings, "the built-in engine writes English and does not translate: configure a text model for a text in "+c.Language)
	}
	task, err := contentPrompt.Task(c)
	if err != nil {
		return answer, err
	}
	task.MaxTokens = c.Words() * 4
	task.Builtin = func(context.Context) (string, error) { return c.composeText() }
	return s.askWithin(limit)(ctx, task)
}

// saveContent stores the text as a document and returns the payload. The document ID makes it idempotent across retries. A storage error
// becomes a warning.
func (s *Service) saveContent(
	ctx context.Context, c *contentTask, answer llm.Answer, inTx func(context.Context, func(context.Context, dbx.Tx) error) error,
) *model.GeneratePersonaContentPayload {
	out := &model.GeneratePersonaContentPayload{
		Content: answer.Text, ContentType: c.ContentType, ModelUsed: answer.Model, DocumentID: &c.DocumentID, Truncated: answer.Truncated,
		SourceDocumentIDs: c.sourceIDs(),
	}
	if c.Voice != nil {
		out.VoiceProfileUsed = c.Voice.profile
	}
	kind := optional.ValueOr(c.ContentType, "text")
	tags, internal := []string{model.TagGenerated}, model.VisibilityInternal
	err := inTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.documents.CreateIfMissing(ctx, tx, c.Persona.WorkspaceID, c.DocumentID, api.CreateDocumentInput{
			Title: text.Truncate(c.Topic, 200), Content: answer.Text, ContentType: graphql.OmittableOf(&kind), Tags: graphql.OmittableOf(tags),
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

//go:embed compose.tmpl
var composeText string

var composeTemplate = template.Must(template.New("compose").Funcs(template.FuncMap{"lower": lowerFirst}).Parse(composeText))

// contentData is the data of the templates for built-in texts.
type contentData struct {
	*contentTask
	Lead    string   // the sentence that matches the topic best
	Body    []string // further sentences in the order of their documents
	Sources []string // titles of the source documents
	Likes   []string
	Worries []string
}

// composeText returns the text of the built-in engine: sentences of the passages about the topic in the form of the content type, with the
// persona's interests and concerns.
func (c *contentTask) composeText() (string, error) {
	out := contentData{contentTask: c, Likes: phrasesOf(c.Persona.Interests), Worries: phrasesOf(c.Persona.Concerns)}
	for _, p := range c.Passages {
		if !slices.Contains(out.Sources, p.item.Title) {
			out.Sources = append(out.Sources, p.item.Title)
		}
	}
	if chosen := c.pickFacts(); len(chosen) > 0 {
		out.Lead = chosen[0].text
		rest := chosen[1:]
		slices.SortFunc(rest, func(a, b factSentence) int { return cmp.Compare(a.position, b.position) })
		for _, fact := range rest {
			out.Body = append(out.Body, fact.text)
		}
	}
	form := "text"
	if slices.Contains(contentForms, optional.ValueOr(c.ContentType, form)) {
		form = optional.ValueOr(c.ContentType, form)
	}
	var b strings.Builder
	if err := composeTemplate.ExecuteTemplate(&b, form, out); err != nil {
		return "", err
	}
	return trimParagraphs(b.String()), nil
}

// contentForms are the content types with a template of their own; others use the plain text template.
var contentForms = []string{"text", "email", "linkedin_post", "press_release", "blog"}

// factSentence is a sentence of a passage and its position among all sentences.
type factSentence struct {
	text     string
	position int
}

// frameWords is the approximate number of words around the facts of a text.
const frameWords = 40

// pickFacts returns the sentences that match the topic best, without duplicates, up to the requested length and at least one.
func (c *contentTask) pickFacts() []factSentence {
	var all []citedSentence
	for _, p := range c.Passages {
		for _, sentence := range text.Prose(p.Text) {
			all = append(all, citedSentence{text.Plain(sentence.Text), p.item.Title})
		}
	}
	place := map[string]int{}
	for i, sentence := range all {
		if _, seen := place[sentence.Text]; !seen {
			place[sentence.Text] = i
		}
	}
	var chosen []factSentence
	wordsLeft := c.Words() - frameWords
	for i, sentence := range distinctSentences(append(rankSentences(all, c.Topic, len(all)), all...)) {
		if wordsLeft -= len(text.Words(sentence.Text)); wordsLeft < 0 && i > 0 {
			break
		}
		chosen = append(chosen, factSentence{sentence.Text, place[sentence.Text]})
	}
	return chosen
}

// phrasesOf returns up to three phrases of a comma-separated list.
func phrasesOf(list string) []string {
	var out []string
	for _, c := range text.Cares(list, false) {
		if len(out) < 3 {
			out = append(out, c.Phrase)
		}
	}
	return out
}
