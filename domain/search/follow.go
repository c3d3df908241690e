package search

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Queue is the queue of the package's tasks, and Workers the number of its workers in a process.
const (
	Queue   = "search"
	Workers = 4
)

// taskFollow is the task that follows a workspace's feed to its end.
const taskFollow = "search.follow"

const (
	taskTime = 24 * time.Second
	// runTime is when a run stops and leaves the rest of the feed to another, well within taskTime.
	runTime = 10 * time.Second
)

// enqueue enqueues the task that follows the feed of each workspace.
func (s *Service) enqueue(ctx context.Context, tx dbx.Tx, workspaceIDs ...string) error {
	tasks := make([]job.TaskArgs, len(workspaceIDs))
	for i, id := range workspaceIDs {
		tasks[i].Ref = id
	}
	return s.Tasks.EnqueueTasks(ctx, tx, taskFollow, tasks...)
}

// Follow enqueues the task of each workspace that has a search which events follow. It is an
// event.FollowFunc.
func (s *Service) Follow(ctx context.Context, tx dbx.Tx, workspaceIDs []string) error {
	var followed []string
	err := tx.NewSelect().Model((*model.SavedSearch)(nil)).ColumnExpr("DISTINCT workspace_id").
		Where("workspace_id IN (?) AND is_followed", bun.List(workspaceIDs)).Order("workspace_id").Scan(ctx, &followed)
	if err != nil || len(followed) == 0 {
		return dbx.Err(err)
	}
	return s.enqueue(ctx, tx, followed...)
}

// follow records the hits of all documents of a workspace that changed since it ran last. It may
// run twice, also at the same time.
func (s *Service) follow(ctx context.Context, workspaceID string) error {
	ctx = principal.With(ctx, principal.Principal{WorkspaceID: workspaceID})
	for until := time.Now().Add(runTime); ; {
		hasMore, err := s.followNext(ctx, workspaceID)
		if err != nil {
			return fmt.Errorf("follow saved searches: %w", err)
		}
		if !hasMore {
			return nil
		}
		if time.Now().After(until) {
			return s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.enqueue(ctx, tx, workspaceID) })
		}
	}
}

// followNext records the hits of the next changes, and reports whether there are more.
func (s *Service) followNext(ctx context.Context, workspaceID string) (hasMore bool, err error) {
	from, err := s.readProgress(ctx, workspaceID)
	if err != nil || from == nil {
		return false, err
	}
	changed, deleted, to, hasMore, err := s.Events.ChangedDocuments(ctx, workspaceID, from.Position)
	if err != nil || to == from.Position {
		return false, err
	}
	hits, err := s.findHits(ctx, workspaceID, to, changed)
	if err != nil {
		return false, err
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if at, err := s.progressForUpdate(ctx, tx, workspaceID); err != nil || at != from.Position {
			hasMore = true // another run was faster
			return err
		}
		if err := s.storeHits(ctx, tx, workspaceID, hits); err != nil {
			return err
		}
		if err := forgetDeleted(ctx, tx, workspaceID, deleted); err != nil {
			return err
		}
		return moveProgress(ctx, tx, workspaceID, to)
	})
	return hasMore, err
}

// hit is a document that a search finds.
type hit struct {
	search   *model.SavedSearch
	doc      *model.Document
	isPublic bool
}

// findHits returns which searches find which of the changed documents after the event at the
// position. It evaluates each different filter once.
func (s *Service) findHits(ctx context.Context, workspaceID string, position int64, changed []string) ([]*hit, error) {
	shown, err := s.Documents.Announceable(ctx, workspaceID, changed, false)
	if err != nil {
		return nil, err
	}
	hidden, err := s.Documents.Announceable(ctx, workspaceID, changed, true)
	if err != nil || len(shown)+len(hidden) == 0 {
		return nil, err
	}
	var searches []*model.SavedSearch
	if err := selectFollowed(s.DB, workspaceID).Scan(ctx, &searches); err != nil {
		return nil, dbx.Err(err)
	}
	var hits []*hit
	for _, saved := range searches {
		matching, err := s.matching(ctx, saved, position, changed)
		if err != nil {
			return nil, err
		}
		docs := shown
		if s.ShowsHidden(filterOf(saved)) {
			docs = slices.Concat(shown, hidden)
		}
		hits = append(hits, s.hitsOf(saved, docs, matching)...)
	}
	return hits, nil
}

