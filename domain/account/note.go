package account

import (
	"context"

	"rostrum/dbx"
)

// Note writes a line of the workspace's audit log for another room, in the transaction of what it tells of. The details must not
// hold a secret.
func (*Service) Note(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error {
	return note(ctx, tx, workspaceID, noted{Action: action, Subject: subjectID, Details: details})
}
