package executive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/sync/errgroup"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/optional"
	"rostrum/principal"
)

// The lifetime of cached profiles, their number per process, and the length of their lists.
const (
	keepDetails     = 10 * time.Minute
	keptDetails     = 1000
	latestDocuments = 20
	latestSignals   = 10
	mostListed      = 100
)

// byName is the order of the list of executives.
var byName = dbx.Order{Column: "name"}

// choices are the filter and the orders of the list of executives. The companies are a condition on their documents.
var choices = dbx.Choices[model.ListedExecutive, api.ExecutiveFilter, model.ExecutiveOrderField]{
	Filter: dbx.Filter[api.ExecutiveFilter]{
		dbx.MatchPart("name", func(f *api.ExecutiveFilter) *string { return f.Name.Value() }),
	},
	Orders: dbx.NewOrders[model.ExecutiveOrderField, model.ListedExecutive](map[model.ExecutiveOrderField]string{
		model.ExecutiveOrderFieldName: "name", model.ExecutiveOrderFieldDocuments: "total_documents",
		model.ExecutiveOrderFieldLastCommunication: "last_communication",
	}),
}

// companyFilter selects documents by the companies of the filter.
var companyFilter = dbx.Filter[api.ExecutiveFilter]{
	dbx.MatchAnyText("companies", "company", func(f *api.ExecutiveFilter) []string { return f.Companies.Value() }),
}

