package persona

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

// question is what a caller asks, as a job keeps it.
type question struct {
	PersonaID          string                 `json:"persona_id"`
	InputContent       string                 `json:"input_content"`
	InteractionType    *model.InteractionType `json:"interaction_type,omitempty"`
	InteractionName    *string                `json:"interaction_name,omitempty"`
	DocumentID         *string                `json:"document_id,omitempty"`
	ContextDocumentIDs []string               `json:"context_document_ids,omitempty"`
	FollowUps          bool                   `json:"enable_follow_up_questions,omitempty"`
	WebSearch          bool                   `json:"ground_with_web_search,omitempty"`
	Model              string                 `json:"model,omitempty"`
	Override           *override              `json:"persona_override,omitempty"`
	ResponseLanguage   *string                `json:"response_language,omitempty"`
	VoiceProfileID     *string                `json:"voice_profile_id,omitempty"`
	SessionID          *string                `json:"session_id,omitempty"`

	// InteractionID is what the interaction will be called, so that a job that runs twice keeps it once.
	InteractionID string `json:"interaction_id"`
}

// override is a persona that is not stored.
type override struct {
	Name               string `json:"name"`
	Description        string `json:"description"`
	Tone               string `json:"tone"`
	Interests          string `json:"interests"`
	Concerns           string `json:"concerns"`
	CommunicationStyle string `json:"communication_style"`
}

func questionOf(in model.InteractInput) question {
	q := question{
		PersonaID: strings.TrimSpace(in.PersonaID), InteractionType: in.InteractionType.Value(), InteractionName: in.InteractionName.Value(),
		InputContent: strings.TrimSpace(model.ValueOr(in.InputContent.Value(), "")), DocumentID: in.DocumentID.Value(),
		ContextDocumentIDs: in.ContextDocumentIds.Value(), FollowUps: model.ValueOr(in.EnableFollowUpQuestions.Value(), false),
		WebSearch: model.ValueOr(in.GroundWithWebSearch.Value(), false), Model: model.ValueOr(in.Model.Value(), ""),
		ResponseLanguage: in.ResponseLanguage.Value(), VoiceProfileID: in.VoiceProfileID.Value(), SessionID: in.SessionID.Value(),
		InteractionID: model.NewID(model.InteractionPrefix),
	}
	if q.InputContent == "" {
		q.InputContent = strings.TrimSpace(model.ValueOr(in.Message.Value(), ""))
	}
	if o := in.PersonaOverride.Value(); o != nil {
		q.Override = &override{
			model.ValueOr(o.Name.Value(), ""), model.ValueOr(o.Description.Value(), ""), model.ValueOr(o.Tone.Value(), ""),
			model.ValueOr(o.Interests.Value(), ""), model.ValueOr(o.Concerns.Value(), ""), model.ValueOr(o.CommunicationStyle.Value(), ""),
		}
	}
	return q
}

// exchange is a question with everything that its answer needs.
type exchange struct {
	question
	Type         model.InteractionType
	Persona      *model.Persona
	resolvedFrom *string // nil with an override
	Refinements  []*model.PersonaRefinement
	Voice        *voice
	History      []*model.PersonaInteraction // oldest first
	Document     *model.Document             // whose text is at most materialBudget long
	Passages     []passage
	selection    *model.GroundedContextSelection
	suggestion   *model.GroundedContextSuggestion
	session      *string
	Language     language.Tag
	target       *language.Tag // what a translation was asked into
	warnings     []string
}

// LanguageName is the reply's language in English.
func (x *exchange) LanguageName() string { return display.English.Tags().Name(x.Language) }

// Material is what the persona has to judge.
func (x *exchange) Material() string {
	if x.Document != nil {
		return model.ValueOr(x.Document.Content, "")
	}
	return x.InputContent
}

// Read is the document that the persona reads, under its title.
func (x *exchange) Read() string {
	return x.Document.Title + "\n" + model.ValueOr(x.Document.Content, "")
}

