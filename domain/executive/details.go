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
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
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

// choices are the filter and orders of the list of executives. Companies are a condition on
// documents.
func (s *Service) choices(workspaceID string) dbx.Choices[model.Executive, api.ExecutiveFilter,
	model.ExecutiveOrderField] {
	return dbx.Choices[model.Executive, api.ExecutiveFilter, model.ExecutiveOrderField]{
		Filter: dbx.Filter[api.ExecutiveFilter]{
			dbx.MatchBy(func(f *api.ExecutiveFilter) *string { return f.Name.Value() },
				func(q *bun.SelectQuery, part string) *bun.SelectQuery {
					return q.Where("id IN (?)", s.Parties.IDsByPart(workspaceID, model.PartyKindExecutive, part))
				}),
		},
		Orders: executiveOrders,
	}
}

var executiveOrders = dbx.NewOrders[model.ExecutiveOrderField, model.Executive](map[model.ExecutiveOrderField]string{
	model.ExecutiveOrderFieldName: "name", model.ExecutiveOrderFieldDocuments: "total_documents",
	model.ExecutiveOrderFieldLastCommunication: "last_communication",
})

// companyFilter selects documents by the companies of the filter.
func (s *Service) companyFilter(workspaceID string) dbx.Filter[api.ExecutiveFilter] {
	return dbx.Filter[api.ExecutiveFilter]{
		dbx.MatchAnyName("companies", func(f *api.ExecutiveFilter) []string { return f.Companies.Value() },
			func(q *bun.SelectQuery, names []string) *bun.SelectQuery {
				return q.Where("company_id IN (?)", s.Parties.NamedIDs(workspaceID, model.PartyKindCompany, names...))
			}),
	}
}