// List returns one page of the executives that the workspace's documents are attributed to and that match the filter, by name unless an order is given. It
// returns an error with code errs.ValidationFailed for invalid arguments.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *api.ExecutiveFilter, order *model.ExecutiveOrder,
) (*model.ListedExecutiveConnection, error) {
	p := principal.Must(ctx)
	list, err := choices.Apply(dbx.List[model.ListedExecutive]{
		Order:   byName,
		Key:     func(e *model.ListedExecutive) (any, string) { return e.Name, e.ID },
		Columns: []string{"name", "total_documents", "last_communication"},
		From:    func() *bun.SelectQuery { return s.selectExecutives(p.WorkspaceID, filter) },
		Where:   func(q *bun.SelectQuery) *bun.SelectQuery { return q },
	}, filter, order)
	if err := errors.Join(err, companyFilter.Check(filter)); err != nil {
		return nil, err
	}
	if choices.Filter.IsEmpty(filter) {
		list.Count = func(ctx context.Context) (int, error) { return s.countExecutives(ctx, p.WorkspaceID, filter) }
	}
	page, err := list.Page(ctx, s.DB, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// Get returns an executive's profile from the workspace's documents and signals; nil if no document is attributed to the name. A profile is
// cached for up to ten minutes, until a document or signal of the workspace changes; fresh bypasses the cache.
func (s *Service) Get(ctx context.Context, name string, fresh bool) (*model.Executive, error) {
	p := principal.Must(ctx)
	state, err := s.loadState(ctx, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	key := profileKey(p.WorkspaceID, name, state)
	if kept := s.cachedProfile(ctx, key); kept != nil && !fresh {
		return kept, nil
	}
	found, err := s.computeProfile(ctx, p.WorkspaceID, name)
	if err != nil || found == nil {
		return nil, err
	}
	text, err := json.Marshal(found)
	if err != nil {
		return nil, fmt.Errorf("encode an executive's profile: %w", err)
	}
	s.details.Add(ctx, key, string(text))
	return found, nil
}

// cachedProfile returns a cached profile, or nil.
func (s *Service) cachedProfile(ctx context.Context, key string) *model.Executive {
	text, ok := s.details.Get(ctx, key)
	found := new(model.Executive)
	if !ok || json.Unmarshal([]byte(text), found) != nil || model.Now().Sub(found.CachedAt) > keepDetails {
		return nil
	}
	return found
}

// workspaceState identifies the state of a workspace's documents and signals; any change alters it.
type workspaceState struct {
	Documents int        `bun:"documents"`
	Changed   *time.Time `bun:"changed"`
	Extracted *time.Time `bun:"extracted"`
}

// profileKey returns a cache key of bounded length.
func profileKey(workspaceID, name string, of *workspaceState) string {
	moment := func(t *time.Time) string {
		if t == nil {
			return "-"
		}
		return strconv.FormatInt(t.UnixMicro(), 10)
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%s\x00%d %s %s", workspaceID, name, of.Documents, moment(of.Changed), moment(of.Extracted))))
	return hex.EncodeToString(sum[:16])
}

// computeProfile computes a profile; nil if no document is attributed to the name.
func (s *Service) computeProfile(ctx context.Context, workspaceID, name string) (*model.Executive, error) {
	out := &model.Executive{WorkspaceID: workspaceID, Name: name, TypeCounts: map[string]int{}, CachedAt: model.Now()}
	var documents []documentGroup
	var signals []signalGroup
	work, all := errgroup.WithContext(ctx)
	work.Go(func() (err error) { documents, err = s.documentGroups(all, workspaceID, name); return err })
	work.Go(func() (err error) { signals, err = s.signalGroups(all, workspaceID, name); return err })
	work.Go(func() (err error) {
		if out.DateRange, err = s.documentDates(all, workspaceID, name); err != nil {
			return err
		}
		if out.DocumentIDs, err = s.latestDocuments(all, workspaceID, name); err != nil {
			return err
		}
		out.Signals, err = s.latestSignals(all, workspaceID, name)
		return err
	})
	if err := work.Wait(); err != nil || len(documents) == 0 || out.DateRange == nil {
		return nil, err
	}
	out.LastCommunication = out.DateRange.Latest
	countGroups(out, documents, signals)
	return out, nil
}

// documentGroup is the number of an executive's documents with the same type and company.
type documentGroup struct {
	Kind    *string `bun:"kind"`
	Company *string `bun:"company"`
	Count   int     `bun:"n"`
}

// signalGroup is the number of an executive's signals with the same theme and company.
type signalGroup struct {
	Theme   string  `bun:"theme"`
	Company *string `bun:"company"`
	Count   int     `bun:"n"`
}

// countGroups adds up the groups in the profile.
func countGroups(e *model.Executive, documents []documentGroup, signals []signalGroup) {
	companies, mentioned, themes := map[string]int{}, map[string]int{}, map[string]int{}
	for _, g := range documents {
		e.TotalDocuments += g.Count
		if g.Kind != nil {
			e.TypeCounts[*g.Kind] += g.Count
		}
		if g.Company != nil {
			companies[*g.Company] += g.Count
		}
	}
	for _, g := range signals {
		e.TotalSignals += g.Count
		themes[g.Theme] += g.Count
		if g.Company != nil {
			mentioned[*g.Company] += g.Count
		}
	}
	e.Companies, e.UniqueCompanies = mostFrequent(companies), len(companies)
	e.ThemesMentioned, e.UniqueThemes = mostFrequent(themes), len(themes)
	e.CompaniesMentioned = mostFrequent(mentioned)
}

// mostFrequent returns the names by descending count, ties by name.
func mostFrequent(counts map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return optional.OrEmpty(names[:min(len(names), mostListed)])
}

// LatestDocuments returns the latest documents of each executive with one statement. Deleted documents are omitted.
func (s *Service) LatestDocuments(ctx context.Context, executives []*model.Executive, columns ...string) ([][]*model.Document, error) {
	p := principal.Must(ctx)
	var ids []string
	for _, e := range executives {
		ids = append(ids, e.DocumentIDs...)
	}
	rows, err := s.Documents.ByIDs(ctx, p.WorkspaceID, ids, columns...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*model.Document, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	out := make([][]*model.Document, len(executives))
	for i, e := range executives {
		out[i] = []*model.Document{}
		for _, id := range e.DocumentIDs {
			if row := byID[id]; row != nil {
				out[i] = append(out[i], row)
			}
		}
	}
	return out, nil
}