// hitsOf returns the hits of a search among the documents.
func (s *Service) hitsOf(saved *model.SavedSearch, docs []*model.Document, matching map[string]bool) []*hit {
	var hits []*hit
	visibilities := s.Documents.Visibilities(docs)
	for i, doc := range docs {
		if matching[doc.ID] {
			hits = append(hits, &hit{saved, doc, visibilities[i] == model.VisibilityPublic})
		}
	}
	return hits
}

// matching returns the changed documents that a search finds. A filter that is not valid any more
// finds none.
func (s *Service) matching(ctx context.Context, saved *model.SavedSearch, position int64,
	changed []string) (map[string]bool, error) {
	found, err := s.Events.MatchFilter(ctx, saved.WorkspaceID, position, changed, filterText(saved),
		func(ctx context.Context, ids []string) ([]string, error) {
			return s.Documents.MatchingIDs(ctx, saved.WorkspaceID, ids, filterOf(saved))
		})
	if errs.Is(err, errs.ValidationFailed) {
		slog.WarnContext(ctx, "a saved search is no longer valid", "search", saved.ID, "error", err)
		return nil, nil
	}
	return found, err
}

// storeHits stores the hits that are new, with their events. It leaves out searches that were
// changed or deleted since; the progress must be locked.
func (s *Service) storeHits(ctx context.Context, tx dbx.Tx, workspaceID string, hits []*hit) error {
	if len(hits) == 0 {
		return nil
	}
	var current []*model.SavedSearch
	if err := selectFollowed(tx, workspaceID).Column("id", "name", "revision").Scan(ctx, &current); err != nil {
		return dbx.Err(err)
	}
	byID := make(map[string]*model.SavedSearch, len(current))
	for _, saved := range current {
		byID[saved.ID] = saved
	}
	known, err := knownHits(ctx, tx, hits)
	if err != nil {
		return err
	}
	var rows []*model.SearchHit
	var events []*model.Event
	for _, one := range hits {
		saved, row := byID[one.search.ID], model.SearchHit{SearchID: one.search.ID, DocumentID: one.doc.ID}
		if saved == nil || saved.Revision != one.search.Revision || known[row] {
			continue
		}
		event, err := s.newEvent(workspaceID, saved, one)
		if err != nil {
			return err
		}
		rows, events = append(rows, &row), append(events, event)
	}
	if err := s.Events.Append(ctx, tx, events); err != nil {
		return err
	}
	for i, row := range rows {
		row.Position = events[i].Position
	}
	return dbx.InsertRows(ctx, tx, rows)
}

// newEvent returns the event of a hit. One of a document that is not public has its id only, and
// webhooks do not receive it.
func (s *Service) newEvent(workspaceID string, saved *model.SavedSearch, one *hit) (*model.Event, error) {
	console := s.PublicURL + "/console"
	match := eventdata.SearchMatched{
		Search:   eventdata.Search{ID: saved.ID, Name: saved.Name, URL: console + "/searches/" + saved.ID},
		Document: eventdata.Document{ID: one.doc.ID, URL: console + "/documents/" + one.doc.ID}}
	if one.isPublic {
		match.Document.Title, match.Document.SourceURL = &one.doc.Title, one.doc.SourceURL
	}
	data, err := json.Marshal(match)
	return &model.Event{WorkspaceID: workspaceID, Event: model.EventSearchMatched, SubjectID: &saved.ID, Data: data,
		IsUnsent: !one.isPublic}, err
}
