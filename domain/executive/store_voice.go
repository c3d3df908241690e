package executive

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/optional"
)

// selectVoices selects voices with the fields of their personas.
func (s *Service) selectVoices(workspaceID string) *bun.SelectQuery {
	return s.Personas.SelectIn(s.DB, workspaceID).Join("JOIN executive_voice AS v ON v.persona_id = p.id").
		ColumnExpr("v.executive, v.persona_id, p.include_in_voice_list AS enabled, p.default_voice_profile_id IS NOT NULL AS tuned, v.language").
		Where("v.workspace_id = ?", workspaceID).OrderExpr("v.executive")
}

func (s *Service) listVoices(ctx context.Context, workspaceID string) ([]*model.ExecutiveVoice, error) {
	rows := []*model.ExecutiveVoice{}
	err := s.selectVoices(workspaceID).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// voiceOf returns an executive's voice; nil without one.
func (s *Service) voiceOf(ctx context.Context, workspaceID, name string) (*model.ExecutiveVoice, error) {
	row := new(model.ExecutiveVoice)
	err := s.selectVoices(workspaceID).Where("v.executive = ?", name).Scan(ctx, row)
	return dbx.NilIfNotFound(row, err)
}

// linkOf returns a voice by a column's value; nil without one.
func (s *Service) linkOf(ctx context.Context, db dbx.Reader, workspaceID, column, value string) (*model.VoiceLink, error) {
	row := new(model.VoiceLink)
	err := db.NewSelect().Model(row).Where("workspace_id = ? AND ? = ?", workspaceID, bun.Ident(column), value).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// setLanguage sets the language of a voice that was tuned.
func setLanguage(ctx context.Context, tx dbx.Tx, personaID string, language *string) error {
	_, err := tx.NewUpdate().Model((*model.VoiceLink)(nil)).Set("language = ?", language).Where("persona_id = ?", personaID).Exec(ctx)
	return dbx.Err(err)
}

func insertLink(ctx context.Context, tx dbx.Tx, row *model.VoiceLink) error {
	_, err := tx.NewInsert().Model(row).Exec(ctx)
	return dbx.Err(err)
}

// The maximum number of writing samples of a voice, and of the documents among which they are found.
const (
	maxSamples    = 5
	maxCandidates = 25
)

// voiceSamples are the writing samples of a voice with their language, and the company that the executive speaks for.
type voiceSamples struct {
	ids               []string
	language, company string // "" if unknown
}

// tunedVoice is a persona that may become an executive's voice, and the language of its writing samples.
type tunedVoice struct {
	*model.Persona
	language *string
}

// writingSamples returns the latest documents that the executive speaks or signs, in the language of the latest one, and the company of the
// latest document that is attributed to the executive.
func (s *Service) writingSamples(ctx context.Context, workspaceID, name string) (found voiceSamples, err error) {
	var rows []*model.Document
	err = s.Documents.SelectPublished(s.DB, workspaceID).Column("id", "title", "content", "author", "company").
		Where("executive = ? AND character_count > 0 AND processing_status IS NULL", name).Where("?", s.Documents.ReadableBy("d", false)).
		OrderExpr(documentDate+" DESC, id DESC").Limit(maxCandidates).Scan(ctx, &rows)
	if err != nil {
		return found, dbx.Err(err)
	}
	names, err := s.Parties.NamesOf(ctx, workspaceID, model.PartyKindExecutive, name)
	for _, row := range rows {
		if found.company == "" {
			found.company = optional.ValueOr(row.Company, "")
		}
		spoken := text.Language(optional.ValueOr(row.Content, ""))
		if len(found.ids) == maxSamples || len(found.ids) > 0 && spoken != found.language || !speaksMost(row, names) {
			continue
		}
		found.ids, found.language = append(found.ids, row.ID), spoken
	}
	return found, err
}

func (s *Service) findAttempt(ctx context.Context, db dbx.Reader, workspaceID string) (*model.AutoVoiceAttempt, error) {
	row := new(model.AutoVoiceAttempt)
	err := db.NewSelect().Model(row).Where("workspace_id = ?", workspaceID).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// keepAttempt stores the result of a search for the chief executive; a found name is final.
func keepAttempt(ctx context.Context, tx dbx.Tx, row *model.AutoVoiceAttempt) error {
	_, err := tx.NewInsert().Model(row).On("CONFLICT (workspace_id) DO UPDATE").
		Set("executive = EXCLUDED.executive, persona_id = EXCLUDED.persona_id, attempted_at = EXCLUDED.attempted_at").Exec(ctx)
	return dbx.Err(err)
}

// ownCompany returns the company of most of the workspace's owned documents, among its own companies if it has set some; empty without one.
func (s *Service) ownCompany(ctx context.Context, workspaceID string) (string, error) {
	own, err := s.Parties.OwnCompanies(ctx, workspaceID)
	if err != nil {
		return "", err
	}
	q := s.ownedDocuments(workspaceID).ColumnExpr("company").Where("company IS NOT NULL AND company <> ''")
	if len(own) > 0 {
		q = q.Where("company IN ?", nonEmptyNames(companyNames(own)))
	}
	var name string
	err = q.Group("company").OrderExpr("count(*) DESC, max(created_at) DESC, company").Limit(1).Scan(ctx, &name)
	if err = dbx.Err(err); errs.Is(err, errs.NotFound) {
		return "", nil
	}
	return name, err
}

func companyNames(companies []*model.Company) []string {
	names := make([]string, len(companies))
	for i, company := range companies {
		names[i] = company.Name
	}
	return names
}

// ownedDocuments selects the workspace's own, complete communications.
func (s *Service) ownedDocuments(workspaceID string) *bun.SelectQuery {
	return s.Documents.SelectPublished(s.DB, workspaceID).
		Where("media_provenance = ? AND processing_status IS NULL", model.MediaProvenanceOwned)
}

// executiveDocuments returns the latest owned documents of the company that are attributed to an executive.
func (s *Service) executiveDocuments(ctx context.Context, workspaceID, company string, most int) ([]*model.Document, error) {
	rows := []*model.Document{}
	err := s.ownedDocuments(workspaceID).Column("id", "title", "content", "executive").
		Where("company = ? AND executive IS NOT NULL AND executive <> ''", company).
		OrderExpr("created_at DESC, id DESC").Limit(int64(most)).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}
