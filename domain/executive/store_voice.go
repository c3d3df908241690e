package executive

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// selectVoices selects voices with the fields of their personas.
func (s *Service) selectVoices(workspaceID string) *bun.SelectQuery {
	rows := s.Personas.SelectIn(s.DB, workspaceID).Join("JOIN executive_voice AS v ON v.persona_id = p.id").
		ColumnExpr("? || substr(v.persona_id, ?) AS id, v.workspace_id", model.VoicePrefix, len(model.PersonaPrefix)+1).
		ColumnExpr("v.executive, v.persona_id, p.include_in_voice_list AS enabled, p.default_voice_profile_id IS NOT NULL AS tuned, v.language").
		Where("v.workspace_id = ?", workspaceID)
	return s.DB.NewSelect().TableExpr("(?) AS voice", rows)
}

// VoicePage returns one page of the caller's voices, by executive (see dbx.List).
func (s *Service) VoicePage(ctx context.Context, args model.PageArgs,
	columns ...string) (*model.ExecutiveVoiceConnection, error) {
	p := principal.Must(ctx)
	return dbx.List[model.ExecutiveVoice]{
		Order: dbx.Order{Column: "executive"}, Columns: columns,
		Key:  func(v *model.ExecutiveVoice) (any, string) { return v.Executive, v.ID },
		From: func() *bun.SelectQuery { return s.selectVoices(p.WorkspaceID) },
	}.Page(ctx, s.DB, args)
}

// VoicesByID returns the workspace's voices with the ids (see dbx.ByIDs).
func (s *Service) VoicesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.ExecutiveVoice, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	personas := make([]string, len(ids))
	for i, id := range ids {
		personas[i] = model.PersonaPrefix + strings.TrimPrefix(id, model.VoicePrefix)
	}
	q := s.selectVoices(workspaceID).Where("persona_id IN ?", bun.Tuple(personas))
	if len(columns) == 0 {
		q = q.ColumnExpr("*")
	}
	return dbx.Read[model.ExecutiveVoice](ctx, s.DB, q.Column(columns...))
}

// ExecutivesOf returns the executive of each persona that is a voice, with two statements; nil for
// others.
func (s *Service) ExecutivesOf(ctx context.Context, personas []string, columns ...string) ([]*model.Executive, error) {
	var rows []*model.VoiceLink
	err := s.DB.NewSelect().Model(&rows).Column("persona_id", "executive").
		Where("workspace_id = ? AND persona_id IN ?", principal.Must(ctx).WorkspaceID,
			bun.Tuple(append([]string{""}, personas...))).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	executives := make(map[string]string, len(rows))
	for _, row := range rows {
		executives[row.PersonaID] = row.Executive
	}
	names := make([]string, len(personas))
	for i, id := range personas {
		names[i] = executives[id]
	}
	return s.Parties.ExecutivesByName(ctx, names, columns...)
}

// voiceOf returns an executive's voice; nil without one.
func (s *Service) voiceOf(ctx context.Context, workspaceID, name string) (*model.ExecutiveVoice, error) {
	row := new(model.ExecutiveVoice)
	err := s.selectVoices(workspaceID).ColumnExpr("*").Where("executive = ?", name).Scan(ctx, row)
	return dbx.NilIfNotFound(row, err)
}

// linkOf returns a voice by a column's value; nil without one.
func (s *Service) linkOf(ctx context.Context, db dbx.Reader, workspaceID, column, value string) (*model.VoiceLink,
	error) {
	row := new(model.VoiceLink)
	err := db.NewSelect().Model(row).Where("workspace_id = ? AND ? = ?", workspaceID, bun.Ident(column), value).
		Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// setLanguage sets the language of a voice that was tuned.
func setLanguage(ctx context.Context, tx dbx.Tx, personaID string, language *string) error {
	_, err := tx.NewUpdate().Model((*model.VoiceLink)(nil)).Set("language = ?", language).
		Where("persona_id = ?", personaID).Exec(ctx)
	return dbx.Err(err)
}

func insertLink(ctx context.Context, tx dbx.Tx, row *model.VoiceLink) error {
	_, err := tx.NewInsert().Model(row).Exec(ctx)
	return dbx.Err(err)
}

// maxSamples limits the writing samples of a voice, and maxCandidates the documents to choose from.
const (
	maxSamples    = 5
	maxCandidates = 25
)

// voiceSamples are a voice's writing samples, their language, and the company it speaks for.
type voiceSamples struct {
	ids               []string
	language, company string // "" if unknown
}

// tunedVoice is a persona that may become a voice, and the language of its writing samples.
type tunedVoice struct {
	*model.Persona
	language *string
}

// writingSamples returns the latest documents that the executive speaks or signs, in the language
// of the latest one. The company is that of the latest document attributed to the executive.
func (s *Service) writingSamples(ctx context.Context, workspaceID, name string) (found voiceSamples, err error) {
	var rows []*model.Document
	err = s.Documents.SelectPublished(s.DB, workspaceID).Column("id", "title", "content", "author", "origins", "executive",
		"company").
		Where("executive = ? AND character_count > 0 AND processing_status IS NULL", name).
		Where("?", s.Documents.ReadableBy("d", false)).
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
		Set("executive = EXCLUDED.executive, persona_id = EXCLUDED.persona_id, attempted_at = EXCLUDED.attempted_at").
		Exec(ctx)
	return dbx.Err(err)
}

// ownCompany returns the company of most owned documents. If the workspace has own companies, it is
// one of them. It is empty without one.
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

// executiveDocuments returns the company's latest owned documents that are attributed to an
// executive.
func (s *Service) executiveDocuments(ctx context.Context, workspaceID, company string, most int) ([]*model.Document,
	error) {
	rows := []*model.Document{}
	err := s.ownedDocuments(workspaceID).Column("id", "title", "content", "executive").
		Where("company = ? AND executive IS NOT NULL AND executive <> ''", company).
		OrderExpr("created_at DESC, id DESC").Limit(int64(most)).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}
