package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

const (
	// readPeriod is the time in which one reader's reads of one subject add only one entry.
	readPeriod = time.Hour
	// maxAuditedReads limits how many entries a process remembers to save statements for repeated
	// reads.
	maxAuditedReads = 10_000
)

// AuditReads stores in one statement an audit entry per subject that the caller reads, at most one
// per reader, subject and hour. A caller without a key and a user adds none, for example a system
// job. It returns a database error.
func (s *Service) AuditReads(ctx context.Context, action string, subjectIDs []string) error {
	p, err := principal.From(ctx)
	if err != nil || p.KeyID == "" && p.UserID == "" {
		return nil //nolint:nilerr // nobody reads
	}
	at := s.db.Now()
	var entries []*model.AuditEntry
	for _, id := range subjectIDs {
		entry := newReadEntry(p, action, id, at)
		if _, known := s.auditedReads.Get(entry.ID); !known {
			entries = append(entries, entry)
		}
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := s.db.NewInsert().Model(&entries).On("CONFLICT (id) DO NOTHING").Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	for _, entry := range entries {
		s.auditedReads.Add(entry.ID, true)
	}
	return nil
}

// newReadEntry returns the entry of a read. Its id is derived from reader, subject and hour, so all
// processes together store it once.
func newReadEntry(p principal.Principal, action, subjectID string, at time.Time) *model.AuditEntry {
	entry := &model.AuditEntry{
		WorkspaceID: p.WorkspaceID, At: at, ActorKind: model.AuditActorKindKey, ActorID: &p.KeyID, Action: action,
		SubjectID: subjectID,
		Details:   json.RawMessage("{}"),
	}
	if p.UserID != "" {
		entry.ActorKind, entry.ActorID = model.AuditActorKindUser, &p.UserID
	}
	hour := at.Truncate(readPeriod).Format(time.RFC3339)
	sum := sha256.Sum256([]byte(strings.Join([]string{p.WorkspaceID, *entry.ActorID, action, subjectID, hour}, " ")))
	entry.ID = model.AuditPrefix + "_" + hex.EncodeToString(sum[:13])
	return entry
}