func (x *exchange) warn(sentence string) { x.warnings = append(x.warnings, sentence) }

// resolve checks a question and reads what its answer needs, but for the context, which only an answer costs.
func (s *Service) resolve(ctx context.Context, workspaceID string, q question) (*exchange, error) {
	x := &exchange{question: q}
	var bad faults
	if q.InputContent == "" {
		bad.add("missing", "is required, unless message is given", "inputContent")
	}
	checkLanguage(&bad, "responseLanguage", q.ResponseLanguage)
	if err := s.findPersona(ctx, &bad, workspaceID, x); err != nil {
		return nil, err
	}
	if err := s.findVoice(ctx, &bad, x); err != nil {
		return nil, err
	}
	if err := s.findDocument(ctx, &bad, workspaceID, x); err != nil {
		return nil, err
	}
	if err := s.checkDocuments(ctx, &bad, workspaceID, "contextDocumentIds", q.ContextDocumentIDs); err != nil {
		return nil, err
	}
	if err := bad.err(); err != nil {
		return nil, err
	}
	x.settleType()
	return x, s.settleLanguage(ctx, x)
}

// findPersona takes the override, or the persona of the id, or the only one of the name.
func (s *Service) findPersona(ctx context.Context, bad *faults, workspaceID string, x *exchange) error {
	if o := x.Override; o != nil {
		x.Persona = o.persona(workspaceID, x.PersonaID)
		return nil
	}
	found, err := s.byID(ctx, workspaceID, x.PersonaID, nil)
	if err == nil {
		x.Persona, x.resolvedFrom = found, new("id")
		return nil
	}
	if !errs.Is(err, errs.NotFound) {
		return err
	}
	named, err := s.byName(ctx, workspaceID, x.PersonaID)
	switch {
	case err != nil:
		return err
	case len(named) > 1:
		return errs.New(errs.AmbiguousName, "several personas are called %s: ask one by its id", x.PersonaID)
	case len(named) == 0:
		bad.add("unknown_id", "is neither the id nor the exact name of a persona of this workspace", "personaId")
	default:
		x.Persona, x.resolvedFrom = named[0], new("name")
	}
	return nil
}

// persona makes the persona that an override describes.
func (o *override) persona(workspaceID, word string) *model.Persona {
	p := &model.Persona{
		ID: word, WorkspaceID: workspaceID, Name: o.Name, Category: defaultCategory, Description: o.Description, Tone: o.Tone,
		Interests: o.Interests, Concerns: o.Concerns, CommunicationStyle: o.CommunicationStyle, TemplateBuilt: true,
	}
	if p.Name == "" {
		p.Name = word
	}
	p.EntityKindResolved = kindOf(p)
	p.Template = build(p)
	return p
}

// findDocument reads the document that the persona is to read, as far as the budget goes.
func (s *Service) findDocument(ctx context.Context, bad *faults, workspaceID string, x *exchange) error {
	if x.DocumentID == nil {
		return nil
	}
	docs, err := s.documents.ByIDs(ctx, workspaceID, []string{*x.DocumentID}, readColumns...)
	if err != nil {
		return err
	}
	if len(docs) == 0 {
		bad.add("unknown_id", "names no document of this workspace", "documentId")
		return nil
	}
	x.Document = docs[0]
	whole := model.ValueOr(x.Document.Content, "")
	if tokens(whole) > materialBudget {
		part := text.Truncate(whole, materialBudget*4)
		x.Document.Content = &part
		x.warn("the document is longer than is read at once; only its beginning was read")
	}
	return nil
}

func (x *exchange) settleType() {
	x.Type = model.InteractionTypeCommunication
	if x.Document != nil {
		x.Type = model.InteractionTypeAnalysis
	}
	if x.InteractionType != nil {
		x.Type = *x.InteractionType
	}
	x.session = x.SessionID
	if x.session == nil && x.Type == model.InteractionTypeConversation && x.Override == nil {
		x.session = new(model.NewID(model.SessionPrefix))
	}
}

