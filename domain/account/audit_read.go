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
	// readPeriod is the time in which further reads of a subject by the same key or user add no
	// entry.
	readPeriod = time.Hour
	// maxAuditedReads limits how many entries a process remembers, so that a repeated read runs no
	// statement.
	maxAuditedReads = 10_000
)

// AuditReads stores an audit entry for each subject that the caller reads, at most one for each key
// or user, subject and hour, with one statement. A caller without a key and a user, such as a job
// of the system, adds none. It returns a database error.
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

// newReadEntry returns the entry of a read. Its id is derived from the reader, the subject and the
// hour, so that it is stored once by all processes.
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
