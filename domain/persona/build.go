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

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/command"
	"rostrum/llm/text/proof"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// StartBuild queues a job that builds a persona from documents. It returns a field error per
// unknown document, but skips unknown writing samples.
func (s *Service) StartBuild(ctx context.Context, in api.BuildPersonaInput) (*model.StartedJob, error) {
	o, err := s.prepareBuild(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.startJob(ctx, fieldBuild, o.Model, job.Request{Type: JobBuild, Parameters: o})
}

// EstimateBuild returns the cost of StartBuild, and its errors for an invalid request.
func (s *Service) EstimateBuild(ctx context.Context, in api.BuildPersonaInput) (*model.Estimate, error) {
	if _, err := s.prepareBuild(ctx, in); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

func (s *Service) prepareBuild(ctx context.Context, in api.BuildPersonaInput) (draftRequest, error) {
	p := principal.Must(ctx)
	o := newDraftRequest(api.DraftPersonaInput{
		Name: in.Name, Category: in.Category, CommunicationStyle: in.CommunicationStyle, Concerns: in.Concerns,
		Description: in.Description,
		Interests:   in.Interests, Model: in.Model, Template: in.Template, Tone: in.Tone,
		OverwriteExisting:        in.OverwriteExisting,
		WritingSampleDocumentIds: in.WritingSampleDocumentIds, MayReadInternal: in.MayReadInternal,
	})
	o.DocumentIDs, o.PersonaID = distinctIDs(in.DocumentIds.Value()), model.NewID(model.PersonaPrefix)
	if err := o.checkSamples(); err != nil {
		return o, err
	}
	var invalid errs.FieldErrors
	if err := s.checkDocuments(ctx, &invalid, p.WorkspaceID, "documentIds", in.DocumentIds.Value()); err != nil {
		return o, err
	}
	if err := invalid.Err(); err != nil {
		return o, err
	}
	return o, nil
}

// buildResult is the public result of a build job.
type buildResult struct {
	PersonaID          string                     `json:"persona_id"`
	Message            string                     `json:"message"`
	GeneratedFields    []string                   `json:"generated_fields"`
	GroundedStatements []*model.GroundedStatement `json:"grounded_statements"`
	DroppedStatements  int                        `json:"dropped_statements"` // without a quote found in a document
	UsedModel          string                     `json:"used_model"`
}

func (s *Service) workBuild(ctx context.Context, run *job.Run) (any, error) {
	p := principal.Must(ctx)
	o, err := job.Parameters[draftRequest](run.Job)
	if err != nil {
		return nil, err
	}
	if err := run.Progress(ctx, 10, "writing the persona"); err != nil {
		return nil, err
	}
	draft, d, err := s.writeDraft(ctx, p.WorkspaceID, o, jobLimit)
	if err != nil {
		return nil, err
	}
	in := createInput(draft.Persona)
	in.MayReadInternal = graphql.OmittableOf(&o.MayReadInternal)
	in.DraftedByModel = graphql.OmittableOf(new(draft.UsedModel != offline.Model && len(draft.GeneratedFields) > 0))
	made, err := s.newPersona(ctx, p, o.PersonaID, in)
	if err != nil {
		return nil, err
	}
	if err := run.Progress(ctx, 50, "finding statements"); err != nil {
		return nil, err
	}
	dropped := 0
	if made.GroundedStatements, dropped, err = s.findStatements(ctx, p.WorkspaceID, d, made); err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		result, err := tx.NewInsert().Model(made).On("CONFLICT (id) DO NOTHING").Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		inserted, err := result.RowsAffected()
		if inserted > 0 {
			s.record(tx, made.WorkspaceID, model.EventPersonaCreated, made.ID)
		}
		return err
	})
	return buildResult{made.ID, "Persona created successfully", draft.GeneratedFields, made.GroundedStatements, dropped,
		draft.UsedModel}, err
}

// createInput returns a draft as the input of Create.
func createInput(d *model.DraftedPersona) api.CreatePersonaInput {
	return api.CreatePersonaInput{
		Name: d.Name, Category: graphql.OmittableOf(&d.Category), Description: graphql.OmittableOf(&d.Description),
		CommunicationStyle: graphql.OmittableOf(&d.CommunicationStyle), Concerns: graphql.OmittableOf(&d.Concerns),
		Interests: graphql.OmittableOf(&d.Interests), Tone: graphql.OmittableOf(&d.Tone),
		Template:                 graphql.OmittableOf(&d.Template),
		WritingSampleDocumentIds: graphql.OmittableOf(d.WritingSampleDocumentIDs),
	}
}

//go:embed build.tmpl
var buildText string

//go:embed build.json
var buildSchema json.RawMessage

var buildPrompt = llm.MustPrompt("persona.build", buildText)

const (
	buildTokens   = 2000
	buildDocs     = 10   // documents searched for statements
	buildRunes    = 6000 // code points of each document in the prompt
	maxStatements = 12
)

// numberedDocument is a document of the build prompt.
type numberedDocument struct {
	Number int
	Text   string
}

