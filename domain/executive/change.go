package executive

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/model/optional"
)

// Follow updates data derived from a document in the transaction that changes it. A new text
// deletes its signals; a new company, title, author or executive updates them. Comparisons that
// cite a deleted document are deleted. An owned document may enqueue a search for the chief
// executive.
func (s *Service) Follow(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if after == nil {
		return dropComparisons(ctx, tx, before)
	}
	if before != nil {
		if err := s.handleChange(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return s.enqueueChiefSearch(ctx, tx, after)
}

func (s *Service) handleChange(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if optional.ValueOr(before.Content, "") != optional.ValueOr(after.Content, "") {
		return dropExtraction(ctx, tx, after.ID)
	}
	if sourceOf(before) != sourceOf(after) ||
		optional.ValueOr(before.Company, "") != optional.ValueOr(after.Company, "") {
		return s.attributeAgain(ctx, tx, after)
	}
	return nil
}

// attributeAgain attributes a document's stored signals after its title, author, executive or
// company changed. These may prove a speaker, for example a title that announces somebody's remarks. If a
// speaker changes, it deletes the comparisons that cite the document.
func (s *Service) attributeAgain(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	before, err := signalsIn(ctx, tx, doc.WorkspaceID, doc.ID)
	if err != nil || len(before) == 0 {
		return err
	}
	reading, found := readSpeakers(doc), &textExtraction{row: &model.SignalExtraction{WorkspaceID: doc.WorkspaceID}}
	for _, stored := range before {
		signal := *stored
		said, _ := reading.Find(signal.Start, signal.End)
		claim := offline.SignalClaim{Speaker: optional.ValueOr(stored.Executive, "")}
		attributeSignal(&signal, doc, reading, said, claim, true)
		signal.ExecutiveID, signal.CompanyID = nil, nil
		found.signals = append(found.signals, &signal)
	}
	if err := s.attachSpeakers(ctx, tx, doc, found); err != nil {
		return err
	}
	moved := false
	for i, signal := range found.signals {
		stored := before[i]
		isMoved := optional.ValueOr(signal.ExecutiveID, "") != optional.ValueOr(stored.ExecutiveID, "")
		if !isMoved && !signal.Attributed && !stored.Attributed {
			signal.Company, signal.CompanyID = stored.Company, stored.CompanyID
		}
		moved = moved || isMoved
	}
	update := tx.NewInsert().Model(&found.signals).On("CONFLICT (id) DO UPDATE")
	for _, column := range []string{"executive", "executive_id", "company", "company_id", "attributed", "speaker_name",
		"speaker_proof", "speaker_start", "speaker_end"} {
		update = update.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	if _, err := update.Exec(ctx); err != nil || !moved {
		return dbx.Err(err)
	}
	return dropComparisons(ctx, tx, doc)
}

// dropComparisons deletes the comparisons that cite a document.
func dropComparisons(ctx context.Context, tx dbx.Tx, cited *model.Document) error {
	citing := tx.NewSelect().Model((*model.InsightSource)(nil)).Column("insight_id").Where("document_id = ?", cited.ID)
	_, err := tx.NewDelete().Model((*model.Insight)(nil)).
		Where("workspace_id = ? AND id IN (?)", cited.WorkspaceID, citing).Exec(ctx)
	return dbx.Err(err)
}
