package account

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// auditRecord is the input of an audit entry. The details must not hold a secret.
type auditRecord struct {
	Action  string
	Subject string // the id of the changed object
	Details map[string]any
}

// insertAudit stores an audit entry in the transaction of the change, and records the change of its
// subject in the feed. The actor is the context's
// principal, else the operator. It returns an error if the details cannot be encoded.
func (s *Service) insertAudit(ctx context.Context, tx dbx.Tx, workspaceID string, n auditRecord) error {
	if n.Details == nil {
		n.Details = map[string]any{}
	}
	details, err := json.Marshal(n.Details)
	if err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	entry := &model.AuditEntry{
		ID: model.NewID(model.AuditPrefix), WorkspaceID: workspaceID, At: model.Now(),
		ActorKind: model.AuditActorKindOperator,
		Action:    n.Action, SubjectID: n.Subject, Details: details,
	}
	if p, err := principal.From(ctx); err == nil {
		entry.ActorKind, entry.ActorID = model.AuditActorKindKey, &p.KeyID
		if p.UserID != "" {
			entry.ActorKind, entry.ActorID = model.AuditActorKindUser, &p.UserID
		}
	}
	s.record(tx, workspaceID, model.EventObjectChanged, n.Subject)
	return insertRow(ctx, tx, entry)
}

// Audit stores another package's audit entry in the transaction of the change. details must not
// contain a secret.
func (s *Service) Audit(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string,
	details map[string]any) error {
	return s.insertAudit(ctx, tx, workspaceID, auditRecord{Action: action, Subject: subjectID, Details: details})
}

// auditAllWorkspaces adds an entry by the user to the audit log of each of the user's workspaces.
func (s *Service) auditAllWorkspaces(ctx context.Context, tx dbx.Tx, userID string, n auditRecord) error {
	workspaces, err := workspaceIDs(ctx, tx, userID)
	if err != nil {
		return err
	}
	for _, id := range workspaces {
		if err := s.insertAudit(principal.With(ctx, principal.Principal{WorkspaceID: id, UserID: userID}), tx, id,
			n); err != nil {
			return err
		}
	}
	return nil
}

// newestFirst is the order of the audit log.
var newestFirst = dbx.Order{Column: "at", Time: true, Desc: true}

// AuditLog returns a page of the workspace's audit log, newest first. It counts the total on
// demand. It returns an error for invalid page arguments.
func (s *Service) AuditLog(ctx context.Context, args model.PageArgs) (*model.AuditConnection, error) {
	p := principal.Must(ctx)
	page, err := dbx.List[model.AuditEntry]{
		Order: newestFirst,
		Key:   func(e *model.AuditEntry) (any, string) { return e.At, e.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", p.WorkspaceID) },
	}.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// AuditPages returns a page of audit entries per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) AuditPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.AuditEntry], error) {
	list := dbx.List[model.AuditEntry]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.AuditEntry) (any, string) { return row.At, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.AuditEntry]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// AuditEntriesByID returns the workspace's audit entries with the ids (see dbx.ByIDs).
func (s *Service) AuditEntriesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.AuditEntry, error) {
	return dbx.ByIDs[model.AuditEntry](ctx, s.db, workspaceID, ids, columns...)
}
