package dbx

import "time"

// Waiting returns the number of a workspace's transactions that run or wait.
func Waiting(db *DB, workspaceID string) int {
	db.slots.mu.Lock()
	defer db.slots.mu.Unlock()
	if own := db.slots.tenants[workspaceID]; own != nil {
		return own.users
	}
	return 0
}

// SetClock sets by how much the server's clock is ahead.
func (db *DB) SetClock(ahead time.Duration) { db.clock.Store(int64(ahead)) }
