package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"rostrum/model"
)

const (
	workspaces = 10
	batch      = 1000 // documents of one COPY
	sampled    = 100  // documents of a workspace that are read one by one
)

// place is a seeded workspace: who may read it, and what a reader asks for.
type place struct {
	workspaceID string
	key         string
	documents   []string // ids of some of its documents
}

// seed fills the workspaces with n documents each, four at a time.
func seed(ctx context.Context, pool *pgxpool.Pool, places []*place, n int) error {
	group, all := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for i, p := range places {
		group.Go(func() error { return fill(all, pool, p, newInventor(uint64(i)), n) })
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	if _, err := pool.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

func fill(ctx context.Context, pool *pgxpool.Pool, p *place, v *inventor, n int) error {
	for done := 0; done < n; done += batch {
		docs := make([]*model.Document, min(batch, n-done))
		var tags []*model.DocumentAutoTag
		for i := range docs {
			docs[i] = v.document(p.workspaceID)
			tags = append(tags, v.tags(docs[i])...)
			if (done+i)%max(n/sampled, 1) == 0 && len(p.documents) < sampled {
				p.documents = append(p.documents, docs[i].ID)
			}
		}
		if err := store(ctx, pool, docs, tags); err != nil {
			return err
		}
	}
	return settle(ctx, pool, p, n)
}

// settle counts the n documents of a workspace as document.Service does with each that it stores. All of them are finished, so that no
// status has any.
func settle(ctx context.Context, pool *pgxpool.Pool, p *place, n int) error {
	if _, err := pool.Exec(ctx, "UPDATE workspace SET document_count = $2 WHERE id = $1", p.workspaceID, n); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, countBlocks, p.workspaceID)
	return err
}

// countBlocks does for a workspace that was filled by COPY what document.Service does with every document, as the migration does.
const countBlocks = `INSERT INTO document_block (workspace_id, level, first_at, first_id, documents, hidden)
SELECT $1, level,
  CASE WHEN place / size = 0 THEN '0001-01-01 00:00:00+00:00' ELSE min(created_at) FILTER (WHERE place % size = 0) END,
  CASE WHEN place / size = 0 THEN '' ELSE min(id) FILTER (WHERE place % size = 0) END,
  count(*), count(*) FILTER (WHERE hidden)
FROM (SELECT created_at, id, hidden, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM document WHERE workspace_id = $1) AS d
CROSS JOIN (SELECT 0 AS level, 128 AS size UNION ALL SELECT 1, 4096 UNION ALL SELECT 2, 131072) AS levels
GROUP BY level, place / size`

var documentColumns = []string{
	"id", "workspace_id", "title", "content", "content_type", "communication_type", "company", "executive", "author", "language",
	"media_provenance", "source_url", "url", "canonical_url", "scrape_job_id", "word_count", "character_count",
	"is_narrative_testing_upload", "tags", "created_at", "updated_at", "extracted_at", "extracted_date",
}

var tagColumns = []string{
	"id", "workspace_id", "document_id", "auto_tag_id", "name", "tag_type", "extracted_value", "confidence_score", "applied_at",
}

// store writes the rows through COPY.
func store(ctx context.Context, pool *pgxpool.Pool, docs []*model.Document, tags []*model.DocumentAutoTag) error {
	rows := pgx.CopyFromSlice(len(docs), func(i int) ([]any, error) {
		d := docs[i]
		return []any{
			d.ID, d.WorkspaceID, d.Title, d.Content, d.ContentType, d.CommunicationType, d.Company, d.Executive, d.Author, d.Language,
			string(*d.MediaProvenance), d.SourceURL, d.URL, d.CanonicalURL, d.ScrapeJobID, d.WordCount, d.CharacterCount,
			d.IsNarrativeTestingUpload, d.Tags, d.CreatedAt, d.UpdatedAt, d.ExtractedAt, d.ExtractedDate,
		}, nil
	})
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"document"}, documentColumns, rows); err != nil {
		return fmt.Errorf("copy documents: %w", err)
	}
	rows = pgx.CopyFromSlice(len(tags), func(i int) ([]any, error) {
		t := tags[i]
		return []any{
			t.ID, t.WorkspaceID, t.DocumentID, t.AutoTagID, t.Name, t.TagType, t.ExtractedValue, t.ConfidenceScore, t.AppliedAt,
		}, nil
	})
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"document_auto_tag"}, tagColumns, rows); err != nil {
		return fmt.Errorf("copy auto-tags: %w", err)
	}
	return nil
}
