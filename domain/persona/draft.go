package persona

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

// outline is what is known of a persona that is to be written, as a job keeps it.
type outline struct {
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

	// PersonaID is what the persona will be called that a job builds, so that a job that runs twice makes it once.
	PersonaID string `json:"persona_id,omitempty"`
}

func outlineOf(in model.DraftPersonaInput) outline {
	return outline{
		Name: strings.TrimSpace(in.Name), Category: model.ValueOr(in.Category.Value(), ""), Concerns: model.ValueOr(in.Concerns.Value(), ""),
		CommunicationStyle: model.ValueOr(in.CommunicationStyle.Value(), ""), Description: model.ValueOr(in.Description.Value(), ""),
		Interests: model.ValueOr(in.Interests.Value(), ""), Model: model.ValueOr(in.Model.Value(), ""), Template: model.ValueOr(in.Template.Value(), ""),
		Tone: model.ValueOr(in.Tone.Value(), ""), OverwriteExisting: model.ValueOr(in.OverwriteExisting.Value(), false),
		WritingSampleDocumentIDs: once(in.WritingSampleDocumentIds.Value()),
	}
}

func (o outline) check() error {
	var bad faults
	if len(o.WritingSampleDocumentIDs) > maxListed {
		bad.add("too_long", fmt.Sprintf("must have at most %d entries", maxListed), "writingSampleDocumentIds")
	}
	return bad.err()
}

// drafting is an outline with what it is filled in from.
type drafting struct {
	outline
	Persona  *model.DraftedPersona
	Wanted   []string // the fields that are to be written, in REST's spelling
	Material []string // what was written by or of the persona
	sampled  bool     // whether it was written by it
	valid    []string
	invalid  []string
}

// draftFields are the fields that a model writes, in REST's spelling.
var draftFields = []string{"category", "description", "communication_style", "concerns", "interests", "tone"}

// fieldOf is where a drafted persona holds a field.
func fieldOf(p *model.DraftedPersona, name string) *string {
	return map[string]*string{
		"category": &p.Category, "description": &p.Description, "communication_style": &p.CommunicationStyle,
		"concerns": &p.Concerns, "interests": &p.Interests, "tone": &p.Tone,
	}[name]
}

// Draft writes a persona around a name and stores nothing. Fields that are filled stay, unless overwriting is asked for. It fails with
// budget_exhausted, model_failed and model_timeout.
func (s *Service) Draft(ctx context.Context, in model.DraftPersonaInput, estimate bool) (*model.DraftPersonaPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	o := outlineOf(in)
	if err := o.check(); err != nil {
		return nil, err
	}
	if estimate {
		costs, err := s.estimate(ctx, p)
		return &model.DraftPersonaPayload{Estimate: costs}, err
	}
	var out *model.DraftPersonaPayload
	err = s.accounts.Spend(ctx, p.WorkspaceID, opDraft, oneRun, func(ctx context.Context) (Finish, error) {
		out, _, err = s.draft(ctx, p.WorkspaceID, o, callTime)
		return func(context.Context, dbx.Tx) error { return nil }, err
	})
	if err != nil {
		return nil, fmt.Errorf("draft persona: %w", err)
	}
	return out, nil
}

// DraftAsync is Draft by a job.
func (s *Service) DraftAsync(ctx context.Context, in model.DraftPersonaInput, estimate bool) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	o := outlineOf(in)
	if err := o.check(); err != nil {
		return nil, err
	}
	return s.enqueue(ctx, p, JobDraft, opDraft, "", o, estimate)
}

func (s *Service) workDraft(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	o, err := job.Parameters[outline](run.Job)
	if err != nil {
		return nil, err
	}
	out, _, err := s.draft(ctx, p.WorkspaceID, o, jobTime)
	return out, err
}

//go:embed draft.tmpl
var draftWords string

//go:embed draft.json
var draftSchema json.RawMessage

var draftPrompt = llm.MustPrompt("persona.draft", draftWords)

const draftTokens = 1500

