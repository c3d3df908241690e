package audience

import (
	"context"
	"encoding/json"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/platform/job"
)

// Personas reads personas. persona.Service implements it.
type Personas interface {
	// Get returns nil if the caller's workspace has no such persona.
	Get(ctx context.Context, id string, columns ...string) (*model.Persona, error)
	// ByIDs returns the workspace's personas with these ids, in no order.
	ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Persona, error)
	// SelectIn returns a query of the workspace's personas under the alias p.
	SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// Audience returns the active personas of the audience, oldest first. If categories are given,
	// it returns only theirs.
	Audience(ctx context.Context, workspaceID string, categories []string) ([]*model.Persona, error)
	// LearnedRefinements returns the refinements of each persona that its prompts may have.
	LearnedRefinements(ctx context.Context, personas []*model.Persona) ([][]*model.PersonaRefinement, error)
	// Readers returns copies of the personas. They keep only grounded statements of documents that
	// the persona may have read.
	Readers(ctx context.Context, personas []*model.Persona) ([]*model.Persona, error)
	// Categories returns the audience categories in use.
	Categories(ctx context.Context) ([]string, error)
}

// Documents reads and changes documents. document.Service implements it.
type Documents interface {
	// Get returns nil if the caller's workspace has no such document.
	Get(ctx context.Context, id string, columns ...string) (*model.Document, error)
	// SelectIn returns a query of the workspace's documents under the alias d.
	SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// ReadableBy returns the condition that a persona may have read the document under the alias.
	// mayReadInternal is a bool or a condition.
	ReadableBy(alias string, mayReadInternal any) schema.QueryWithArgs
	// SetMissingVersion sets the version of a document without one.
	SetMissingVersion(ctx context.Context, doc *model.Document) error
	// CreateIfMissing stores a text as a document with the given id in the caller's transaction. It
	// does nothing if the document exists.
	CreateIfMissing(ctx context.Context, tx dbx.Tx, workspaceID, id string, in api.CreateDocumentInput) error
	// Amend locks and changes a document in the caller's transaction.
	Amend(
		ctx context.Context, tx dbx.Tx, workspaceID, id string, change func(*model.Document) error,
	) (*model.Document, error)
}

// Tags reads the values of auto-tags. tag.Service implements it.
type Tags interface {
	// ValuesOfType returns the applied values of one type of auto-tag in the documents, in no
	// order.
	ValuesOfType(ctx context.Context, workspaceID, tagType string, documentIDs []string) ([]*model.DocumentAutoTag,
		error)
}

// Drafts reads drafts and their coverage. content.Service implements it.
type Drafts interface {
	// Draft returns nil if the caller's workspace has no such draft.
	Draft(ctx context.Context, id string, columns ...string) (*model.Draft, error)
	// AddTestEntry adds an entry to a draft's test history in the caller's transaction, unless same
	// reports an equal one.
	AddTestEntry(ctx context.Context, tx dbx.Tx, workspaceID, id string, entry json.RawMessage,
		same func(json.RawMessage) bool) error
	// JudgeCoverage returns which points a text covers.
	JudgeCoverage(ctx context.Context, content string,
		points []*api.PullThroughPriorityInput) (*api.CheckCoveragePayload, error)
}

// Finish stores the result of a model's answer in the transaction that spends its runs.
type Finish = func(ctx context.Context, tx dbx.Tx) error

// Runs is the workspace's run budget. account.Service implements it.
type Runs interface {
	job.Budget
	// Spend reserves runs and calls work. It spends them in the transaction in which finish stores
	// the result. It returns errs.BudgetExhausted if the budget does not cover the runs.
	Spend(ctx context.Context, workspaceID, operation string, runs int,
		work func(context.Context) (Finish, error)) error
}

// Config holds the dependencies of a Service.
type Config struct {
	DB        *dbx.DB
	Personas  Personas
	Documents Documents
	Tags      Tags
	Drafts    Drafts
	Runs      Runs
	Jobs      *job.Service
	Engine    llm.Engine
	Embedder  llm.Embedder // rates reactions by similarity; nil for none
	// Cares returns the concerns of a persona, including its refinements.
	Cares func(p *model.Persona, learned []*model.PersonaRefinement) []offline.Concern
	// IgnoredOptions returns the persona's options that a reaction without a text model ignores.
	IgnoredOptions func(p *model.Persona, learned []*model.PersonaRefinement) []string
	// PartyNames returns for each name the party's main name, for example a company's. An unknown
	// name is only trimmed.
	PartyNames func(ctx context.Context, workspaceID string, kind model.PartyKind, names ...string) ([]string, error)
	// Plain returns a draft's text without markup.
	Plain func(draft *model.Draft) string
	// RecordChange adds a change of a row to the workspace's feed, in the change's transaction.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
	// RecordReactions adds to the feed that personas have read a document, or the job's draft if doc
	// is nil, in the transaction that ends the job.
	RecordReactions func(tx dbx.Tx, of *model.Job, doc *model.Document, done eventdata.ReactionsCompleted)
}

// Service implements the audience use cases.
type Service struct {
	Config
	metered    *job.Metered
	similarity *similarityRater // nil without an embedder
}

// New returns a service and registers its jobs.
func New(c Config) *Service {
	s := newService(c)
	s.registerAudienceJobs()
	return s
}

func newService(c Config) *Service {
	return &Service{Config: c, metered: job.NewMetered(c.Jobs, c.Runs), similarity: newSimilarityRater(c.Embedder)}
}
