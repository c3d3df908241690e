package persona

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/command"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// draftRequest holds the parameters of a draft or build job.
type draftRequest struct {
	Name                     string   `json:"name"`
	Category                 string   `json:"category,omitempty"`
	CommunicationStyle       string   `json:"communication_style,omitempty"`
	Concerns                 string   `json:"concerns,omitempty"`
	Description              string   `json:"description,omitempty"`
	Interests                string   `json:"interests,omitempty"`
	Model                    string   `json:"model,omitempty"`
	Template                 string   `json:"template,omitempty"`
	Tone                     string   `json:"tone,omitempty"`
	OverwriteExisting        bool     `json:"overwrite_existing,omitempty"`
	WritingSampleDocumentIDs []string `json:"writing_sample_document_ids,omitempty"`
	DocumentIDs              []string `json:"document_ids,omitempty"`
	MayReadInternal          bool     `json:"may_read_internal,omitempty"`

	// PersonaID is chosen with the request, so that a retried job creates its persona once.
	PersonaID string `json:"persona_id,omitempty"`
}

func newDraftRequest(in api.DraftPersonaInput) draftRequest {
	return draftRequest{
		Name: strings.TrimSpace(in.Name), Category: optional.ValueOr(in.Category.Value(), ""),
		Concerns:           optional.ValueOr(in.Concerns.Value(), ""),
		CommunicationStyle: optional.ValueOr(in.CommunicationStyle.Value(), ""),
		Description:        optional.ValueOr(in.Description.Value(), ""),
		Interests:          optional.ValueOr(in.Interests.Value(), ""), Model: optional.ValueOr(in.Model.Value(), ""),
		Template:                 optional.ValueOr(in.Template.Value(), ""),
		Tone:                     optional.ValueOr(in.Tone.Value(), ""),
		OverwriteExisting:        optional.ValueOr(in.OverwriteExisting.Value(), false),
		WritingSampleDocumentIDs: distinctIDs(in.WritingSampleDocumentIds.Value()),
		MayReadInternal:          optional.ValueOr(in.MayReadInternal.Value(), false),
	}
}

func (o draftRequest) checkSamples() error {
	var invalid errs.FieldErrors
	if len(o.WritingSampleDocumentIDs) > maxEntries {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", maxEntries), "writingSampleDocumentIds")
	}
	return invalid.Err()
}

// draftTask is a draft request together with the data of its prompt.
type draftTask struct {
	draftRequest
	Persona        *model.DraftedPersona
	Wanted         []string // REST names of the fields to write
	Material       []string // texts by the persona or about it
	hasSamples     bool     // whether Material was written by the persona
	validSamples   []string
	invalidSamples []string
}

// draftFields are the REST names of the fields that a model writes.
var draftFields = []string{"category", "description", "communication_style", "concerns", "interests", "tone"}

// draftField returns a pointer to the named field of a drafted persona.
func draftField(p *model.DraftedPersona, name string) *string {
	return map[string]*string{
		"category": &p.Category, "description": &p.Description, "communication_style": &p.CommunicationStyle,
		"concerns": &p.Concerns, "interests": &p.Interests, "tone": &p.Tone,
	}[name]
}

// Draft writes a persona around a name without storing it. It keeps non-empty fields unless
// overwrite_existing is set. It fails with validation_failed, budget_exhausted, model_failed and
// model_timeout.
func (s *Service) Draft(ctx context.Context, in api.DraftPersonaInput) (*model.DraftPersonaPayload, error) {
	p := principal.Must(ctx)
	o := newDraftRequest(in)
	if err := o.checkSamples(); err != nil {
		return nil, err
	}
	var out *model.DraftPersonaPayload
	err := s.accounts.Spend(ctx, p.WorkspaceID, fieldDraft, runCost,
		func(ctx context.Context) (_ FinishFunc, err error) {
			out, _, err = s.writeDraft(ctx, p.WorkspaceID, o, callLimit)
			return func(context.Context, dbx.Tx) error { return nil }, err
		})
	if err != nil {
		return nil, fmt.Errorf("draft persona: %w", err)
	}
	return out, nil
}

