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

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

// brief is a text to write, as a job keeps it.
type brief struct {
	PersonaID            string               `json:"persona_id"`
	Topic                string               `json:"topic"`
	ContentType          *string              `json:"content_type,omitempty"`
	Length               *model.ContentLength `json:"length,omitempty"`
	ReferenceDocumentIDs []string             `json:"reference_document_ids,omitempty"`
	VoiceProfileID       *string              `json:"voice_profile_id,omitempty"`

	// DocumentID is what the text will be stored as, so that a job that runs twice stores it once.
	DocumentID string `json:"document_id"`
}

func briefOf(personaID string, in model.PersonaContentInput) brief {
	return brief{
		PersonaID: personaID, Topic: strings.TrimSpace(in.Topic), ContentType: in.ContentType.Value(), Length: in.Length.Value(),
		ReferenceDocumentIDs: once(in.ReferenceDocumentIds.Value()), VoiceProfileID: in.VoiceProfileID.Value(),
		DocumentID: model.NewID(model.DocumentPrefix),
	}
}

// commission is a brief with everything that its text needs.
type commission struct {
	brief
	Persona     *model.Persona
	Refinements []*model.PersonaRefinement
	Voice       *voice
	Passages    []passage
	Language    string // its name in English
	warnings    []string
}

// Words is about how long the text is to be.
func (c *commission) Words() int {
	return map[model.ContentLength]int{
		model.ContentLengthShort: 80, model.ContentLengthMedium: 200, model.ContentLengthLong: 450,
	}[model.ValueOr(c.Length, model.ContentLengthMedium)]
}

// Kind is what the text is, in words.
func (c *commission) Kind() string {
	return strings.ReplaceAll(model.ValueOr(c.ContentType, "text"), "_", " ")
}

// GenerateContent writes a text in a persona's voice and stores it as a document; a text that cannot be stored still comes back, with a
// warning. It fails with not_found, budget_exhausted, model_failed and model_timeout.
func (s *Service) GenerateContent(
	ctx context.Context, personaID string, in model.PersonaContentInput, estimate bool,
) (*model.PersonaContentPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.commission(ctx, p.WorkspaceID, briefOf(personaID, in))
	if err != nil {
		return nil, err
	}
	if estimate {
		costs, err := s.estimate(ctx, p)
		return &model.PersonaContentPayload{Estimate: costs}, err
	}
	var answer llm.Answer
	err = s.accounts.Spend(ctx, p.WorkspaceID, opContent, oneRun, func(ctx context.Context) (Finish, error) {
		answer, err = s.write(ctx, p.WorkspaceID, c, callTime)
		return func(context.Context, dbx.Tx) error { return nil }, err
	})
	if err != nil {
		return nil, fmt.Errorf("generate content: %w", err)
	}
	return s.saved(context.WithoutCancel(ctx), c, answer, s.db.InTx), nil
}

// GenerateContentAsync is GenerateContent by a job.
func (s *Service) GenerateContentAsync(ctx context.Context, personaID string, in model.PersonaContentInput, estimate bool) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	b := briefOf(personaID, in)
	if _, err := s.commission(ctx, p.WorkspaceID, b); err != nil {
		return nil, err
	}
	return s.enqueue(ctx, p, JobContent, opContent, "", b, estimate)
}

func (s *Service) workContent(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	b, err := job.Parameters[brief](run.Job)
	if err != nil {
		return nil, err
	}
	c, err := s.commission(ctx, p.WorkspaceID, b)
	if err != nil {
		return nil, err
	}
	answer, err := s.write(ctx, p.WorkspaceID, c, jobTime)
	if err != nil {
		return nil, err
	}
	return s.saved(ctx, c, answer, run.InTx), nil
}

// commission checks a brief and reads whose voice it is for.
func (s *Service) commission(ctx context.Context, workspaceID string, b brief) (*commission, error) {
	c := &commission{brief: b}
	var err error
	if c.Persona, err = s.byID(ctx, workspaceID, b.PersonaID, nil); err != nil {
		return nil, err
	}
	var bad faults
	if c.Voice, err = s.voiceOf(ctx, &bad, c.Persona, b.VoiceProfileID); err != nil {
		return nil, err
	}
	if err := s.checkDocuments(ctx, &bad, workspaceID, "referenceDocumentIds", b.ReferenceDocumentIDs); err != nil {
		return nil, err
	}
	return c, bad.err()
}

//go:embed content.tmpl
var contentWords string

var contentPrompt = llm.MustPrompt("persona.content", contentWords)

