package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"rostrum/model"
)

// pace is the time between two documents of a long list.
const pace = 3 * time.Second

// multiply fills a workspace that is alone in its database with n documents: invents the first ones and has the database repeat them, each
// time a little later. Their texts are short, because the search index costs more than all else, and lists do not read them.
func multiply(ctx context.Context, pool *pgxpool.Pool, p *place, n int) error {
	v, began := newInventor(uint64(n)), time.Date(2025, 1, 6, 8, 0, 0, 0, time.UTC)
	docs := make([]*model.Document, min(batch, n))
	for i := range docs {
		docs[i] = v.document(p.workspaceID)
		text := v.words(12)
		docs[i].Content, docs[i].CreatedAt = &text, began.Add(time.Duration(i)*pace)
		docs[i].UpdatedAt = docs[i].CreatedAt.Add(pace)
	}
	if err := store(ctx, pool, docs, nil); err != nil {
		return err
	}
	group, all := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for turn := 1; turn*batch < n; turn++ {
		group.Go(func() error {
			_, err := pool.Exec(all, repeat, p.workspaceID, began.Add(batch*pace), turn, batch*pace, min(batch, n-turn*batch))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("repeat documents: %w", err)
	}
	if err := settle(ctx, pool, p, n); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, "VACUUM ANALYZE")
	return err
}

// repeat copies the first documents; a copy's id keeps the original's random end behind the number of the turn.
const repeat = `INSERT INTO document (id, workspace_id, title, content, content_type, communication_type, company, executive, author, language,
 media_provenance, source_url, url, canonical_url, scrape_job_id, word_count, character_count, is_narrative_testing_upload, tags,
 created_at, updated_at, extracted_at, extracted_date)
SELECT 'doc_' || lpad(to_hex($3::int), 6, '0') || substr(id, 11), workspace_id, title, content, content_type, communication_type, company, executive,
 author, language, media_provenance, source_url, url, canonical_url, scrape_job_id, word_count, character_count, is_narrative_testing_upload, tags,
 created_at + $3::int * $4::interval, updated_at + $3::int * $4::interval, extracted_at, extracted_date
FROM document WHERE workspace_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $5`
