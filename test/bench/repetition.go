package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

// documentInterval is the time between two documents of a long list.
const documentInterval = 3 * time.Second

// firstWords is the number of words of a document's text in a long list. The texts are short, because
// lists do not read them.
const firstWords = 12

// fillByRepetition fills the only workspace of a database with n documents: it posts the first ones and
// repeats them with their index in SQL, each time a little later.
func fillByRepetition(ctx context.Context, gate *gateway, pool *pgxpool.Pool, p *seededWorkspace, n int) error {
	in := intake{gate.base, p.key, newGenerator(uint64(n))}
	if err := in.postShort(ctx, min(copyBatch, n)); err != nil {
		return fmt.Errorf("post the first documents: %w", err)
	}
	began := time.Date(2025, 1, 6, 8, 0, 0, 0, time.UTC)
	if _, err := pool.Exec(ctx, spreadStatement, p.workspaceID, began, documentInterval); err != nil {
		return fmt.Errorf("spread the first documents: %w", err)
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

// postShort posts n documents with short texts. The title of each has a word that one of copyBatch
// documents has.
func (in intake) postShort(ctx context.Context, n int) error {
	bodies := make([]any, n)
	for i := range bodies {
		doc := in.generator.document("")
		bodies[i] = map[string]any{
			"title": doc.Title + " " + rareWord(i%copyBatch), "content": in.generator.words(firstWords), "company": doc.Company,
			"executive": doc.Executive, "communication_type": doc.CommunicationType, "author": doc.Author,
			"tags": doc.Tags, "content_type": doc.ContentType,
		}
	}
	return in.postAll(ctx, "/api/v1/documents", bodies)
}

// rareWord returns a word of the document with the number.
func rareWord(number int) string { return fmt.Sprintf("serial%d", number) }

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

// spreadStatement sets the times of the first documents.
const spreadStatement = `UPDATE document SET created_at = $2::timestamptz + place * $3::interval, updated_at = $2::timestamptz + (place + 1) * $3::interval
FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM document WHERE workspace_id = $1) AS spread WHERE spread.id = document.id`

// repeatStatement copies the first documents with their index; a copy's id is the number of the
// repetition and the random end of the original id.
const repeatStatement = `WITH first AS (SELECT id, 'doc_' || lpad(to_hex($3::int), 6, '0') || substr(id, 11) AS copy, $3::int * $4::interval AS later
 FROM document WHERE workspace_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $5),
copied AS (INSERT INTO document OVERRIDING USER VALUE SELECT (jsonb_populate_record(document, jsonb_build_object('id', copy, 'created_at', created_at + later,
 'updated_at', updated_at + later))).* FROM document JOIN first USING (id))
INSERT INTO document_index SELECT (jsonb_populate_record(document_index, jsonb_build_object('document_id', copy))).*
FROM document_index JOIN first ON first.id = document_id`