// findStatements asks the model for the persona's statements in documents. It returns the ones with
// a verified quote and the number dropped, or the model's error.
func (s *Service) findStatements(
	ctx context.Context, workspaceID string, d *draftTask, p *model.Persona,
) (kept []*model.GroundedStatement, dropped int, err error) {
	docs, err := s.statementDocuments(ctx, workspaceID, d, p)
	if err != nil || len(docs) == 0 {
		return []*model.GroundedStatement{}, 0, err
	}
	numbered := make([]numberedDocument, len(docs))
	for i, doc := range docs {
		numbered[i] = numberedDocument{i + 1, doc.Title + "\n" +
			text.Truncate(optional.ValueOr(doc.Content, ""), buildRunes)}
	}
	task, err := buildPrompt.Task(struct {
		Persona   *model.Persona
		Documents []numberedDocument
		Most      int
	}{p, numbered, maxStatements})
	if err != nil {
		return nil, 0, err
	}
	task.Schema, task.MaxTokens, task.Model = buildSchema, buildTokens, d.Model
	input := offline.Claims{Name: p.Name, Concerns: Cares(p, nil), Most: maxStatements}
	for _, doc := range docs {
		input.Documents = append(input.Documents, optional.ValueOr(doc.Content, ""))
	}
	task.Input = input
	answer, by, err := llm.AskWithin[offline.ClaimsAnswer](ctx, s.engine, jobLimit, task)
	if err != nil {
		return nil, 0, err
	}
	kept, dropped = verifyClaims(answer.Statements, docs)
	return kept, dropped + by.Dropped, s.judgeStatements(ctx, kept)
}

// statementDocuments returns the requested documents in order. Without any it returns documents
// that share words with the persona.
func (s *Service) statementDocuments(ctx context.Context, workspaceID string, d *draftTask,
	p *model.Persona) ([]*model.Document, error) {
	if len(d.DocumentIDs) == 0 {
		return s.documents.Mentioning(ctx, workspaceID, searchWords(p.Name+" "+p.Interests+" "+p.Concerns), buildDocs,
			d.MayReadInternal, readColumns...)
	}
	docs, err := s.documents.ReadableByIDs(ctx, workspaceID, d.DocumentIDs, d.MayReadInternal, readColumns...)
	slices.SortFunc(docs, func(a, b *model.Document) int {
		return cmp.Compare(slices.Index(d.DocumentIDs, a.ID), slices.Index(d.DocumentIDs, b.ID))
	})
	return docs, err
}

// verifyClaims returns the claims with a quote found verbatim in their document, each quote once,
// with offsets in code points. If the quote does not support its statement, it replaces the
// statement.
func verifyClaims(claims []offline.Claim, docs []*model.Document) (kept []*model.GroundedStatement, dropped int) {
	kept = []*model.GroundedStatement{}
	for _, c := range claims {
		quote := strings.TrimSpace(c.Quote)
		if c.Document < 1 || c.Document > len(docs) || !text.Tells(quote) || len(kept) == maxStatements {
			dropped++
			continue
		}
		doc := docs[c.Document-1]
		content := command.Blank(optional.ValueOr(doc.Content, ""))
		at := strings.Index(content, quote)
		duplicate := slices.ContainsFunc(kept, func(k *model.GroundedStatement) bool {
			return k.DocumentID == doc.ID && k.Quote == quote
		})
		if at < 0 || duplicate {
			dropped++
			continue
		}
		statement := strings.TrimSpace(c.Statement)
		if statement == "" || !proof.Faithful(statement, quote) {
			statement = quote
		}
		start := utf8.RuneCountInString(content[:at])
		kept = append(kept, &model.GroundedStatement{
			Statement: statement, Quote: quote, DocumentID: doc.ID, DocumentTitle: doc.Title,
			Start: start, End: start + utf8.RuneCountInString(quote),
		})
	}
	return kept, dropped
}

// judgeStatements replaces statements by their quotes, unless the judge finds that these entail them.
// It returns the context's error.
func (s *Service) judgeStatements(ctx context.Context, statements []*model.GroundedStatement) error {
	var claims []llm.Claim
	var judged []*model.GroundedStatement
	for _, statement := range statements {
		if statement.Statement != statement.Quote {
			judged = append(judged, statement)
			claims = append(claims, llm.Claim{Sentence: statement.Statement, Quote: statement.Quote})
		}
	}
	entailed, _, err := s.judge.Entailed(ctx, claims)
	if err != nil {
		return err
	}
	for i, statement := range judged {
		if !entailed[i] {
			statement.Statement = statement.Quote
		}
	}
	return nil
}

// quoteMatches reports whether the statement's offsets select its quote in content.
func quoteMatches(statement *model.GroundedStatement, content string) bool {
	runes := []rune(content)
	return 0 <= statement.Start && statement.Start <= statement.End && statement.End <= len(runes) &&
		string(runes[statement.Start:statement.End]) == statement.Quote
}
