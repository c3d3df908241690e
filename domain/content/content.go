// Package content helps to write: it generates, enhances and rewrites pieces, checks what they cover, and keeps their drafts.
package content

import (
	"context"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// Documents is what the room needs of the documents' room.
type Documents interface {
	// Get is nil for an id that the caller's workspace does not have.
	Get(ctx context.Context, id string, columns ...string) (*model.Document, error)
}

// Count counts the words and the code points of a text.
type Count func(text string) (words, characters int)

// Service is the room's door.
type Service struct {
	db        *dbx.DB
	jobs      *job.Service
	documents Documents
	runs      Runs
	models    llm.Engine
	count     Count
}

// New makes the room and registers its jobs.
func New(db *dbx.DB, jobs *job.Service, documents Documents, runs Runs, models llm.Engine, count Count) *Service {
	s := &Service{db: db, jobs: jobs, documents: documents, runs: runs, models: models, count: count}
	s.register()
	return s
}
