package dbx

// Waiting returns the number of a workspace's transactions that run or wait.
func Waiting(db *DB, workspaceID string) int {
	db.slots.mu.Lock()
	defer db.slots.mu.Unlock()
	if own := db.slots.tenants[workspaceID]; own != nil {
		return own.users
	}
	return 0
}