// draft fills an outline in.
func (s *Service) draft(ctx context.Context, workspaceID string, o outline, most llm.Limit) (*model.DraftPersonaPayload, *drafting, error) {
	d, err := s.prepare(ctx, workspaceID, o)
	if err != nil {
		return nil, nil, err
	}
	task, err := draftPrompt.Task(d)
	if err != nil {
		return nil, nil, err
	}
	task.Schema, task.MaxTokens, task.Model = draftSchema, draftTokens, o.Model
	task.Builtin = func(context.Context) (string, error) { return encoded(fieldsOf(d.invent())) }
	written, answer, err := llm.AskWithin[model.DraftedPersona](ctx, s.engine, most, task)
	if err != nil {
		return nil, nil, err
	}
	generated := d.take(&written)
	return &model.DraftPersonaPayload{
		Persona: d.Persona, GeneratedFields: generated, InvalidWritingSampleDocumentIDs: d.invalid, WritingSampleDocumentIDs: d.valid,
		Success: true, UsedModel: answer.Model, WritingSamplesConsidered: len(d.valid),
	}, d, nil
}

// prepare finds what is to be written, and what to learn it from: the samples, else what the workspace's documents say of the name.
func (s *Service) prepare(ctx context.Context, workspaceID string, o outline) (*drafting, error) {
	d := &drafting{outline: o, valid: []string{}, invalid: []string{}}
	d.Persona = &model.DraftedPersona{
		Name: o.Name, Category: o.Category, Description: o.Description, CommunicationStyle: o.CommunicationStyle,
		Concerns: o.Concerns, Interests: o.Interests, Tone: o.Tone, Template: o.Template,
	}
	for _, name := range draftFields {
		if o.OverwriteExisting || strings.TrimSpace(*fieldOf(d.Persona, name)) == "" {
			d.Wanted = append(d.Wanted, name)
		}
	}
	docs, err := s.documents.ByIDs(ctx, workspaceID, o.WritingSampleDocumentIDs, readColumns...)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(docs, func(a, b *model.Document) int {
		return cmp.Compare(slices.Index(o.WritingSampleDocumentIDs, a.ID), slices.Index(o.WritingSampleDocumentIDs, b.ID))
	})
	for _, id := range o.WritingSampleDocumentIDs {
		if slices.ContainsFunc(docs, func(doc *model.Document) bool { return doc.ID == id }) {
			d.valid = append(d.valid, id)
		} else {
			d.invalid = append(d.invalid, id)
		}
	}
	d.Persona.WritingSampleDocumentIDs = d.valid
	if d.sampled = len(docs) > 0; !d.sampled {
		if docs, err = s.documents.Mentioning(ctx, workspaceID, telling(o.Name), voiceSamples, readColumns...); err != nil {
			return nil, err
		}
		docs = slices.DeleteFunc(docs, func(doc *model.Document) bool {
			return text.Covered(o.Name, doc.Title+"\n"+model.ValueOr(doc.Content, "")) < 1
		})
	}
	for _, doc := range docs[:min(len(docs), voiceSamples)] {
		d.Material = append(d.Material, text.Truncate(model.ValueOr(doc.Content, ""), sampleRunes))
	}
	return d, nil
}

// take puts what was written into the fields that wanted it, and builds the template; it tells which fields it filled.
func (d *drafting) take(written *model.DraftedPersona) []string {
	generated := []string{}
	for _, name := range d.Wanted {
		value := text.Truncate(strings.TrimSpace(*fieldOf(written, name)), fieldRunes)
		if name == "category" {
			value = text.Truncate(value, 100)
		}
		if value != "" {
			*fieldOf(d.Persona, name) = value
			generated = append(generated, name)
		}
	}
	if d.Persona.Category == "" {
		d.Persona.Category = defaultCategory
	}
	if d.OverwriteExisting || strings.TrimSpace(d.Template) == "" {
		d.Persona.Template = build(d.asPersona())
		generated = append(generated, "template")
	}
	return generated
}

// fieldRunes is the longest text of a field that creating a persona takes.
const fieldRunes = 10_000

// asPersona is the draft as a persona, as far as a template is built from it.
func (d *drafting) asPersona() *model.Persona {
	p := &model.Persona{
		Name: d.Persona.Name, Category: d.Persona.Category, Description: d.Persona.Description, Interests: d.Persona.Interests,
		Concerns: d.Persona.Concerns, CommunicationStyle: d.Persona.CommunicationStyle, Tone: d.Persona.Tone,
	}
	p.EntityKindResolved = kindOf(p)
	return p
}

// fieldsOf are a draft's fields in the form that a model answers in.
func fieldsOf(p *model.DraftedPersona) map[string]string {
	fields := map[string]string{}
	for _, name := range draftFields {
		fields[name] = *fieldOf(p, name)
	}
	return fields
}

func encoded(value any) (string, error) {
	raw, err := json.Marshal(value)
	return string(raw), err
}
