package persona

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

// Build makes a persona from documents by a job. A document that the workspace does not have is refused by name; a sample is only left out.
func (s *Service) Build(ctx context.Context, in model.BuildPersonaInput, estimate bool) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	o := outlineOf(model.DraftPersonaInput{
		Name: in.Name, Category: in.Category, CommunicationStyle: in.CommunicationStyle, Concerns: in.Concerns, Description: in.Description,
		Interests: in.Interests, Model: in.Model, Template: in.Template, Tone: in.Tone, OverwriteExisting: in.OverwriteExisting,
		WritingSampleDocumentIds: in.WritingSampleDocumentIds,
	})
	o.DocumentIDs, o.PersonaID = once(in.DocumentIds.Value()), model.NewID(model.PersonaPrefix)
	if err := o.check(); err != nil {
		return nil, err
	}
	var bad faults
	if err := s.checkDocuments(ctx, &bad, p.WorkspaceID, "documentIds", in.DocumentIds.Value()); err != nil {
		return nil, err
	}
	if err := bad.err(); err != nil {
		return nil, err
	}
	return s.enqueue(ctx, p, JobBuild, opBuild, "", o, estimate)
}

// built is the result of a job that built a persona, as callers see it.
type built struct {
	PersonaID          string                     `json:"persona_id"`
	Message            string                     `json:"message"`
	GeneratedFields    []string                   `json:"generated_fields"`
	GroundedStatements []*model.GroundedStatement `json:"grounded_statements"`
	DroppedStatements  int                        `json:"dropped_statements"` // whose quote stands in no document
	UsedModel          string                     `json:"used_model"`
}

func (s *Service) workBuild(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	o, err := job.Parameters[outline](run.Job)
	if err != nil {
		return nil, err
	}
	if err := run.Progress(ctx, 10, "writing the persona"); err != nil {
		return nil, err
	}
	draft, d, err := s.draft(ctx, p.WorkspaceID, o, jobTime)
	if err != nil {
		return nil, err
	}
	made, err := s.compose(ctx, p, o.PersonaID, creation(draft.Persona))
	if err != nil {
		return nil, err
	}
	if err := run.Progress(ctx, 50, "looking for what it holds"); err != nil {
		return nil, err
	}
	dropped := 0
	if made.GroundedStatements, dropped, err = s.statements(ctx, p.WorkspaceID, d, made); err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := tx.NewInsert().Model(made).On("CONFLICT (id) DO NOTHING").Exec(ctx)
		return dbx.Err(err)
	})
	return built{made.ID, created, draft.GeneratedFields, made.GroundedStatements, dropped, draft.UsedModel}, err
}

// creation is a draft as creating a persona takes it.
func creation(d *model.DraftedPersona) model.CreatePersonaInput {
	return model.CreatePersonaInput{
		Name: d.Name, Category: graphql.OmittableOf(&d.Category), Description: graphql.OmittableOf(&d.Description),
		CommunicationStyle: graphql.OmittableOf(&d.CommunicationStyle), Concerns: graphql.OmittableOf(&d.Concerns),
		Interests: graphql.OmittableOf(&d.Interests), Tone: graphql.OmittableOf(&d.Tone), Template: graphql.OmittableOf(&d.Template),
		WritingSampleDocumentIds: graphql.OmittableOf(d.WritingSampleDocumentIDs),
	}
}

//go:embed build.tmpl
var buildWords string

//go:embed build.json
var buildSchema json.RawMessage

var buildPrompt = llm.MustPrompt("persona.build", buildWords)

const (
	buildTokens  = 2000
	buildDocs    = 10   // documents that statements are looked for in
	buildRunes   = 6000 // of each that a model is shown
	mostGrounded = 12
)

// claims is what a model says that a persona holds.
type claims struct {
	Statements []claim `json:"statements"`
}

type claim struct {
	Statement string `json:"statement"`
	Quote     string `json:"quote"`
	Document  int    `json:"document"` // by its place in the prompt, from 1
}

// numbered is a document as a model is shown it.
type numbered struct {
	Number int
	Text   string
}

