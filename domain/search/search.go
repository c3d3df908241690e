package search

import (
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// MaxSearches limits the saved searches of a workspace: each change of a document is compared with
// all of them.
const MaxSearches = 100

// Documents searches documents.
type Documents interface {
	// CheckSearch reports whether events follow the documents that match a filter. It returns
	// errs.ValidationFailed for an invalid or empty filter.
	CheckSearch(ctx context.Context, workspaceID string, filter *api.DocumentFilter) (bool, error)
	// SelectFound returns a query of the ids of the documents that match a filter and may be told.
	SelectFound(ctx context.Context, workspaceID string, filter *api.DocumentFilter) (*bun.SelectQuery, error)
	// MatchingIDs returns which of the ids are documents that match a filter.
	MatchingIDs(ctx context.Context, workspaceID string, ids []string, filter *api.DocumentFilter) ([]string, error)
	// Announceable returns those of the documents that may be told as new and are hidden, or are not.
	Announceable(ctx context.Context, workspaceID string, ids []string, hidden bool) ([]*model.Document, error)
	// Visibilities returns the present visibility of each document.
	Visibilities(docs []*model.Document) []model.Visibility
	// PagesFound returns a page of documents per key, of those that match the key's filter.
	PagesFound(ctx context.Context, workspaceID string, filters map[string]*api.DocumentFilter, keys []string,
		args model.PageArgs, filter *api.DocumentFilter, order *model.DocumentOrder,
		columns ...string) ([]*model.DocumentConnection, error)
}

// Events is the workspace's feed.
type Events interface {
	// Append adds events in the caller's transaction, and sets their ids and positions.
	Append(ctx context.Context, tx dbx.Tx, events []*model.Event) error
	// RecordChange adds a change of a row.
	RecordChange(tx dbx.Tx, workspaceID, name, id string)
	// ChangedDocuments returns the documents that changed after a position.
	ChangedDocuments(ctx context.Context, workspaceID string, after int64) (changed, deleted []string, to int64,
		hasMore bool, err error)
	// MatchFilter returns the documents among ids that match a filter after the event at the position.
	MatchFilter(ctx context.Context, workspaceID string, position int64, ids []string, filter string,
		matching func(ctx context.Context, ids []string) ([]string, error)) (map[string]bool, error)
	// End returns the position of the newest event.
	End(ctx context.Context, workspaceID string) (int64, error)
}

// Tasks queues tasks without a public row.
type Tasks interface {
	RegisterTask(name string, task job.Task)
	EnqueueTasks(ctx context.Context, tx dbx.Tx, name string, args ...job.TaskArgs) error
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	DB          *dbx.DB
	Documents   Documents
	Events      Events
	Tasks       Tasks
	ShowsHidden func(*api.DocumentFilter) bool // whether a filter asks for hidden documents
	PublicURL   string                         // base URL of the console, without a slash at its end
	// Audit writes an entry of the workspace's audit log in the transaction of the change.
	Audit func(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error
}

// Service implements the use cases of saved searches.
type Service struct{ Config }

// New returns a Service and registers its task.
func New(c Config) *Service {
	s := &Service{c}
	s.Tasks.RegisterTask(taskFollow, job.Task{Queue: Queue, Timeout: taskTime, Work: s.follow})
	return s
}

// Create saves a search. It returns errs.ValidationFailed for a wrong query, a filter without a
// condition and a blank name, and errs.Conflict if the workspace has the name or 100 searches.
func (s *Service) Create(ctx context.Context, in api.CreateSavedSearchInput) (*api.CreateSavedSearchPayload, error) {
	p := principal.Must(ctx)
	saved := &model.SavedSearch{
		ID: model.NewID(model.SavedSearchPrefix), WorkspaceID: p.WorkspaceID, Name: strings.TrimSpace(in.Name),
		CreatedByID: optional.NonEmpty(p.UserID), CreatedAt: model.Now(),
	}
	saved.UpdatedAt = saved.CreatedAt
	known, err := s.setFilter(ctx, saved, in.Filter)
	if err != nil {
		return nil, fmt.Errorf("create saved search: %w", err)
	}
	end, err := s.Events.End(ctx, p.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("create saved search: %w", err)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.lockProgress(ctx, tx, p.WorkspaceID, end); err != nil {
			return err
		}
		if err := insertSearch(ctx, tx, saved); err != nil {
			return err
		}
		return s.storeChange(ctx, tx, "saved_search.created", saved, known)
	})
	if err != nil {
		return nil, fmt.Errorf("create saved search: %w", err)
	}
	return &api.CreateSavedSearchPayload{SavedSearch: saved}, nil
}

// setFilter sets what a search finds, and returns a query of the documents that it finds now. It
// returns errs.ValidationFailed for an invalid filter and a blank name.
func (s *Service) setFilter(ctx context.Context, saved *model.SavedSearch, filter *api.DocumentFilter) (*bun.SelectQuery,
	error) {
	var invalid errs.FieldErrors
	if saved.Name == "" {
		invalid.Body("empty", "must not be blank", "name")
	}
	checkFormer(filter, &invalid)
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	isFollowed, err := s.Documents.CheckSearch(ctx, saved.WorkspaceID, filter)
	if err != nil {
		return nil, err
	}
	if saved.Filter, err = storedFilter(filter); err != nil {
		return nil, err
	}
	saved.IsFollowed = isFollowed
	return s.Documents.SelectFound(ctx, saved.WorkspaceID, filter)
}

// storeChange stores what a changed search found before as known, enqueues the task that follows
// it, and records the change in the feed and the audit log. known is nil if the filter is the same.
func (s *Service) storeChange(ctx context.Context, tx dbx.Tx, action string, saved *model.SavedSearch,
	known *bun.SelectQuery) error {
	if known != nil {
		if err := replaceKnown(ctx, tx, saved, known); err != nil {
			return err
		}
		// A document whose transaction began before this one committed has no task.
		if err := s.enqueue(ctx, tx, saved.WorkspaceID); err != nil {
			return err
		}
	}
	s.Events.RecordChange(tx, saved.WorkspaceID, model.EventObjectChanged, saved.ID)
	return s.Audit(ctx, tx, saved.WorkspaceID, action, saved.ID, map[string]any{"name": saved.Name})
}

// Update renames a search or changes what it finds. It returns errs.NotFound for an unknown id,
// errs.InsufficientScope for the search of another that the caller may not change,
// errs.ValidationFailed for invalid fields and without any, and errs.Conflict for the name of
// another search.
func (s *Service) Update(ctx context.Context, in api.UpdateSavedSearchInput) (*api.UpdateSavedSearchPayload, error) {
	p := principal.Must(ctx)
	before, err := s.find(ctx, p.WorkspaceID, in.SavedSearchID)
	if err == nil {
		err = checkPatch(in)
	}
	if err != nil {
		return nil, fmt.Errorf("update saved search: %w", err)
	}
	changed := *before
	changed.Name = strings.TrimSpace(optional.ValueOr(in.Name.Value(), before.Name))
	filter := in.Filter.Value()
	if filter == nil {
		filter = filterOf(before)
	}
	known, err := s.setFilter(ctx, &changed, filter)
	if err != nil {
		return nil, fmt.Errorf("update saved search: %w", err)
	}
	if filterText(&changed) == filterText(before) {
		known = nil
	}
	var saved *model.SavedSearch
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if saved, err = s.lockSearch(ctx, tx, p, in.SavedSearchID); err != nil {
			return err
		}
		saved.Name, saved.UpdatedAt = changed.Name, model.Now()
		if known != nil {
			saved.Filter, saved.IsFollowed, saved.Revision = changed.Filter, changed.IsFollowed, saved.Revision+1
		}
		if err := saveSearch(ctx, tx, saved); err != nil {
			return err
		}
		return s.storeChange(ctx, tx, "saved_search.updated", saved, known)
	})
	if err != nil {
		return nil, fmt.Errorf("update saved search: %w", err)
	}
	return &api.UpdateSavedSearchPayload{SavedSearch: saved}, nil
}