// settleLanguage finds the language of the reply: the one that is asked for, else the persona's, else the workspace's.
func (s *Service) settleLanguage(ctx context.Context, x *exchange) error {
	own := x.Persona.ResponseLanguage
	if own == "" {
		workspace, err := s.accounts.Workspace(ctx)
		if err != nil {
			return err
		}
		own = workspace.MarketLanguage
	}
	x.Language = language.Make(own)
	if x.ResponseLanguage != nil {
		if x.Language = language.Make(*x.ResponseLanguage); !sameLanguage(x.Language, language.Make(own)) {
			x.target = new(x.Language)
		}
	}
	if s.builtin() && !sameLanguage(x.Language, language.English) {
		x.target, x.Language = new(x.Language), language.English
		x.warn("the built-in engine writes English and does not translate: configure a text model for an answer in " +
			display.English.Tags().Name(*x.target))
	}
	return nil
}

func sameLanguage(a, b language.Tag) bool {
	one, _ := a.Base()
	other, _ := b.Base()
	return one == other
}

func (s *Service) builtin() bool { return s.engine.Model() == llm.BuiltinModel }

// ground reads what the answer stands on: the conversation until now, what the persona learned, and passages of documents.
func (s *Service) ground(ctx context.Context, workspaceID string, x *exchange) (err error) {
	if x.Override == nil {
		if x.Refinements, err = s.refinements(ctx, workspaceID, x.Persona.ID); err != nil {
			return err
		}
	}
	if x.SessionID != nil && x.Override == nil {
		if x.History, err = s.history(ctx, workspaceID, x.Persona.ID, *x.SessionID); err != nil {
			return err
		}
	}
	if x.Passages, x.selection, err = s.gather(ctx, workspaceID, x.InputContent, x.ContextDocumentIDs); err != nil {
		return err
	}
	x.carryDocument()
	if x.Document == nil { // which is ground enough
		x.suggestion = suggest(x.InputContent, x.corpus())
	}
	if x.Model != "" && x.Model != llm.BuiltinModel && s.builtin() {
		x.warn("model: no text model is configured, so the built-in engine answered")
	}
	return nil
}

// carryDocument tells of the document that is read as of the first thing that was carried, and leaves its passages out of the rest.
func (x *exchange) carryDocument() {
	if x.Document == nil {
		return
	}
	if x.selection == nil {
		x.selection = &model.GroundedContextSelection{BudgetTokens: contextBudget, Dropped: []*model.GroundedContextItem{}}
	}
	own := func(item *model.GroundedContextItem) bool { return item.DocumentID == x.Document.ID }
	x.Passages = slices.DeleteFunc(x.Passages, func(p passage) bool { return own(p.item) })
	x.selection.Items = slices.DeleteFunc(x.selection.Items, own)
	x.selection.Dropped = slices.DeleteFunc(x.selection.Dropped, own)
	content := model.ValueOr(x.Document.Content, "")
	read := &model.GroundedContextItem{
		DocumentID: x.Document.ID, Title: x.Document.Title, End: len([]rune(content)), Tokens: tokens(content), Score: 1, Reason: reasonDocument,
	}
	x.selection.Items = append([]*model.GroundedContextItem{read}, x.selection.Items...)
	x.selection.BudgetTokens += materialBudget
	x.selection.UsedTokens = 0
	for _, item := range x.selection.Items {
		x.selection.UsedTokens += item.Tokens
	}
}

// corpus is all that the persona knows.
func (x *exchange) corpus() string {
	p := x.Persona
	parts := []string{p.Name, p.Description, p.Interests, p.Concerns, p.Instructions, p.Template}
	for _, statement := range p.GroundedStatements {
		parts = append(parts, statement.Statement, statement.Quote)
	}
	for _, one := range x.History {
		parts = append(parts, one.InputContent, one.OutputContent)
	}
	for _, one := range x.Passages {
		parts = append(parts, one.Text)
	}
	return strings.Join(parts, "\n")
}
