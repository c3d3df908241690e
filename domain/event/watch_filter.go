package event

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"rostrum/errs"
	"rostrum/platform/live"
	"rostrum/platform/slot"
)

const (
	// MaxFilters is how many different filters of documents a workspace watches at the same time in
	// a process. Each change of a document is one search for each of them.
	MaxFilters = 50
	// searchTime bounds one search.
	searchTime = 10 * time.Second
	// The results of searches are kept for the views that have the filter with other columns.
	keptSearches, keptSearchBytes = 1000, 1 << 20
)

// filters evaluates the filters of watched documents: each change once for each filter, however
// many views have it, and in slots of the workspace.
type filters struct {
	mu       sync.Mutex
	watchers map[string]map[string]int // by workspace and filter
	searches singleflight.Group
	found    *live.SizedCache[string, map[string]bool]
	slots    *slot.Slots
}

func newFilters() *filters {
	return &filters{watchers: map[string]map[string]int{}, slots: slot.New(math.MaxInt32, runtime.GOMAXPROCS(0)),
		found: live.NewSizedCache[string, map[string]bool](keptSearches, keptSearchBytes)}
}

// watch counts a watcher of a filter until the context ends. It returns errs.RateLimited if the
// workspace watches too many filters.
func (f *filters) watch(ctx context.Context, workspaceID, filter string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	own := f.watchers[workspaceID]
	if own[filter] == 0 && len(own) >= MaxFilters {
		return errs.New(errs.RateLimited, "this workspace watches %d different filters of documents, the most at the same time: "+
			"end one, or use one of their filters and select in the client", MaxFilters).
			With("limit", MaxFilters).With("retry_after", 1)
	}
	if own == nil {
		own = map[string]int{}
		f.watchers[workspaceID] = own
	}
	own[filter]++
	context.AfterFunc(ctx, func() { f.leave(workspaceID, filter) })
	return nil
}

func (f *filters) leave(workspaceID, filter string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	own := f.watchers[workspaceID]
	if own[filter]--; own[filter] == 0 {
		delete(own, filter)
	}
	if len(own) == 0 {
		delete(f.watchers, workspaceID)
	}
}

// MatchFunc returns which of the ids match a filter.
type MatchFunc = func(ctx context.Context, ids []string) ([]string, error)

// MatchFilter returns the documents among ids that match a filter after the event at the position. A
// document that starts or ceases to match later has a later event. Calls with the same arguments
// share one call of matching, in a slot of the workspace.
func (s *Service) MatchFilter(ctx context.Context, workspaceID string, position int64, ids []string, filter string,
	matching MatchFunc) (map[string]bool, error) {
	return s.filters.match(ctx, workspaceID, position, ids, filter, matching)
}

func (f *filters) match(ctx context.Context, workspaceID string, position int64, ids []string, filter string,
	matching MatchFunc) (map[string]bool, error) {
	key := fmt.Sprintf("%s\n%d\n%s\n%s", workspaceID, position, strings.Join(ids, " "), filter)
	if known, ok := f.found.Get(key); ok {
		return known, nil
	}
	found, err, _ := f.searches.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(slot.WithTenant(context.WithoutCancel(ctx), workspaceID), searchTime)
		defer cancel()
		release, err := f.slots.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
		matched, err := matching(ctx, ids)
		if err != nil {
			return nil, err
		}
		set := make(map[string]bool, len(matched))
		for _, id := range matched {
			set[id] = true
		}
		f.found.Add(key, set, len(key)+len(strings.Join(matched, "")))
		return set, nil
	})
	set, _ := found.(map[string]bool)
	return set, err
}
