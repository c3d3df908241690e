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
	workspaceCount   = 10
	copyBatch        = 1000 // documents of one COPY
	sampledDocuments = 100  // documents of a workspace that are read individually
)

// seededWorkspace is a workspace with documents and the key that reads them.
type seededWorkspace struct {
	workspaceID string
	key         string
	documents   []string // ids of some of its documents
}

// createTenants creates the workspaces, without documents.
func (g *gateway) createTenants(ctx context.Context) (tenants []*seededWorkspace, err error) {
	tenants = make([]*seededWorkspace, workspaceCount)
	for i := range tenants {
		if tenants[i], err = g.createWorkspace(ctx, fmt.Sprintf("Workspace %d", i+1)); err != nil {
			return nil, err
		}
	}
	return tenants, nil
}

// seedWorkspaces fills the workspaces with n documents each, four at a time.
func seedWorkspaces(ctx context.Context, pool *pgxpool.Pool, tenants []*seededWorkspace, n int) error {
	logProgress("seeding %d × %d documents", len(tenants), n)
	group, all := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for i, p := range tenants {
		group.Go(func() error { return seedWorkspace(all, pool, p, newGenerator(uint64(i)), n) })
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	if _, err := pool.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

func seedWorkspace(ctx context.Context, pool *pgxpool.Pool, p *seededWorkspace, v *generator, n int) error {
	for done := 0; done < n; done += copyBatch {
		docs := make([]*model.Document, min(copyBatch, n-done))
		var tags []*model.DocumentAutoTag
		for i := range docs {
			docs[i] = v.document(p.workspaceID)
			tags = append(tags, v.tags(docs[i])...)
			if (done+i)%max(n/sampledDocuments, 1) == 0 && len(p.documents) < sampledDocuments {
				p.documents = append(p.documents, docs[i].ID)
			}
		}
		if err := copyRows(ctx, pool, docs, tags); err != nil {
			return err
		}
	}
	if err := seedEdges(ctx, pool, p); err != nil {
		return err
	}
	return countDocuments(ctx, pool, p, n)
}

// seedEdges stores the auto-tags of a workspace, 20 personas and 8 reactions to each of its newest
// documents.
func seedEdges(ctx context.Context, pool *pgxpool.Pool, p *seededWorkspace) error {
	const tags = `INSERT INTO auto_tag (id, workspace_id, name, name_key, manual, tag_type, description, allowed_values, min_confidence, enabled, revision, created_at, updated_at)
		SELECT DISTINCT auto_tag_id, workspace_id, name, name, false, tag_type, '', '[]'::jsonb, 0.5, true, 1, now(), now() FROM document_auto_tag WHERE workspace_id = $1`
	const personas = `INSERT INTO persona (id, workspace_id, name, category, description, communication_style, concerns, interests, tone, instructions, template,
		template_built, avatar_source, avatar_url, entity_kind, entity_kind_resolved, external_sources, social_links, grounded_statements, health_state,
		writing_sample_document_ids, voice_visibility, response_language, include_in_audience, include_in_voice_list, is_active, created_by, created_at, updated_at)
		SELECT 'per_' || $1 || '_' || n, $1, 'Persona ' || n, 'all', '', '', '', '', '', '', '', true, '', '', '', '', '[]', '[]', '[]', '{}', '[]', 'workspace', 'en',
		true, true, true, 'system', now(), now() FROM generate_series(1, 20) AS n`
	const reactions = `INSERT INTO reaction (id, workspace_id, persona_id, subject_id, document_id, version, persona_version, status, rating, text, themes, risks, actions,
		quotes, model, created_at) SELECT 'rea_' || d.id || '_' || n, $1, 'per_' || $1 || '_' || n, d.id, d.id, 'v', 'v', 'completed', 3,
		repeat('A reaction in some words. ', 8), '[]', '[]', '[]', '[]', 'bench', d.created_at + n * interval '1 second'
		FROM (SELECT id, created_at FROM document WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 400) AS d CROSS JOIN generate_series(1, 8) AS n`
	for _, statement := range []string{tags, personas, reactions} {
		if _, err := pool.Exec(ctx, statement, p.workspaceID); err != nil {
			return err
		}
	}
	return nil
}

// countDocuments stores the counts of the n documents of a workspace, as document.Service does for
// each document. All are completed, so that no status has a count.
func countDocuments(ctx context.Context, pool *pgxpool.Pool, p *seededWorkspace, n int) error {
	_, err := pool.Exec(ctx, "UPDATE workspace SET document_count = $2 WHERE id = $1", p.workspaceID, n)
	return err
}

var documentColumns = []string{
	"id", "workspace_id", "title", "content", "content_type", "communication_type", "company", "executive", "author",
	"language",
	"media_provenance", "source_url", "url", "canonical_url", "scrape_job_id", "word_count", "character_count",
	"is_narrative_testing_upload", "tags", "created_at", "updated_at", "extracted_at", "extracted_date",
}

var tagColumns = []string{
	"id", "workspace_id", "document_id", "auto_tag_id", "name", "tag_type", "extracted_value", "confidence_score",
	"applied_at",
}

// copyRows writes the rows through COPY.
func copyRows(ctx context.Context, pool *pgxpool.Pool, docs []*model.Document, tags []*model.DocumentAutoTag) error {
	rows := pgx.CopyFromSlice(len(docs), func(i int) ([]any, error) {
		d := docs[i]
		return []any{
			d.ID, d.WorkspaceID, d.Title, d.Content, d.ContentType, d.CommunicationType, d.Company, d.Executive,
			d.Author, d.Language,
			string(*d.MediaProvenance), d.SourceURL, d.URL, d.CanonicalURL, d.ScrapeJobID, d.WordCount,
			d.CharacterCount,
			d.IsNarrativeTestingUpload, d.Tags, d.CreatedAt, d.UpdatedAt, d.ExtractedAt, d.ExtractedDate,
		}, nil
	})
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"document"}, documentColumns, rows); err != nil {
		return fmt.Errorf("copy documents: %w", err)
	}
	rows = pgx.CopyFromSlice(len(tags), func(i int) ([]any, error) {
		t := tags[i]
		return []any{
			t.ID, t.WorkspaceID, t.DocumentID, t.AutoTagID, t.Name, t.TagType, t.ExtractedValue, t.ConfidenceScore,
			t.AppliedAt,
		}, nil
	})
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"document_auto_tag"}, tagColumns, rows); err != nil {
		return fmt.Errorf("copy auto-tags: %w", err)
	}
	return nil
}
