package persona

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

// interactRequest holds the parameters of an interact job.
type interactRequest struct {
	PersonaID          string                 `json:"persona_id"`
	InputContent       string                 `json:"input_content"`
	InteractionType    *model.InteractionType `json:"interaction_type,omitempty"`
	InteractionName    *string                `json:"interaction_name,omitempty"`
	DocumentID         *string                `json:"document_id,omitempty"`
	ContextDocumentIDs []string               `json:"context_document_ids,omitempty"`
	FollowUps          bool                   `json:"enable_follow_up_questions,omitempty"`
	WebSearch          bool                   `json:"ground_with_web_search,omitempty"`
	Model              string                 `json:"model,omitempty"`
	Override           *personaOverride       `json:"persona_override,omitempty"`
	ResponseLanguage   *string                `json:"response_language,omitempty"`
	VoiceProfileID     *string                `json:"voice_profile_id,omitempty"`
	SessionID          *string                `json:"session_id,omitempty"`

	// InteractionID is chosen with the request, so that a retried job stores its interaction once.
	InteractionID string `json:"interaction_id"`
}

// personaOverride describes a persona that is not stored.
type personaOverride struct {
	Name               string `json:"name"`
	Description        string `json:"description"`
	Tone               string `json:"tone"`
	Interests          string `json:"interests"`
	Concerns           string `json:"concerns"`
	CommunicationStyle string `json:"communication_style"`
}

func newInteractRequest(in api.AskPersonaInput) interactRequest {
	q := interactRequest{
		PersonaID: strings.TrimSpace(in.PersonaID), InteractionType: in.InteractionType.Value(),
		InteractionName:    in.InteractionName.Value(),
		InputContent:       strings.TrimSpace(optional.ValueOr(in.InputContent.Value(), "")),
		DocumentID:         in.DocumentID.Value(),
		ContextDocumentIDs: in.ContextDocumentIds.Value(),
		FollowUps:          optional.ValueOr(in.EnableFollowUpQuestions.Value(), false),
		WebSearch:          optional.ValueOr(in.GroundWithWebSearch.Value(), false),
		Model:              optional.ValueOr(in.Model.Value(), ""),
		ResponseLanguage:   in.ResponseLanguage.Value(), VoiceProfileID: in.VoiceProfileID.Value(),
		SessionID:     in.SessionID.Value(),
		InteractionID: model.NewID(model.InteractionPrefix),
	}
	if q.InputContent == "" {
		q.InputContent = strings.TrimSpace(optional.ValueOr(in.Message.Value(), ""))
	}
	if o := in.PersonaOverride.Value(); o != nil {
		q.Override = &personaOverride{
			optional.ValueOr(o.Name.Value(), ""), optional.ValueOr(o.Description.Value(), ""),
			optional.ValueOr(o.Tone.Value(), ""),
			optional.ValueOr(o.Interests.Value(), ""), optional.ValueOr(o.Concerns.Value(), ""),
			optional.ValueOr(o.CommunicationStyle.Value(), ""),
		}
	}
	return q
}

// replyTask is an interact request together with the data of its prompt.
type replyTask struct {
	interactRequest
	Type         model.InteractionType
	Persona      *model.Persona
	resolvedFrom *model.PersonaMatch // nil with an override
	Refinements  []*model.PersonaRefinement
	Voice        *voice
	History      []*model.PersonaInteraction // oldest first
	Document     *model.Document             // its text is cut to materialBudget
	Passages     []passage
	selection    *model.GroundedContextSelection
	suggestion   *model.GroundedContextSuggestion
	session      *string
	Language     language.Tag
	target       *language.Tag // requested translation
	warnings     []string
}

// LanguageName returns the English name of the reply's language.
func (x *replyTask) LanguageName() string { return display.English.Tags().Name(x.Language) }

// Material returns the text that the persona judges.
func (x *replyTask) Material() string {
	if x.Document != nil {
		return optional.ValueOr(x.Document.Content, "")
	}
	return x.InputContent
}

// Read returns the document to be read, under its title.
func (x *replyTask) Read() string {
	return x.Document.Title + "\n" + optional.ValueOr(x.Document.Content, "")
}

func (x *replyTask) addWarning(sentence string) { x.warnings = append(x.warnings, sentence) }

// resolveRequest validates a request and reads the data of its prompt, without the context that
// only a reply needs. It returns all field errors at once.
func (s *Service) resolveRequest(ctx context.Context, workspaceID string, q interactRequest) (*replyTask, error) {
	x := &replyTask{interactRequest: q}
	var invalid errs.FieldErrors
	if q.InputContent == "" {
		invalid.Body("missing", "is required, unless message is given", "inputContent")
	}
	checkLanguage(&invalid, "responseLanguage", q.ResponseLanguage)
	if err := s.findPersona(ctx, &invalid, workspaceID, x); err != nil {
		return nil, err
	}
	if err := s.resolveVoice(ctx, &invalid, x); err != nil {
		return nil, err
	}
	if err := s.findDocument(ctx, &invalid, workspaceID, x); err != nil {
		return nil, err
	}
	if err := s.checkDocuments(ctx, &invalid, workspaceID, "contextDocumentIds", q.ContextDocumentIDs); err != nil {
		return nil, err
	}
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	x.resolveType()
	return x, s.resolveLanguage(ctx, x)
}