// List returns one page of the executives with documents that match the filter, by name unless an
// order is given. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *api.ExecutiveFilter, order *model.ExecutiveOrder,
) (*model.ExecutiveConnection, error) {
	p := principal.Must(ctx)
	choices := s.choices(p.WorkspaceID)
	list, err := choices.Apply(dbx.List[model.Executive]{
		Order:   byName,
		Key:     func(e *model.Executive) (any, string) { return e.Name, e.ID },
		Columns: []string{"workspace_id", "name", "created_at", "total_documents", "last_communication"},
		From:    func() *bun.SelectQuery { return s.Parties.SelectCounted(s.countDocuments(p.WorkspaceID, filter)) },
		Where:   func(q *bun.SelectQuery) *bun.SelectQuery { return q },
	}, filter, order)
	if err := errors.Join(err, s.companyFilter(p.WorkspaceID).Check(filter)); err != nil {
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

// Profile returns an executive's profile from documents and signals, by the name or an alias; nil
// without documents. It is cached for up to ten minutes, until a document or signal of the
// workspace changes; fresh bypasses the cache.
func (s *Service) Profile(ctx context.Context, name string, fresh bool) (*model.ExecutiveProfile, error) {
	found, err := s.Parties.Find(ctx, principal.Must(ctx).WorkspaceID, model.PartyKindExecutive, name)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	profiles, err := s.profilesOf(ctx, []model.Party{found[name]}, fresh)
	if err != nil {
		return nil, err
	}
	return profiles[0], nil
}

// Profiles is Profile for several executives, with a constant number of statements.
func (s *Service) Profiles(ctx context.Context, executives []*model.Executive) ([]*model.ExecutiveProfile, error) {
	parties := make([]model.Party, len(executives))
	for i, e := range executives {
		parties[i] = model.Party{ID: e.ID, Name: e.Name}
	}
	return s.profilesOf(ctx, parties, false)
}

func (s *Service) profilesOf(ctx context.Context, parties []model.Party, fresh bool) ([]*model.ExecutiveProfile,
	error) {
	p := principal.Must(ctx)
	state, err := s.loadState(ctx, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	out, missing := make([]*model.ExecutiveProfile, len(parties)), []model.Party{}
	for i, party := range parties {
		if !fresh {
			out[i] = s.cachedProfile(ctx, profileKey(p.WorkspaceID, party, state))
		}
		if out[i] == nil {
			missing = append(missing, party)
		}
	}
	computed, err := s.computeProfiles(ctx, p.WorkspaceID, missing)
	if err != nil {
		return nil, err
	}
	for i, party := range parties {
		if found := computed[party.Name]; out[i] == nil && found != nil {
			out[i] = found
			text, err := json.Marshal(found)
			if err != nil {
				return nil, fmt.Errorf("encode an executive's profile: %w", err)
			}
			s.details.Add(ctx, profileKey(p.WorkspaceID, party, state), string(text))
		}
	}
	return out, nil
}

// cachedProfile returns a cached profile, or nil.
func (s *Service) cachedProfile(ctx context.Context, key string) *model.ExecutiveProfile {
	text, ok := s.details.Get(ctx, key)
	found := new(model.ExecutiveProfile)
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
func profileKey(workspaceID string, party model.Party, of *workspaceState) string {
	moment := func(t *time.Time) string {
		if t == nil {
			return "-"
		}
		return strconv.FormatInt(t.UnixMicro(), 10)
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%s\x00%s\x00%d %s %s", workspaceID, party.ID, party.Name,
		of.Documents, moment(of.Changed), moment(of.Extracted))))
	return hex.EncodeToString(sum[:16])
}

// profileRows are the rows from which profiles are computed.
type profileRows struct {
	documents         []documentGroup
	signals           []signalGroup
	latest, statement []latestRow // the latest documents and signals
}

// computeProfiles computes executives' profiles, by name. An executive without documents has none.
func (s *Service) computeProfiles(ctx context.Context, workspaceID string,
	parties []model.Party) (map[string]*model.ExecutiveProfile, error) {
	if len(parties) == 0 {
		return nil, nil
	}
	names, profiles := make([]string, len(parties)), make(map[string]*model.ExecutiveProfile, len(parties))
	for i, party := range parties {
		names[i] = party.Name
		profiles[party.Name] = &model.ExecutiveProfile{
			ExecutiveID: party.ID, WorkspaceID: workspaceID, Name: party.Name, TypeCounts: map[string]int{},
			CachedAt:    model.Now(),
			DocumentIDs: []string{}, SignalIDs: []string{},
		}
	}
	var rows profileRows
	work, all := errgroup.WithContext(ctx)
	work.Go(errs.CatchPanic(func() (err error) {
		rows.documents, err = s.documentGroups(all, workspaceID, names)
		return err
	}))
	work.Go(errs.CatchPanic(func() (err error) {
		rows.signals, err = s.signalGroups(all, workspaceID, names)
		return err
	}))
	work.Go(errs.CatchPanic(func() (err error) {
		rows.latest, err = s.latestDocuments(all, workspaceID, names)
		return err
	}))
	work.Go(errs.CatchPanic(func() (err error) {
		rows.statement, err = s.latestSignals(all, workspaceID, names)
		return err
	}))
	if err := work.Wait(); err != nil {
		return nil, err
	}
	for _, row := range rows.latest {
		profiles[row.Executive].DocumentIDs = append(profiles[row.Executive].DocumentIDs, row.ID)
	}
	for _, row := range rows.statement {
		profiles[row.Executive].SignalIDs = append(profiles[row.Executive].SignalIDs, row.ID)
	}
	for name, profile := range profiles {
		if countGroups(profile, rows.documents, rows.signals); profile.TotalDocuments == 0 {
			delete(profiles, name)
		}
	}
	return profiles, nil
}

// documentGroup is the number of an executive's documents with the same type and company.
type documentGroup struct {
	Executive string    `bun:"executive"`
	Kind      *string   `bun:"kind"`
	Company   *string   `bun:"company"`
	Count     int       `bun:"n"`
	Earliest  time.Time `bun:"earliest"`
	Latest    time.Time `bun:"latest"`
}

// signalGroup is the number of an executive's signals with the same theme and company.
type signalGroup struct {
	Executive string  `bun:"executive"`
	Theme     string  `bun:"theme"`
	Company   *string `bun:"company"`
	Count     int     `bun:"n"`
}

// countGroups adds up the executive's groups in the profile.
func countGroups(e *model.ExecutiveProfile, documents []documentGroup, signals []signalGroup) {
	companies, mentioned, themes := map[string]int{}, map[string]int{}, map[string]int{}
	for _, g := range documents {
		if g.Executive != e.Name {
			continue
		}
		e.TotalDocuments += g.Count
		e.DateRange = widen(e.DateRange, g)
		if g.Kind != nil {
			e.TypeCounts[*g.Kind] += g.Count
		}
		if g.Company != nil {
			companies[*g.Company] += g.Count
		}
	}
	for _, g := range signals {
		if g.Executive != e.Name {
			continue
		}
		e.TotalSignals += g.Count
		themes[g.Theme] += g.Count
		if g.Company != nil {
			mentioned[*g.Company] += g.Count
		}
	}
	if e.DateRange != nil {
		e.LastCommunication = e.DateRange.Latest
	}
	e.CompanyNames, e.UniqueCompanies = mostFrequent(companies), len(companies)
	e.ThemesMentioned, e.UniqueThemes = mostFrequent(themes), len(themes)
	e.CompaniesMentioned = mostFrequent(mentioned)
}

// widen returns the range with the dates of a group.
func widen(r *model.DateRange, g documentGroup) *model.DateRange {
	if r == nil {
		return &model.DateRange{Earliest: g.Earliest, Latest: g.Latest}
	}
	if g.Earliest.Before(r.Earliest) {
		r.Earliest = g.Earliest
	}
	if g.Latest.After(r.Latest) {
		r.Latest = g.Latest
	}
	return r
}

// TotalDocuments returns each executive's number of documents. One statement counts for all
// executives that do not come from a list.
func (s *Service) TotalDocuments(ctx context.Context, executives []*model.Executive) ([]*int, error) {
	counted, err := s.countMissing(ctx, executives)
	out := make([]*int, len(executives))
	for i, e := range executives {
		out[i] = new(cmp.Or(e.TotalDocuments, counted[e.ID].TotalDocuments))
	}
	return out, err
}

// LastCommunications returns the date of each executive's latest document, as TotalDocuments does.
func (s *Service) LastCommunications(ctx context.Context, executives []*model.Executive) ([]*time.Time, error) {
	counted, err := s.countMissing(ctx, executives)
	out := make([]*time.Time, len(executives))
	for i, e := range executives {
		out[i] = cmp.Or(e.LastCommunication, counted[e.ID].LastCommunication)
	}
	return out, err
}

// documentCount is the number of an executive's documents and the date of the latest one.
type documentCount struct {
	ExecutiveID       string
	TotalDocuments    int
	LastCommunication *time.Time
}

// countMissing counts the documents of the executives that were not read from a list, by id.
func (s *Service) countMissing(ctx context.Context, executives []*model.Executive) (map[string]documentCount, error) {
	var ids []string
	for _, e := range executives {
		if e.LastCommunication == nil {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []documentCount
	err := s.countDocuments(principal.Must(ctx).WorkspaceID, nil).Where("executive_id IN ?", bun.Tuple(ids)).
		Scan(ctx, &rows)
	counted := make(map[string]documentCount, len(rows))
	for _, row := range rows {
		counted[row.ExecutiveID] = row
	}
	return counted, dbx.Err(err)
}

// mostFrequent returns the names by descending count, ties by name.
func mostFrequent(counts map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return optional.OrEmpty(names[:min(len(names), mostListed)])
}
