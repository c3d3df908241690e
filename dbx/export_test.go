package dbx

import (
	"time"

	"rostrum/platform/slot"
)

// Waiting returns the number of a workspace's transactions that run or wait.
func Waiting(db *DB, workspaceID string) int { return db.slots.(*slot.Slots).Users(workspaceID) }

// SetClock sets by how much the server's clock is ahead.
func (db *DB) SetClock(ahead time.Duration) { db.clock.Store(int64(ahead)) }

// SetCommitWait sets how long a commit waits for a server.
func (db *DB) SetCommitWait(d time.Duration) { db.commitWait = d }
