package executive

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// MoveParty moves an executive's voice to another executive or to the new name, and deletes the
// comparisons with the old name. If both executives have a voice, one stays and the warning names
// the other.
func (s *Service) MoveParty(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, from,
	to model.Party) (warning string, err error) {
	if err := s.dropInsightsOf(ctx, tx, workspaceID, kind, from); err != nil || kind != model.PartyKindExecutive ||
		from.Name == to.Name {
		return "", err
	}
	voices, err := s.ownedVoices(ctx, tx, workspaceID, from.Name, to.Name)
	if err != nil {
		return "", err
	}
	if len(voices) > 1 {
		if warning, err = s.dropVoice(ctx, tx, workspaceID, to.Name, voices[0], voices[1]); err != nil {
			return "", err
		}
	}
	for _, row := range []any{(*model.VoiceLink)(nil), (*model.AutoVoiceAttempt)(nil)} {
		_, err := tx.NewUpdate().Model(row).Set("executive = ?", to.Name).Where("workspace_id = ? AND executive = ?",
			workspaceID, from.Name).Exec(ctx)
		if err != nil {
			return "", dbx.Err(err)
		}
	}
	return warning, nil
}

// ownedVoice is the voice of an executive with the writing samples of its persona.
type ownedVoice struct {
	PersonaID string    `bun:"persona_id"`
	Executive string    `bun:"executive"`
	Samples   []string  `bun:"writing_sample_document_ids,type:jsonb"`
	CreatedAt time.Time `bun:"created_at"`
}

// ownedVoices returns the voices of the executives with the names, the one to keep first. It
// prefers the voice with more samples, because a voice is as good as its samples. With equally many
// it prefers the newer one, because it has later texts.
func (s *Service) ownedVoices(ctx context.Context, tx dbx.Tx, workspaceID string, names ...string) ([]ownedVoice,
	error) {
	var voices []ownedVoice
	err := s.Personas.SelectIn(tx, workspaceID).Join("JOIN executive_voice AS v ON v.persona_id = p.id").
		ColumnExpr("v.persona_id, v.executive, v.created_at, p.writing_sample_document_ids").
		Where("v.workspace_id = ? AND v.executive IN ?", workspaceID, bun.Tuple(names)).Scan(ctx, &voices)
	if len(voices) == 2 {
		first, second := voices[0], voices[1]
		if len(second.Samples) > len(first.Samples) || len(second.Samples) == len(first.Samples) &&
			second.CreatedAt.After(first.CreatedAt) {
			voices[0], voices[1] = second, first
		}
	}
	return voices, dbx.Err(err)
}

// dropVoice makes the persona of a voice an ordinary one and returns a warning that names it. If it
// was the automatic voice, the kept one becomes that.
func (s *Service) dropVoice(ctx context.Context, tx dbx.Tx, workspaceID, name string, kept, dropped ownedVoice) (string,
	error) {
	if _, err := s.Personas.SetVoiceListing(ctx, tx, workspaceID, dropped.PersonaID, false, nil); err != nil {
		return "", err
	}
	_, err := tx.NewDelete().Model((*model.VoiceLink)(nil)).Where("workspace_id = ? AND persona_id = ?", workspaceID,
		dropped.PersonaID).Exec(ctx)
	if err != nil {
		return "", dbx.Err(err)
	}
	_, err = tx.NewUpdate().Model((*model.AutoVoiceAttempt)(nil)).Set("persona_id = ?", kept.PersonaID).
		Where("workspace_id = ? AND persona_id = ?", workspaceID, dropped.PersonaID).Exec(ctx)
	return fmt.Sprintf("%s keeps the voice %s, tuned on %d texts; %s of %s, tuned on %d, is no voice and stays as a persona",
			name, kept.PersonaID, len(kept.Samples), dropped.PersonaID, dropped.Executive, len(dropped.Samples)),
		dbx.Err(err)
}