// write gathers facts and asks for the text.
func (s *Service) write(ctx context.Context, workspaceID string, c *commission, most llm.Limit) (answer llm.Answer, err error) {
	if c.Refinements, err = s.refinements(ctx, workspaceID, c.Persona.ID); err != nil {
		return answer, err
	}
	if c.Passages, _, err = s.gather(ctx, workspaceID, c.Topic, c.ReferenceDocumentIDs); err != nil {
		return answer, err
	}
	c.Language = languageName(c.Persona.ResponseLanguage)
	if len(c.Passages) == 0 {
		c.warnings = append(c.warnings, "no document of the workspace speaks of the topic, so the text rests on nothing but the persona")
	}
	if s.builtin() && !sameLanguage(tagOf(c.Persona.ResponseLanguage), tagOf("en")) {
		c.warnings = append(c.warnings, "the built-in engine writes English and does not translate: configure a text model for a text in "+c.Language)
	}
	task, err := contentPrompt.Task(c)
	if err != nil {
		return answer, err
	}
	task.MaxTokens = c.Words() * 4
	task.Builtin = func(context.Context) (string, error) { return c.compose() }
	return s.asking(most)(ctx, task)
}

// saved stores the text as a document, once for all tries of its job, and gives the answer; what keeps it from being stored is a warning.
func (s *Service) saved(
	ctx context.Context, c *commission, answer llm.Answer, inTx func(context.Context, func(context.Context, dbx.Tx) error) error,
) *model.PersonaContentPayload {
	out := &model.PersonaContentPayload{
		Content: answer.Text, ContentType: c.ContentType, ModelUsed: answer.Model, DocumentID: &c.DocumentID, Truncated: answer.Truncated,
	}
	if c.Voice != nil {
		out.VoiceProfileUsed = c.Voice.profile
	}
	kind := model.ValueOr(c.ContentType, "text")
	tags := []string{model.TagGenerated}
	err := inTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.documents.Keep(ctx, tx, c.Persona.WorkspaceID, c.DocumentID, model.CreateDocumentInput{
			Title: text.Truncate(c.Topic, 200), Content: answer.Text, ContentType: graphql.OmittableOf(&kind), Tags: graphql.OmittableOf(tags),
		})
	})
	if err != nil {
		out.DocumentID = nil
		c.warnings = append(c.warnings, "the text could not be stored as a document: "+errs.From(err).Message)
	}
	out.Warning = sentenceOf(c.warnings)
	return out
}

//go:embed compose.tmpl
var composeWords string

var composeTemplate = template.Must(template.New("compose").Funcs(template.FuncMap{"lower": lowerFirst}).Parse(composeWords))

// composed is what the built-in engine's text is written from.
type composed struct {
	*commission
	Lead    string   // the sentence that says most of the topic
	Body    []string // others, in their documents' order
	Sources []string // the titles of the documents that they stand in
	Likes   []string
	Worries []string
}

// compose is the built-in engine's text: sentences of the passages that speak of the topic, in the form of the kind, from the persona's side.
func (c *commission) compose() (string, error) {
	out := composed{commission: c, Likes: phrasesOf(c.Persona.Interests), Worries: phrasesOf(c.Persona.Concerns)}
	for _, p := range c.Passages {
		if !slices.Contains(out.Sources, p.item.Title) {
			out.Sources = append(out.Sources, p.item.Title)
		}
	}
	if chosen := c.facts(); len(chosen) > 0 {
		out.Lead = chosen[0].said
		rest := chosen[1:]
		slices.SortFunc(rest, func(a, b fact) int { return cmp.Compare(a.place, b.place) })
		for _, one := range rest {
			out.Body = append(out.Body, one.said)
		}
	}
	form := "text"
	if slices.Contains(forms, model.ValueOr(c.ContentType, form)) {
		form = model.ValueOr(c.ContentType, form)
	}
	var b strings.Builder
	if err := composeTemplate.ExecuteTemplate(&b, form, out); err != nil {
		return "", err
	}
	return squeeze(b.String()), nil
}

// forms are the kinds that have a form of their own; every other one is a plain text.
var forms = []string{"text", "email", "linkedin_post", "press_release", "blog"}

// fact is a sentence of a passage and its place among all of them.
type fact struct {
	said  string
	place int
}

// frame is about how many words a text has beside its facts.
const frame = 40

// facts are the sentences that say most of the topic, best first and each once, as many as the length has room for and at least one.
func (c *commission) facts() []fact {
	var all []quoted
	for _, p := range c.Passages {
		for _, sentence := range text.Prose(p.Text) {
			all = append(all, quoted{text.Plain(sentence.Text), p.item.Title})
		}
	}
	place := map[string]int{}
	for i, one := range all {
		if _, again := place[one.Text]; !again {
			place[one.Text] = i
		}
	}
	var chosen []fact
	room := c.Words() - frame
	for i, one := range eachOnce(append(fitting(all, c.Topic, len(all)), all...)) {
		if room -= len(text.Words(one.Text)); room < 0 && i > 0 {
			break
		}
		chosen = append(chosen, fact{one.Text, place[one.Text]})
	}
	return chosen
}

// phrasesOf lists up to three phrases of a list.
func phrasesOf(list string) []string {
	var out []string
	for _, c := range text.Cares(list, false) {
		if len(out) < 3 {
			out = append(out, c.Phrase)
		}
	}
	return out
}