// EstimateDraft returns the cost of Draft, or validation_failed.
func (s *Service) EstimateDraft(ctx context.Context, in api.DraftPersonaInput) (*model.Estimate, error) {
	o := newDraftRequest(in)
	if err := o.checkSamples(); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

// StartDraft queues a job that runs Draft.
func (s *Service) StartDraft(ctx context.Context, in api.DraftPersonaInput) (*model.StartedJob, error) {
	o := newDraftRequest(in)
	if err := o.checkSamples(); err != nil {
		return nil, err
	}
	return s.startJob(ctx, fieldDraft, o.Model, job.Request{Type: JobDraft, Parameters: o})
}

func (s *Service) workDraft(ctx context.Context, run *job.Run) (any, error) {
	p := principal.Must(ctx)
	o, err := job.Parameters[draftRequest](run.Job)
	if err != nil {
		return nil, err
	}
	out, _, err := s.writeDraft(ctx, p.WorkspaceID, o, jobLimit)
	return out, err
}

//go:embed draft.tmpl
var draftText string

//go:embed draft.json
var draftSchema json.RawMessage

var draftPrompt = llm.MustPrompt("persona.draft", draftText)

const draftTokens = 1500

// writeDraft asks the model for the missing fields. It returns the payload and its task, or the
// model's error.
func (s *Service) writeDraft(ctx context.Context, workspaceID string, o draftRequest,
	limit llm.Limit) (*model.DraftPersonaPayload, *draftTask, error) {
	d, err := s.prepareDraft(ctx, workspaceID, o)
	if err != nil {
		return nil, nil, err
	}
	task, err := draftPrompt.Task(d)
	if err != nil {
		return nil, nil, err
	}
	task.Schema, task.MaxTokens, task.Model = draftSchema, draftTokens, o.Model
	task.Input = d.offlineDraft()
	written, answer, err := llm.AskWithin[model.DraftedPersona](ctx, s.engine, limit, task)
	if err != nil {
		return nil, nil, err
	}
	generated := d.fillFields(&written)
	return &model.DraftPersonaPayload{
		Persona: d.Persona, GeneratedFields: generated, InvalidWritingSampleDocumentIDs: d.invalidSamples,
		WritingSampleDocumentIDs: d.validSamples,
		Success:                  true, Warning: optional.NonEmpty(answer.Warning), UsedModel: answer.Model,
		WritingSamplesConsidered: len(d.validSamples),
	}, d, nil
}

// prepareDraft determines the fields to write and their material: writing samples, else documents
// that mention the name.
func (s *Service) prepareDraft(ctx context.Context, workspaceID string, o draftRequest) (*draftTask, error) {
	d := &draftTask{draftRequest: o, validSamples: []string{}, invalidSamples: []string{}}
	d.Persona = &model.DraftedPersona{
		Name: o.Name, Category: o.Category, Description: o.Description, CommunicationStyle: o.CommunicationStyle,
		Concerns: o.Concerns, Interests: o.Interests, Tone: o.Tone, Template: o.Template,
	}
	for _, name := range draftFields {
		if o.OverwriteExisting || strings.TrimSpace(*draftField(d.Persona, name)) == "" {
			d.Wanted = append(d.Wanted, name)
		}
	}
	docs, err := s.documents.ReadableByIDs(ctx, workspaceID, o.WritingSampleDocumentIDs, o.MayReadInternal,
		readColumns...)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(docs, func(a, b *model.Document) int {
		return cmp.Compare(slices.Index(o.WritingSampleDocumentIDs, a.ID),
			slices.Index(o.WritingSampleDocumentIDs, b.ID))
	})
	for _, id := range o.WritingSampleDocumentIDs {
		if slices.ContainsFunc(docs, func(doc *model.Document) bool { return doc.ID == id }) {
			d.validSamples = append(d.validSamples, id)
		} else {
			d.invalidSamples = append(d.invalidSamples, id)
		}
	}
	d.Persona.WritingSampleDocumentIDs = d.validSamples
	if d.hasSamples = len(docs) > 0; !d.hasSamples {
		if docs, err = s.documents.Mentioning(ctx, workspaceID, searchWords(o.Name), maxSamples, o.MayReadInternal,
			readColumns...); err != nil {
			return nil, err
		}
		docs = slices.DeleteFunc(docs, func(doc *model.Document) bool {
			return text.Covered(o.Name, doc.Title+"\n"+optional.ValueOr(doc.Content, "")) < 1
		})
	}
	for _, doc := range docs[:min(len(docs), maxSamples)] {
		d.Material = append(d.Material, text.Truncate(optional.ValueOr(doc.Content, ""), sampleRunes))
	}
	return d, nil
}

// offlineDraft returns the material for the offline engine.
func (d *draftTask) offlineDraft() offline.Draft {
	return offline.Draft{
		Name: d.Name, Material: d.Material, Own: d.hasSamples, Wanted: d.Wanted,
		Options: offline.GivenOptions("model", strings.TrimPrefix(d.Model, offline.Model)),
	}
}

// fillFields stores non-empty results in the wanted fields and builds the template. It returns the
// changed fields' REST names.
func (d *draftTask) fillFields(written *model.DraftedPersona) []string {
	generated := []string{}
	for _, name := range d.Wanted {
		value := text.Truncate(strings.TrimSpace(*draftField(written, name)), fieldRunes)
		if name == "category" {
			value = text.Truncate(value, 100)
		}
		if value != "" && len(command.Find(value)) == 0 { // a field becomes a part of later prompts
			*draftField(d.Persona, name) = value
			generated = append(generated, name)
		}
	}
	if d.Persona.Category == "" {
		d.Persona.Category = defaultCategory
	}
	if d.OverwriteExisting || strings.TrimSpace(d.Template) == "" {
		d.Persona.Template = buildTemplate(d.asPersona())
		generated = append(generated, "template")
	}
	return generated
}

// fieldRunes is the maximum length of a field accepted by Create, in code points.
const fieldRunes = 10_000

// asPersona returns the draft as a persona with the fields that its template uses.
func (d *draftTask) asPersona() *model.Persona {
	p := &model.Persona{
		Name: d.Persona.Name, Category: d.Persona.Category, Description: d.Persona.Description,
		Interests: d.Persona.Interests,
		Concerns:  d.Persona.Concerns, CommunicationStyle: d.Persona.CommunicationStyle, Tone: d.Persona.Tone,
	}
	p.EntityKindResolved = inferKind(p)
	return p
}
