package account

// QueuedUses returns how many uses of keys wait to be stored.
func (s *Service) QueuedUses() int { return len(s.touched) }

// ForgetStorage lets the next call measure the storage of workspaces again.
func (s *Service) ForgetStorage() { s.storage.Purge() }
