package account

// QueuedUses returns how many uses of keys wait to be stored.
func (s *Service) QueuedUses() int { return len(s.touched) }
