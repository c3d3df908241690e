package content

import (
	"context"
	"io/fs"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/content/export"
	"rostrum/domain/visibility"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
)

// Documents reads documents.
type Documents interface {
	// Get returns nil if the caller's workspace has no such document.
	Get(ctx context.Context, id string, columns ...string) (*model.Document, error)
	// EmbargoEnd returns until when a document is under embargo, also one in the trash; nil if it is
	// not, or there is none.
	EmbargoEnd(ctx context.Context, db dbx.Reader, workspaceID, id string) (*time.Time, error)
	// EmbargoWarnings returns the warnings of each material that quotes a document under embargo or
	// leads to one.
	EmbargoWarnings(ctx context.Context, workspaceID string, shared []visibility.Material) ([][]string, error)
}

// HouseRules checks texts by the house rules of workspaces.
type HouseRules interface {
	// CheckTexts returns what the workspace's rules find in each text.
	CheckTexts(ctx context.Context, workspaceID string, texts []string) ([]*api.HouseCheck, error)
	// CheckApproval returns errs.InvalidState for a text with a lower score than the workspace
	// requires.
	CheckApproval(ctx context.Context, workspaceID, content string) error
}

// CountFunc returns the number of words and of code points of a text.
type CountFunc func(text string) (words, characters int)

// Service implements the use cases of content.
type Service struct {
	db        *dbx.DB
	metered   *job.Metered
	documents Documents
	personas  Personas
	runs      Runs
	models    llm.Engine
	embedder  llm.Embedder
	count     CountFunc
	fonts     *export.Fonts
	loadImage export.LoadFunc
	audit     visibility.AuditReads
	prints    *visibility.Prints // of drafts under embargo
	record    func(tx dbx.Tx, workspaceID, name, id string)
	members   Members
	house     HouseRules
	// recordComment is Config.RecordComment
	recordComment func(tx dbx.Tx, workspaceID, name, draftID, thread, id string)
	pages         Pages
	takeStorage   func(ctx context.Context, workspaceID string, bytes int) error
}

// Config holds the dependencies of a Service. All are required except Embedder and Fonts.
type Config struct {
	DB        *dbx.DB
	Jobs      *job.Service
	Documents Documents
	Personas  Personas
	Runs      Runs
	Models    llm.Engine
	// finds the passages of long texts that are nearest to points; nil without an embedding model
	Embedder llm.Embedder
	Count    CountFunc
	// Fonts is the folder font/node_modules. Without it, exports show boxes instead of some
	// scripts' characters.
	Fonts fs.FS
	// LoadImage loads the remote images of exports.
	LoadImage export.LoadFunc
	Audit     visibility.AuditReads // notes reads of drafts under embargo
	Members   Members
	House     HouseRules
	// RecordChange adds a change of a draft to the workspace's feed, in the change's transaction.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
	// RecordComment does so for a comment or a reply; thread is the id of the comment that a reply
	// belongs to, or the comment's own.
	RecordComment func(tx dbx.Tx, workspaceID, name, draftID, thread, id string)
	// TakeStorage counts the bytes that a workspace is about to store, and returns errs.TooLarge
	// above its plan's limit; optional.
	TakeStorage func(ctx context.Context, workspaceID string, bytes int) error
}

// New returns a Service and registers its jobs.
func New(c Config) *Service {
	if c.TakeStorage == nil {
		c.TakeStorage = func(context.Context, string, int) error { return nil }
	}
	s := &Service{
		db: c.DB, metered: job.NewMetered(c.Jobs, c.Runs), documents: c.Documents, personas: c.Personas, runs: c.Runs,
		models: c.Models, embedder: c.Embedder, count: c.Count,
		fonts: export.NewFonts(c.Fonts), loadImage: c.LoadImage, audit: c.Audit, record: c.RecordChange,
		recordComment: c.RecordComment,
		members:       c.Members, house: c.House, prints: visibility.NewPrints(), takeStorage: c.TakeStorage,
	}
	s.registerContentJobs()
	return s
}

// PublishTo sets where drafts are published. It must be called before drafts are.
func (s *Service) PublishTo(pages Pages) { s.pages = pages }
