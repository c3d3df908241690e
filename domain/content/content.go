// Package content helps to write: it generates, enhances and rewrites pieces, checks what they cover, and keeps their drafts.
package content

import (
	"context"
	"io/fs"

	"rostrum/dbx"
	"rostrum/domain/content/export"
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
	personas  Personas
	runs      Runs
	models    llm.Engine
	count     Count
	fonts     *export.Fonts
}

// Config is what the room needs.
type Config struct {
	DB        *dbx.DB
	Jobs      *job.Service
	Documents Documents
	Personas  Personas
	Runs      Runs
	Models    llm.Engine
	Count     Count
	// Fonts is font/node_modules; without its files exports show the characters of some scripts as boxes.
	Fonts fs.FS
}

// New makes the room and registers its jobs.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, jobs: c.Jobs, documents: c.Documents, personas: c.Personas, runs: c.Runs, models: c.Models, count: c.Count,
		fonts: export.NewFonts(c.Fonts),
	}
	s.register()
	return s
}
