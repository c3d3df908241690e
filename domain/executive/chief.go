package executive

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// chiefTask looks for a workspace's chief executive.
const chiefTask = "executive.chief"

const (
	chiefTime = 20 * time.Second
	mostTold  = 50 // owned documents that are looked through for the chief executive
)

// stateOf tells what became of the automatic voice; what a person did with it since shows in the voice itself.
func stateOf(attempt *model.AutoVoiceAttempt, voices []*model.ExecutiveVoice) *model.AutoVoice {
	if attempt == nil {
		return &model.AutoVoice{Status: model.AutoVoiceStatusPending}
	}
	out := &model.AutoVoice{
		Status: model.AutoVoiceStatusUnknown, Executive: attempt.Executive, PersonaID: attempt.PersonaID, AttemptedAt: &attempt.AttemptedAt,
	}
	if attempt.Executive == nil {
		return out
	}
	out.Status = model.AutoVoiceStatusRemoved
	for _, voice := range voices {
		switch {
		case attempt.PersonaID == nil || voice.PersonaID != *attempt.PersonaID:
		case voice.Enabled:
			out.Status = model.AutoVoiceStatusReady
		default:
			out.Status = model.AutoVoiceStatusDisabled
		}
	}
	return out
}

// lookForChief queues the look for the chief executive with an owned document that names an executive, until one was found.
func (s *Service) lookForChief(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	done := doc.ProcessingStatus == nil && model.ValueOr(doc.MediaProvenance, "") == model.MediaProvenanceOwned
	if !done || model.ValueOr(doc.Executive, "") == "" || model.ValueOr(doc.Company, "") == "" {
		return nil
	}
	attempt, err := s.attempt(ctx, tx, doc.WorkspaceID)
	if err != nil || attempt != nil && attempt.Executive != nil {
		return err
	}
	return s.Jobs.EnqueueTasks(ctx, tx, chiefTask, job.Errand{Ref: doc.WorkspaceID})
}

// findChief makes the voice of the chief executive whom the workspace's own documents name, once for ever: a voice that a person left out or
// removed stays so. It may run any number of times.
func (s *Service) findChief(ctx context.Context, workspaceID string) error {
	ctx = model.WithPrincipal(ctx, model.Principal{WorkspaceID: workspaceID})
	attempt, err := s.attempt(ctx, s.DB, workspaceID)
	if err != nil || attempt != nil && attempt.Executive != nil {
		return err
	}
	name, err := s.chief(ctx, workspaceID)
	if err != nil {
		return err
	}
	var made *model.Persona
	if name != "" {
		if made, err = s.tuned(ctx, workspaceID, name, true); err != nil {
			return err
		}
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.keepChief(ctx, tx, workspaceID, name, made) })
	if err != nil {
		return fmt.Errorf("make the chief executive's voice: %w", err)
	}
	return nil
}

func (s *Service) keepChief(ctx context.Context, tx dbx.Tx, workspaceID, name string, made *model.Persona) error {
	if err := s.lockWorkspace(ctx, tx, workspaceID); err != nil {
		return err
	}
	before, err := s.attempt(ctx, tx, workspaceID)
	if err != nil || before != nil && before.Executive != nil {
		return err
	}
	row := &model.AutoVoiceAttempt{WorkspaceID: workspaceID, Executive: model.Optional(name), AttemptedAt: model.Now()}
	if name == "" {
		return keepAttempt(ctx, tx, row)
	}
	link, err := s.linkOf(ctx, tx, workspaceID, "executive", name)
	switch {
	case err != nil:
		return err
	case link != nil: // a person's, who decides whether it is included
		row.PersonaID = &link.PersonaID
		return keepAttempt(ctx, tx, row)
	}
	persona, _, err := s.settle(ctx, tx, workspaceID, name, true, made)
	if err != nil {
		return err
	}
	row.PersonaID = &persona.ID
	return keepAttempt(ctx, tx, row)
}

// chief is the executive whom most of the own company's documents, which are attributed to them, call chief executive; empty when none is, or
// two are as often.
func (s *Service) chief(ctx context.Context, workspaceID string) (string, error) {
	company, err := s.ownCompany(ctx, workspaceID)
	if err != nil || company == "" {
		return "", err
	}
	docs, err := s.telling(ctx, workspaceID, company, mostTold)
	if err != nil {
		return "", err
	}
	votes := map[string]int{}
	for _, doc := range docs {
		for _, c := range s.Reader.Chiefs(model.ValueOr(doc.Content, "")) {
			if c.Executive == *doc.Executive && (c.Company == "" || strings.EqualFold(c.Company, company)) {
				votes[c.Executive]++
				break
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(votes), func(a, b string) int { return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b)) })
	if len(names) == 0 || len(names) > 1 && votes[names[0]] == votes[names[1]] {
		return "", nil
	}
	return names[0], nil
}
