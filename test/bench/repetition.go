package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"rostrum/model"
)

// documentInterval is the time between two documents of a long list.
const documentInterval = 3 * time.Second

// partiesTimeout limits the wait for companies and executives.
const partiesTimeout = 5 * time.Minute

// fillByRepetition fills the only workspace of a database with n documents: it generates the first
// ones and repeats them in SQL, each time a little later. Their texts are short, because the search
// index dominates the time and lists do not read them.
func fillByRepetition(ctx context.Context, pool *pgxpool.Pool, p *seededWorkspace, n int) error {
	v, began := newGenerator(uint64(n)), time.Date(2025, 1, 6, 8, 0, 0, 0, time.UTC)
	docs := make([]*model.Document, min(copyBatch, n))
	for i := range docs {
		docs[i] = v.document(p.workspaceID)
		text := v.words(12)
		docs[i].Content, docs[i].CreatedAt = &text, began.Add(time.Duration(i)*documentInterval)
		docs[i].UpdatedAt = docs[i].CreatedAt.Add(documentInterval)
	}
	if err := copyRows(ctx, pool, docs, nil); err != nil {
		return err
	}
	if err := awaitParties(ctx, pool); err != nil {
		return err
	}
	group, all := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for turn := 1; turn*copyBatch < n; turn++ {
		group.Go(func() error {
			_, err := pool.Exec(all, repeatStatement, p.workspaceID, began.Add(copyBatch*documentInterval), turn,
				copyBatch*documentInterval, min(copyBatch, n-turn*copyBatch))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("repeat documents: %w", err)
	}
	if err := countDocuments(ctx, pool, p, n); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, "VACUUM ANALYZE")
	return err
}

// awaitParties waits until the gateway has attributed all documents to their companies and
// executives, as it does every minute, so that it does not change the copies of the documents
// later.
func awaitParties(ctx context.Context, pool *pgxpool.Pool) error {
	return pollDatabase(ctx, partiesTimeout, func(ctx context.Context) (bool, error) {
		var missing bool
		const query = `SELECT EXISTS (SELECT FROM document WHERE company <> '' AND company_id IS NULL OR executive <> '' AND executive_id IS NULL)`
		if err := pool.QueryRow(ctx, query).Scan(&missing); err != nil {
			return false, fmt.Errorf("wait for the companies and executives of documents: %w", err)
		}
		return !missing, nil
	})
}

// pollDatabase calls a function every second until it reports true or returns an error. Its context
// ends after the limit.
func pollDatabase(ctx context.Context, limit time.Duration, isDone func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for ; ; time.Sleep(time.Second) {
		if done, err := isDone(ctx); done || err != nil {
			return err
		}
	}
}

// repeatStatement copies the first documents; a copy's id is the number of the repetition and the
// random end of the original id.
const repeatStatement = `INSERT INTO document (id, workspace_id, title, content, content_type, communication_type, company, company_id, executive, executive_id, author,
 language, media_provenance, source_url, url, canonical_url, scrape_job_id, word_count, character_count, is_narrative_testing_upload, tags,
 created_at, updated_at, extracted_at, extracted_date)
SELECT 'doc_' || lpad(to_hex($3::int), 6, '0') || substr(id, 11), workspace_id, title, content, content_type, communication_type, company, company_id,
 executive, executive_id, author, language, media_provenance, source_url, url, canonical_url, scrape_job_id, word_count, character_count, is_narrative_testing_upload, tags,
 created_at + $3::int * $4::interval, updated_at + $3::int * $4::interval, extracted_at, extracted_date
FROM document WHERE workspace_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $5`
