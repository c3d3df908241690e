package account

import (
	"context"
	"sync/atomic"
	"time"

	"rostrum/errs"
	"rostrum/model"
)

const (
	maxMeasured   = 10_000      // workspaces whose storage is remembered
	storageMemory = time.Minute // how long a measurement is used; what this process stores is added to it
	storageAgain  = time.Second // how old a measurement must be to measure again before a refusal
)

// MeasureStorage returns how many bytes of one kind a workspace stores.
type MeasureStorage func(ctx context.Context, workspaceID string) (int64, error)

// AddStorage adds a kind of stored bytes. Call it before the first request.
func (s *Service) AddStorage(measure MeasureStorage) { s.measures = append(s.measures, measure) }

// measuredStorage is the storage of a workspace when it was measured, and what was added since.
type measuredStorage struct {
	limit int64
	used  atomic.Int64
	at    time.Time
}

// Storage returns how much of its plan's storage a workspace has taken.
func (s *Service) Storage(ctx context.Context, workspaceID string) (*model.Storage, error) {
	m, err := s.storageOf(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return &model.Storage{Limit: m.limit, Used: m.used.Load()}, nil
}

// TakeStorage counts bytes that a workspace is about to store. It returns errs.TooLarge if its plan
// has no room for them. The count may be a minute behind that of other processes.
func (s *Service) TakeStorage(ctx context.Context, workspaceID string, bytes int) error {
	if bytes <= 0 {
		return nil
	}
	m, err := s.storageOf(ctx, workspaceID)
	if err == nil && m.used.Load()+int64(bytes) > m.limit && time.Since(m.at) > storageAgain {
		s.storage.Remove(workspaceID) // something may have been deleted, or the plan changed
		m, err = s.storageOf(ctx, workspaceID)
	}
	if err != nil {
		return err
	}
	if used := m.used.Load(); used+int64(bytes) > m.limit {
		return errs.New(errs.TooLarge, "the workspace's plan stores %d MB, of which %d MB are taken: delete documents, drafts or links with files, or ask for a larger plan",
			m.limit>>20, used>>20).With("limit", m.limit)
	}
	m.used.Add(int64(bytes))
	return nil
}

func (s *Service) storageOf(ctx context.Context, workspaceID string) (*measuredStorage, error) {
	if known, ok := s.storage.Get(workspaceID); ok {
		return known, nil
	}
	w, err := s.readWorkspace(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	m := &measuredStorage{limit: w.Plan.StorageLimit(), at: time.Now()}
	for _, measure := range s.measures {
		bytes, err := measure(ctx, workspaceID)
		if err != nil {
			return nil, err
		}
		m.used.Add(bytes)
	}
	s.storage.Add(workspaceID, m)
	return m, nil
}