// findPersona resolves the override, an id, or an exact name. It fails with ambiguous_name if
// several personas have the name.
func (s *Service) findPersona(ctx context.Context, invalid *errs.FieldErrors, workspaceID string, x *replyTask) error {
	if o := x.Override; o != nil {
		x.Persona = o.toPersona(workspaceID, x.PersonaID)
		return nil
	}
	found, err := s.byID(ctx, workspaceID, x.PersonaID, nil)
	if err == nil {
		x.Persona, x.resolvedFrom = found, new(model.PersonaMatchID)
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
		return errs.New(errs.AmbiguousName, "several personas are named %s: use the id", x.PersonaID)
	case len(named) == 0:
		invalid.Body("unknown_id", "is neither the id nor the exact name of a persona of this workspace", "personaId")
	default:
		x.Persona, x.resolvedFrom = named[0], new(model.PersonaMatchName)
	}
	return nil
}

// toPersona returns the persona described by the override.
func (o *personaOverride) toPersona(workspaceID, word string) *model.Persona {
	p := &model.Persona{
		ID: word, WorkspaceID: workspaceID, Name: o.Name, Category: defaultCategory, Description: o.Description,
		Tone:      o.Tone,
		Interests: o.Interests, Concerns: o.Concerns, CommunicationStyle: o.CommunicationStyle, TemplateBuilt: true,
	}
	if p.Name == "" {
		p.Name = word
	}
	p.EntityKindResolved = inferKind(p)
	p.Template = buildTemplate(p)
	return p
}

// findDocument reads the document of the request, cut to materialBudget.
func (s *Service) findDocument(ctx context.Context, invalid *errs.FieldErrors, workspaceID string, x *replyTask) error {
	if x.DocumentID == nil {
		return nil
	}
	docs, err := s.documents.ByIDs(ctx, workspaceID, []string{*x.DocumentID}, readColumns...)
	if err != nil {
		return err
	}
	if len(docs) == 0 {
		invalid.Body("unknown_id", "names no document of this workspace", "documentId")
		return nil
	}
	x.Document = docs[0]
	whole := optional.ValueOr(x.Document.Content, "")
	if countTokens(whole) > materialBudget {
		part := text.Truncate(whole, materialBudget*4)
		x.Document.Content = &part
		x.addWarning("the document is too long: only its beginning was read")
	}
	return nil
}

func (x *replyTask) resolveType() {
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

// resolveLanguage sets the language of the reply: the requested one, else the persona's, else the
// workspace's.
func (s *Service) resolveLanguage(ctx context.Context, x *replyTask) error {
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
	return nil
}

func sameLanguage(a, b language.Tag) bool {
	first, _ := a.Base()
	second, _ := b.Base()
	return first == second
}

func (s *Service) isOffline() bool { return s.engine.Model() == offline.Model }

// gatherContext reads the conversation so far, the persona's refinements, and passages of
// documents.
func (s *Service) gatherContext(ctx context.Context, workspaceID string, x *replyTask) error {
	if x.Override == nil {
		if err := s.gatherMemory(ctx, workspaceID, x); err != nil {
			return err
		}
	}
	found, err := s.gatherPassages(ctx, x.Persona, x.InputContent, "context_document_ids", x.ContextDocumentIDs)
	if err != nil {
		return err
	}
	x.Passages, x.selection = found.passages, found.selection
	if found.warning != "" {
		x.addWarning(found.warning)
	}
	x.includeDocument()
	if x.Document == nil { // a document is sufficient context
		x.suggestion = suggestContext(x.InputContent, x.knownText())
	}
	return nil
}

// gatherMemory reads the conversation so far and the persona's refinements and statements, as far
// as the persona may have read their documents.
func (s *Service) gatherMemory(ctx context.Context, workspaceID string, x *replyTask) (err error) {
	if x.Persona, err = s.asReader(ctx, x.Persona); err != nil {
		return err
	}
	if x.Refinements, err = s.learnedRefinements(ctx, workspaceID, x.Persona.ID); err != nil || x.SessionID == nil {
		return err
	}
	earlier, err := s.listHistory(ctx, workspaceID, x.Persona.ID, *x.SessionID)
	if err != nil {
		return err
	}
	x.History, err = s.readableHistory(ctx, x, earlier)
	return err
}

// includeDocument makes the document of the request the first context item, and removes its
// passages from the others.
func (x *replyTask) includeDocument() {
	if x.Document == nil {
		return
	}
	if x.selection == nil {
		x.selection = &model.GroundedContextSelection{BudgetTokens: contextBudget,
			Dropped: []*model.GroundedContextItem{}}
	}
	own := func(item *model.GroundedContextItem) bool { return item.DocumentID == x.Document.ID }
	x.Passages = slices.DeleteFunc(x.Passages, func(p passage) bool { return own(p.item) })
	x.selection.Items = slices.DeleteFunc(x.selection.Items, own)
	x.selection.Dropped = slices.DeleteFunc(x.selection.Dropped, own)
	content := optional.ValueOr(x.Document.Content, "")
	read := &model.GroundedContextItem{
		DocumentID: x.Document.ID, Title: x.Document.Title, End: len([]rune(content)), Tokens: countTokens(content),
		Score: 1, Reason: model.PassageReasonDocument,
	}
	x.selection.Items = append([]*model.GroundedContextItem{read}, x.selection.Items...)
	x.selection.BudgetTokens += materialBudget
	x.selection.UsedTokens = 0
	for _, item := range x.selection.Items {
		x.selection.UsedTokens += item.Tokens
	}
}

// knownText returns all text that the persona knows.
func (x *replyTask) knownText() string {
	p := x.Persona
	parts := []string{p.Name, p.Description, p.Interests, p.Concerns, p.Instructions, p.Template}
	for _, statement := range p.GroundedStatements {
		parts = append(parts, statement.Statement, statement.Quote)
	}
	for _, entry := range x.History {
		parts = append(parts, entry.InputContent, entry.OutputContent)
	}
	for _, entry := range x.Passages {
		parts = append(parts, entry.Text)
	}
	return strings.Join(parts, "\n")
}