// statements asks what the documents say that the persona holds, and keeps what really stands there.
func (s *Service) statements(
	ctx context.Context, workspaceID string, d *drafting, p *model.Persona,
) (kept []*model.GroundedStatement, dropped int, err error) {
	docs, err := s.sources(ctx, workspaceID, d, p)
	if err != nil || len(docs) == 0 {
		return []*model.GroundedStatement{}, 0, err
	}
	shown := make([]numbered, len(docs))
	for i, doc := range docs {
		shown[i] = numbered{i + 1, doc.Title + "\n" + text.Truncate(model.ValueOr(doc.Content, ""), buildRunes)}
	}
	task, err := buildPrompt.Task(struct {
		Persona   *model.Persona
		Documents []numbered
		Most      int
	}{p, shown, mostGrounded})
	if err != nil {
		return nil, 0, err
	}
	task.Schema, task.MaxTokens, task.Model = buildSchema, buildTokens, d.Model
	task.Builtin = func(context.Context) (string, error) { return encoded(find(p, docs)) }
	said, _, err := llm.AskWithin[claims](ctx, s.engine, jobTime, task)
	if err != nil {
		return nil, 0, err
	}
	kept, dropped = verify(said.Statements, docs)
	return kept, dropped, nil
}

// sources reads the documents that were named, else those that share words with the persona.
func (s *Service) sources(ctx context.Context, workspaceID string, d *drafting, p *model.Persona) ([]*model.Document, error) {
	if len(d.DocumentIDs) == 0 {
		return s.documents.Mentioning(ctx, workspaceID, telling(p.Name+" "+p.Interests+" "+p.Concerns), buildDocs, readColumns...)
	}
	docs, err := s.documents.ByIDs(ctx, workspaceID, d.DocumentIDs, readColumns...)
	slices.SortFunc(docs, func(a, b *model.Document) int {
		return cmp.Compare(slices.Index(d.DocumentIDs, a.ID), slices.Index(d.DocumentIDs, b.ID))
	})
	return docs, err
}

// verify keeps the claims whose quote stands in their document, with the place where it does, each quote once.
func verify(said []claim, docs []*model.Document) (kept []*model.GroundedStatement, dropped int) {
	kept = []*model.GroundedStatement{}
	for _, one := range said {
		quote := strings.TrimSpace(one.Quote)
		if one.Document < 1 || one.Document > len(docs) || !text.Tells(quote) || len(kept) == mostGrounded {
			dropped++
			continue
		}
		doc := docs[one.Document-1]
		content := model.ValueOr(doc.Content, "")
		at := strings.Index(content, quote)
		again := slices.ContainsFunc(kept, func(k *model.GroundedStatement) bool { return k.DocumentID == doc.ID && k.Quote == quote })
		if at < 0 || again {
			dropped++
			continue
		}
		start := utf8.RuneCountInString(content[:at])
		kept = append(kept, &model.GroundedStatement{
			Statement: firstOf(strings.TrimSpace(one.Statement), quote), Quote: quote, DocumentID: doc.ID, DocumentTitle: doc.Title,
			Start: start, End: start + utf8.RuneCountInString(quote),
		})
	}
	return kept, dropped
}

// stands reports whether a statement's quote is what its offsets cut out of the text.
func stands(statement *model.GroundedStatement, content string) bool {
	runes := []rune(content)
	return 0 <= statement.Start && statement.Start <= statement.End && statement.End <= len(runes) &&
		string(runes[statement.Start:statement.End]) == statement.Quote
}

// find is the built-in engine's answer: sentences that name the persona, then those that touch what it minds.
func find(p *model.Persona, docs []*model.Document) claims {
	cares := Cares(p, nil)
	var named, touching []claim
	for i, doc := range docs {
		content := model.ValueOr(doc.Content, "")
		for _, sentence := range text.Prose(content) {
			if text.Covered(p.Name, sentence.Text) == 1 {
				named = append(named, claim{text.Plain(sentence.Text), sentence.Text, i + 1})
			} else if slices.ContainsFunc(cares, func(c text.Care) bool { return c.Spoken(sentence.Text) }) {
				touching = append(touching, claim{text.Plain(sentence.Text), sentence.Text, i + 1})
			}
		}
	}
	all := append(named, touching...)
	return claims{model.OrEmpty(all[:min(len(all), mostGrounded)])}
}