// checkPatch returns an error for a patch without fields, and for null.
func checkPatch(in api.UpdateSavedSearchInput) error {
	var invalid errs.FieldErrors
	switch {
	case !in.Name.IsSet() && !in.Filter.IsSet():
		invalid.Body("missing", "is required, or filter", "name")
	case in.Name.IsSet() && in.Name.Value() == nil:
		invalid.Body("null", "must not be null", "name")
	case in.Filter.IsSet() && in.Filter.Value() == nil:
		invalid.Body("null", "must not be null", "filter")
	}
	return invalid.Err()
}

// Delete deletes a search. It returns errs.NotFound for an unknown id, and errs.InsufficientScope
// for the search of another that the caller may not delete.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeleteSavedSearchPayload, error) {
	p := principal.Must(ctx)
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		saved, err := s.lockSearch(ctx, tx, p, id)
		if err != nil {
			return err
		}
		if err := deleteSearch(ctx, tx, saved); err != nil {
			return err
		}
		return s.storeChange(ctx, tx, "saved_search.deleted", saved, nil)
	})
	if err != nil {
		return nil, fmt.Errorf("delete saved search: %w", err)
	}
	return &api.DeleteSavedSearchPayload{DeletedID: id}, nil
}

// MarkSeen notes that the caller has seen all hits of a search so far. It returns errs.NotFound for
// an unknown id.
func (s *Service) MarkSeen(ctx context.Context, id string) (*api.MarkSavedSearchSeenPayload, error) {
	p := principal.Must(ctx)
	saved, err := s.find(ctx, p.WorkspaceID, id)
	if err != nil {
		return nil, fmt.Errorf("mark saved search as seen: %w", err)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := storeSeen(ctx, tx, id, viewerOf(p), s.DB.Now()); err != nil {
			return err
		}
		s.Events.RecordChange(tx, p.WorkspaceID, model.EventObjectChanged, id)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("mark saved search as seen: %w", err)
	}
	return &api.MarkSavedSearchSeenPayload{SavedSearch: saved}, nil
}

// viewerOf returns the id of the member or key that has seen hits.
func viewerOf(p principal.Principal) string {
	if p.UserID != "" {
		return p.UserID
	}
	return p.KeyID
}
