package executive

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// chiefTask is the task that searches for a workspace's chief executive.
const chiefTask = "executive.chief"

const (
	chiefTime         = 20 * time.Second
	maxChiefDocuments = 50 // owned documents that the search reads
)

// autoVoiceState returns the state of the automatic voice, including later changes by people.
func autoVoiceState(attempt *model.AutoVoiceAttempt, voices []*model.ExecutiveVoice) *api.AutoVoice {
	if attempt == nil {
		return &api.AutoVoice{Status: model.AutoVoiceStatusPending}
	}
	out := &api.AutoVoice{
		Status: model.AutoVoiceStatusUnknown, Executive: attempt.Executive, PersonaID: attempt.PersonaID,
		AttemptedAt: &attempt.AttemptedAt,
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

// enqueueChiefSearch enqueues the search for the chief executive after an owned document that names
// an executive, until one is found.
func (s *Service) enqueueChiefSearch(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	done := doc.ProcessingStatus == nil && optional.ValueOr(doc.MediaProvenance, "") == model.MediaProvenanceOwned
	if !done || optional.ValueOr(doc.Executive, "") == "" || optional.ValueOr(doc.Company, "") == "" {
		return nil
	}
	attempt, err := s.findAttempt(ctx, tx, doc.WorkspaceID)
	if err != nil || attempt != nil && attempt.Executive != nil {
		return err
	}
	return s.Jobs.EnqueueTasks(ctx, tx, chiefTask, job.TaskArgs{Ref: doc.WorkspaceID})
}

// findChief creates the voice of the chief executive that the workspace's own documents name, but
// only once: a voice that a person disabled or removed stays so. It is idempotent.
func (s *Service) findChief(ctx context.Context, workspaceID string) error {
	ctx = principal.With(ctx, principal.Principal{WorkspaceID: workspaceID})
	attempt, err := s.findAttempt(ctx, s.DB, workspaceID)
	if err != nil || attempt != nil && attempt.Executive != nil {
		return err
	}
	name, err := s.detectChief(ctx, workspaceID)
	if err != nil {
		return err
	}
	var made *tunedVoice
	if name != "" {
		if made, err = s.newTunedVoice(ctx, workspaceID, name, true); err != nil {
			return err
		}
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.keepChief(ctx, tx, workspaceID, name, made)
	})
	if err != nil {
		return fmt.Errorf("make the chief executive's voice: %w", err)
	}
	return nil
}

func (s *Service) keepChief(ctx context.Context, tx dbx.Tx, workspaceID, name string, made *tunedVoice) error {
	if _, err := s.Accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return err
	}
	before, err := s.findAttempt(ctx, tx, workspaceID)
	if err != nil || before != nil && before.Executive != nil {
		return err
	}
	row := &model.AutoVoiceAttempt{WorkspaceID: workspaceID, Executive: optional.NonEmpty(name),
		AttemptedAt: model.Now()}
	if name == "" {
		return keepAttempt(ctx, tx, row)
	}
	link, err := s.linkOf(ctx, tx, workspaceID, "executive", name)
	switch {
	case err != nil:
		return err
	case link != nil: // created by a person; keep it enabled or disabled
		row.PersonaID = &link.PersonaID
		return keepAttempt(ctx, tx, row)
	}
	persona, _, err := s.applyVoice(ctx, tx, workspaceID, name, true, made)
	if err != nil {
		return err
	}
	row.PersonaID = &persona.ID
	return keepAttempt(ctx, tx, row)
}

// detectChief returns the executive that most of the own company's documents call chief executive,
// among documents attributed to this person. It is empty without one or with a tie.
func (s *Service) detectChief(ctx context.Context, workspaceID string) (string, error) {
	company, err := s.ownCompany(ctx, workspaceID)
	if err != nil || company == "" {
		return "", err
	}
	docs, err := s.executiveDocuments(ctx, workspaceID, company, maxChiefDocuments)
	if err != nil {
		return "", err
	}
	votes, err := s.countChiefVotes(ctx, workspaceID, company, docs)
	if err != nil {
		return "", err
	}
	names := slices.SortedFunc(maps.Keys(votes), func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b))
	})
	if len(names) == 0 || len(names) > 1 && votes[names[0]] == votes[names[1]] {
		return "", nil
	}
	return names[0], nil
}

// countChiefVotes returns by name how many documents call their executive the company's chief. The
// number of statements is constant.
func (s *Service) countChiefVotes(ctx context.Context, workspaceID, company string,
	docs []*model.Document) (map[string]int, error) {
	named, people, companies := make([][]Chief, len(docs)), []string{}, []string{}
	for i, doc := range docs {
		named[i] = s.Reader.Chiefs(optional.ValueOr(doc.Content, ""))
		for _, c := range named[i] {
			people, companies = append(people, c.Executive), append(companies, c.Company)
		}
	}
	people, err := s.Parties.CanonicalNames(ctx, workspaceID, model.PartyKindExecutive, people...)
	if err != nil {
		return nil, err
	}
	companies, err = s.Parties.CanonicalNames(ctx, workspaceID, model.PartyKindCompany, companies...)
	votes, at := map[string]int{}, 0
	for i, doc := range docs {
		isChief := false
		for range named[i] {
			ofCompany := companies[at] == "" || model.NameKey(companies[at]) == model.NameKey(company)
			isChief = isChief || ofCompany && people[at] == *doc.Executive
			at++
		}
		if isChief {
			votes[*doc.Executive]++
		}
	}
	return votes, err
}
