package passage

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
)

// Documents reads documents.
type Documents interface {
	// FindByID returns the named columns of a document, or errs.NotFound.
	FindByID(ctx context.Context, db dbx.Reader, workspaceID, id string, columns ...string) (*model.Document, error)
	// FindForUpdate returns the same document as FindByID and locks it until the transaction ends.
	FindForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string, columns ...string) (*model.Document, error)
	// SetMissingVersion sets the version of a document that has none.
	SetMissingVersion(ctx context.Context, doc *model.Document) error
	// SelectIn returns a query of the workspace's documents under the alias d.
	SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// SelectAll returns a query of the documents of all workspaces.
	SelectAll(db dbx.Reader) *bun.SelectQuery
	// ReadableBy returns the condition that a persona may have read the document under the alias.
	ReadableBy(alias string, mayReadInternal any) schema.QueryWithArgs
}

// Tasks queues tasks without a public row.
type Tasks interface {
	RegisterTask(name string, task job.Task)
	EnqueueTasks(ctx context.Context, tx dbx.Tx, name string, args ...job.TaskArgs) error
}

// Config holds the dependencies of a Service.
type Config struct {
	DB        *dbx.DB
	Documents Documents
	Tasks     Tasks
	Embedder  llm.Embedder // nil without an embedding model: then no text gets vectors, and Search fails
}

// Service implements the use cases of passages.
type Service struct {
	Config

	unrelated unrelatedVectors
}

// EmbeddingModel returns the name of the embedding model; nil without one.
func (s *Service) EmbeddingModel() *string {
	if s.Embedder == nil {
		return nil
	}
	return new(s.Embedder.EmbeddingModel())
}

// New returns a Service and registers its task.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.Tasks.RegisterTask(taskEmbed, job.Task{Queue: Queue, Timeout: taskTime, Work: s.embedDocument})
	return s
}

// Follow enqueues the task that embeds a document, in the transaction that creates it or changes
// its title or text. It deletes the old text's passages. It does nothing without an embedding
// model.
func (s *Service) Follow(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	isSame := before != nil && after != nil && before.Version == after.Version
	if s.Embedder == nil || after == nil || after.Content == nil || isSame {
		return nil
	}
	return s.replaceSet(ctx, tx, after)
}

// replaceSet replaces the document's set by an empty one and enqueues the task that fills it.
func (s *Service) replaceSet(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	set := s.newSet(doc)
	if _, err := upsertSets(tx, set).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return s.restartSets(ctx, tx, set)
}

// restartSets deletes the passages of emptied sets and enqueues the tasks that fill them.
func (s *Service) restartSets(ctx context.Context, tx dbx.Tx, sets ...*model.PassageSet) error {
	if err := deletePassages(ctx, tx, sets); err != nil {
		return err
	}
	return s.enqueueSets(ctx, tx, time.Time{}, sets...)
}

// newSet returns an empty set for the text of a document.
func (s *Service) newSet(doc *model.Document) *model.PassageSet {
	return &model.PassageSet{
		DocumentID: doc.ID, WorkspaceID: doc.WorkspaceID, Version: doc.Version, Model: s.Embedder.EmbeddingModel(),
		DueAt: s.DB.Now(),
	}
}
