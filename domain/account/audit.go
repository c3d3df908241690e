package account

import (
	"context"
	"encoding/json"
	"fmt"

	"rostrum/dbx"
	"rostrum/model"
)

// noted is what is about to stand in the audit log; its details must not hold a secret.
type noted struct {
	Action  string
	Subject string // the id of what it is done to
	Details map[string]any
}

// note writes a line of the workspace's audit log in the transaction of what it tells of. Who did it is said by the context; without
// anyone it was the operator.
func note(ctx context.Context, tx dbx.Tx, workspaceID string, n noted) error {
	if n.Details == nil {
		n.Details = map[string]any{}
	}
	details, err := json.Marshal(n.Details)
	if err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	entry := &model.AuditEntry{
		ID: model.NewID(model.AuditPrefix), WorkspaceID: workspaceID, At: model.Now(), ActorKind: model.AuditActorKindOperator,
		Action: n.Action, SubjectID: n.Subject, Details: details,
	}
	if p, err := model.PrincipalFrom(ctx); err == nil {
		entry.ActorKind, entry.ActorID = model.AuditActorKindKey, &p.KeyID
		if p.UserID != "" {
			entry.ActorKind, entry.ActorID = model.AuditActorKindUser, &p.UserID
		}
	}
	return insert(ctx, tx, entry)
}

// noteEverywhere writes what a user did to themselves into the log of each of their workspaces.
func (s *Service) noteEverywhere(ctx context.Context, tx dbx.Tx, userID string, n noted) error {
	workspaces, err := workspaceIDs(ctx, tx, userID)
	if err != nil {
		return err
	}
	for _, id := range workspaces {
		if err := note(model.WithPrincipal(ctx, model.Principal{WorkspaceID: id, UserID: userID}), tx, id, n); err != nil {
			return err
		}
	}
	return nil
}

// newestFirst is the order of the audit log.
var newestFirst = dbx.Order{Column: "at", Time: true, Desc: true}

// AuditLog reads a page of the caller's workspace's audit log, newest first. The total is counted only when it is asked for.
func (s *Service) AuditLog(ctx context.Context, args model.PageArgs) (*model.AuditConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, newestFirst)
	if err != nil {
		return nil, err
	}
	entries, err := s.auditEntries(ctx, p.WorkspaceID, window)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, entries, func(e *model.AuditEntry) (any, string) { return e.At, e.ID })
	page.Count = func(ctx context.Context) (int, error) { return s.countAudit(ctx, p.WorkspaceID) }
	return &model.AuditConnection{Connection: page}, nil
}
