package audience

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

func (s *Service) storedGroups(ctx context.Context, workspaceID string) ([]*model.AudienceGroup, error) {
	rows := []*model.AudienceGroup{}
	err := s.DB.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID).Scan(ctx)
	return rows, dbx.Err(err)
}

// saveGroup inserts or updates a group.
func (s *Service) saveGroup(ctx context.Context, g *model.AudienceGroup) error {
	_, err := s.DB.NewInsert().Model(g).On("CONFLICT (id) DO UPDATE").
		Set("name = EXCLUDED.name").Set("display_name = EXCLUDED.display_name").Set("sort_order = EXCLUDED.sort_order").
		Exec(ctx)
	return err
}

func (s *Service) removeGroup(ctx context.Context, g *model.AudienceGroup) error {
	_, err := s.DB.NewDelete().Model(g).Where("workspace_id = ? AND id = ?", g.WorkspaceID, g.ID).Exec(ctx)
	return dbx.Err(err)
}

// documentReaction is a reaction with the columns of its document that a summary needs.
type documentReaction struct {
	model.Reaction `bun:",extend"`

	DocumentVersion   string                 `bun:"document_version"`
	DocumentCreated   time.Time              `bun:"document_created"`
	DocumentPublished *time.Time             `bun:"document_published"`
	Company           *string                `bun:"company"`
	Executive         *string                `bun:"executive"`
	CommunicationType *string                `bun:"communication_type"`
	MediaProvenance   *model.MediaProvenance `bun:"media_provenance"`
	Tags              []string               `bun:"tags,type:jsonb"`
	ForOutsiders      bool                   `bun:"for_outsiders"` // every persona may have read the document
	// a persona that may read internal texts may have read it
	ForStaff bool `bun:"for_staff"`
}

// mayBeRead reports whether the persona may have read the document.
func (f *documentReaction) mayBeRead(by *reader) bool {
	return f.ForOutsiders || f.ForStaff && by.MayReadInternal
}

// opinion returns how its text was taken: by the rating of people, else by that of a text model; nil
// without both.
func (f *documentReaction) opinion() (rating *float64, sentiment *model.ReactionSentiment) {
	if f.ObservedRating != nil {
		return f.ObservedRating, new(model.SentimentOf(*f.ObservedRating))
	}
	return f.Rating, f.Sentiment
}

// lightColumns are the columns of a reaction that decide whether a summary is stale.
var lightColumns = []string{"id", "persona_id", "document_id", "version", "status", "sentiment", "rating",
	"observed_rating", "created_at"}

// readReactions returns the personas' reactions to documents that they may have read and to named
// ones, oldest first. With whole set it also reads the texts.
func (s *Service) readReactions(ctx context.Context, workspaceID string, readers []*reader, named []string,
	whole bool) ([]*documentReaction, error) {
	rows := []*documentReaction{}
	if len(readers) == 0 {
		return rows, nil
	}
	staff := slices.DeleteFunc(slices.Clone(readers), func(r *reader) bool { return !r.MayReadInternal })
	ofStaff := bun.SafeQuery("r.persona_id IN ?", bun.Tuple(append(idsOf(staff), "")))
	columns := lightColumns
	if whole {
		columns = append(append([]string{}, lightColumns...), "text", "themes", "risks", "actions", "quotes")
	}
	q := s.Documents.SelectIn(s.DB, workspaceID).Join("JOIN reaction AS r ON r.document_id = d.id").
		Where("r.workspace_id = ? AND r.persona_id IN ?", workspaceID, bun.Tuple(idsOf(readers))).
		Where("? OR d.id IN ?", s.Documents.ReadableBy("d", ofStaff), bun.Tuple(append([]string{""}, named...))).
		ColumnExpr("? AS for_outsiders, ? AS for_staff", s.Documents.ReadableBy("d", false),
			s.Documents.ReadableBy("d", true))
	for _, column := range columns {
		q = q.ColumnExpr("r.?", bun.Ident(column))
	}
	err := q.ColumnExpr("d.version AS document_version, d.created_at AS document_created").
		ColumnExpr("d.extracted_date AS document_published, d.company, d.executive, d.communication_type, d.media_provenance, d.tags").
		OrderExpr("r.created_at, r.id").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// readPillars returns the values of pillar auto-tags in documents.
func (s *Service) readPillars(ctx context.Context, workspaceID string, documentIDs []string) ([]*model.DocumentAutoTag,
	error) {
	return s.Tags.ValuesOfType(ctx, workspaceID, "pillar", documentIDs)
}

func (s *Service) findSummary(ctx context.Context, workspaceID, category, key string) (*model.AudienceSummary, error) {
	row := new(model.AudienceSummary)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND category = ? AND filter_key = ?", workspaceID,
		category, key).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// untoldSummaries returns the summaries of which the feed has not told that they are stale.
func (s *Service) untoldSummaries(ctx context.Context, workspaceID string) ([]*model.AudienceSummary, error) {
	var rows []*model.AudienceSummary
	err := s.DB.NewSelect().Model(&rows).Column("id", "workspace_id", "category", "filters", "digest").
		Where("workspace_id = ? AND stale_since IS NULL", workspaceID).Order("id").Scan(ctx)
	return rows, dbx.Err(err)
}

// markTold stores that a summary is stale, and reports false if it was generated anew or told since it
// was read.
func markTold(ctx context.Context, tx dbx.Tx, row *model.AudienceSummary) (bool, error) {
	done, err := tx.NewUpdate().Model(row).Set("stale_since = ?", model.Now()).
		Where("id = ? AND digest = ? AND stale_since IS NULL", row.ID, row.Digest).Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// saveSummary stores a summary for its category and filters, with its reactions.
func (s *Service) saveSummary(ctx context.Context, tx dbx.Tx, made *model.AudienceSummary) error {
	_, err := tx.NewInsert().Model(made).On("CONFLICT (workspace_id, category, filter_key) DO UPDATE").
		Set("filters = EXCLUDED.filters").Set("summary_json = EXCLUDED.summary_json").
		Set("status_counts = EXCLUDED.status_counts").
		Set("reaction_count = EXCLUDED.reaction_count").Set("grade = EXCLUDED.grade").
		Set("grade_score = EXCLUDED.grade_score").
		Set("grade_trend = EXCLUDED.grade_trend").Set("model = EXCLUDED.model").Set("digest = EXCLUDED.digest").
		Set("source_document_ids = EXCLUDED.source_document_ids").Set("made_by = EXCLUDED.made_by").
		Set("generated_at = EXCLUDED.generated_at").Set("stale_since = NULL").
		Set("evidence = EXCLUDED.evidence").Returning("id").Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	s.RecordChange(tx, made.WorkspaceID, model.EventObjectChanged, made.ID)
	return saveSummaryReactions(ctx, tx, made)
}

// madeBy reports whether a job has stored a summary.
func madeBy(ctx context.Context, tx dbx.Tx, jobID string) (bool, error) {
	there, err := tx.NewSelect().Model((*model.AudienceSummary)(nil)).Where("made_by = ?", jobID).Exists(ctx)
	return there, dbx.Err(err)
}
