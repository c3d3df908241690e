package operation

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"rostrum/dbx"
	"rostrum/model"
)

const (
	changeTopic    = "operations.changed"
	interval       = 5 * time.Second // between two reads of the versions, and two writes of the counts
	lastWrite      = 3 * time.Second // time of the last write, when the process stops
	keptWorkspaces = 16              // whose operations are in memory, up to MaxBytes each
)

// versionSet is what a process knows of the versions of all workspaces. It is safe for concurrent
// use.
type versionSet struct {
	loading  sync.Mutex // orders the reads, so that a later one is kept
	byOwner  atomic.Pointer[map[string]*owned]
	contents *lru.Cache[string, *contents] // by workspace
}

// owned are the versions of a workspace, newest first, and their ids as a text.
type owned struct {
	ids      string
	versions []*model.AppVersion
}

// contents are the operations of a workspace's versions.
type contents struct {
	versions string // their ids
	// by manifest key and by hash, those of the newest version first
	byKey map[string][]*registered
}

// registered is an operation with its version.
type registered struct {
	id, text string
	version  *model.AppVersion
}

func newVersionSet() *versionSet {
	cache, err := lru.New[string, *contents](keptWorkspaces)
	if err != nil {
		panic(err) // only a size below 1 fails
	}
	set := &versionSet{contents: cache}
	set.byOwner.Store(&map[string]*owned{})
	return set
}

// Load reads the versions of all workspaces. Their operations are read when they are needed.
func (s *Service) Load(ctx context.Context) error {
	s.versions.loading.Lock()
	defer s.versions.loading.Unlock()
	var rows []*model.AppVersion
	err := s.DB.NewSelect().Model(&rows).Column("id", "workspace_id", "app", "version").
		Order("created_at DESC", "id DESC").Scan(ctx)
	if err != nil {
		return fmt.Errorf("read versions of front ends: %w", dbx.Err(err))
	}
	byOwner := map[string]*owned{}
	for _, row := range rows {
		of := byOwner[row.WorkspaceID]
		if of == nil {
			of = &owned{}
			byOwner[row.WorkspaceID] = of
		}
		of.ids, of.versions = of.ids+row.ID, append(of.versions, row)
	}
	s.versions.byOwner.Store(&byOwner)
	return nil
}

// publish makes all processes read the versions again.
func (s *Service) publish(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	_ = s.Load(ctx) // an error is retried at the next tick
	s.Live.Publish(ctx, changeTopic, nil)
}

// Run follows changes of other processes and stores counts until the context ends.
func (s *Service) Run(ctx context.Context) {
	changes := s.Live.Subscribe(changeTopic)
	defer changes.Close()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
			defer cancel()
			_ = s.storeUsage(last)
			return
		case <-ticker.C:
			if err := s.storeUsage(ctx); err != nil {
				slog.WarnContext(ctx, "counts of operations are not stored yet", "error", err)
			}
		case <-changes.C():
		case <-changes.Missed():
		}
		_ = s.Load(ctx) // an error is retried at the next tick
	}
}

// Has reports whether a workspace has registered operations.
func (s *Service) Has(workspaceID string) bool {
	return (*s.versions.byOwner.Load())[workspaceID] != nil
}

// Find returns the text of an operation of the workspace by its id in the manifest or by its
// SHA-256, and counts a request. If several versions have it, the one that the client names goes
// before the newest one of its app, and that before the newest one.
func (s *Service) Find(ctx context.Context, workspaceID, id, app, version string) (text string, found bool, err error) {
	versions := (*s.versions.byOwner.Load())[workspaceID]
	if versions == nil {
		return "", false, nil
	}
	known, err := s.contentsOf(ctx, workspaceID, versions)
	if err != nil {
		return "", false, err
	}
	candidates := known.byKey[keyOf(id)]
	if len(candidates) == 0 {
		return "", false, nil
	}
	op := meant(candidates, app, version)
	s.usage.count(op.id)
	return op.text, true, nil
}

// meant returns the operation of the version that the client names, as far as it does.
func meant(candidates []*registered, app, version string) *registered {
	best := candidates[0]
	for _, op := range candidates {
		switch {
		case op.version.App != app:
		case op.version.Version == version:
			return op
		case best.version.App != app:
			best = op
		}
	}
	return best
}

// contentsOf returns the operations of a workspace's versions.
func (s *Service) contentsOf(ctx context.Context, workspaceID string, of *owned) (*contents, error) {
	if known, ok := s.versions.contents.Get(workspaceID); ok && known.versions == of.ids {
		return known, nil
	}
	var rows []*model.RegisteredOperation
	err := s.DB.NewSelect().Model(&rows).Column("id", "app_version_id", "manifest_key", "hash", "text").
		Where("workspace_id = ?", workspaceID).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read operations: %w", dbx.Err(err))
	}
	read := &contents{of.ids, indexOperations(of.versions, rows)}
	s.versions.contents.Add(workspaceID, read)
	return read, nil
}

// indexOperations returns the operations by key and hash. Equal texts are kept once.
func indexOperations(versions []*model.AppVersion, rows []*model.RegisteredOperation) map[string][]*registered {
	byVersion, texts := map[string][]*model.RegisteredOperation{}, map[string]string{}
	for _, row := range rows {
		byVersion[row.AppVersionID] = append(byVersion[row.AppVersionID], row)
		texts[row.Hash] = row.Text
	}
	byKey := map[string][]*registered{}
	for _, version := range versions {
		for _, row := range byVersion[version.ID] {
			op := &registered{row.ID, texts[row.Hash], version}
			byKey[row.Hash] = append(byKey[row.Hash], op)
			if row.ManifestKey != row.Hash {
				byKey[row.ManifestKey] = append(byKey[row.ManifestKey], op)
			}
		}
	}
	return byKey
}
