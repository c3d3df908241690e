package executive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"rostrum/dbx"
	"rostrum/model"
)

// How long details are kept at most, how many of them a process holds, and how much of each list they show.
const (
	keepDetails     = 10 * time.Minute
	keptDetails     = 1000
	latestDocuments = 20
	latestSignals   = 10
	mostListed      = 100
)

// byName is the order of the list of executives.
var byName = dbx.Order{Column: "name"}

// List reads one page of the executives that the caller's documents are attributed to.
func (s *Service) List(ctx context.Context, args model.PageArgs) (*model.ListedExecutiveConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, byName)
	if err != nil {
		return nil, err
	}
	rows, err := s.page(ctx, p.WorkspaceID, window)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(e *model.ListedExecutive) (any, string) { return e.Name, e.ID })
	page.Count = func(ctx context.Context) (int, error) { return s.countExecutives(ctx, p.WorkspaceID) }
	return &model.ListedExecutiveConnection{Connection: page}, nil
}

// Get tells what the caller's documents and signals say of an executive; nil when no document is attributed to the name. What was worked out is
// kept for at most ten minutes and as long as no document or signal of the workspace has changed; fresh works it out whatever is kept.
func (s *Service) Get(ctx context.Context, name string, fresh bool) (*model.Executive, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.state(ctx, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	key := keyOf(p.WorkspaceID, name, state)
	if kept := s.kept(ctx, key); kept != nil && !fresh {
		return kept, nil
	}
	found, err := s.workOut(ctx, p.WorkspaceID, name)
	if err != nil || found == nil {
		return nil, err
	}
	text, err := json.Marshal(found)
	if err != nil {
		return nil, fmt.Errorf("keep what is known of an executive: %w", err)
	}
	s.details.Add(ctx, key, string(text))
	return found, nil
}

// kept gives details that are young enough, and nil where there are none.
func (s *Service) kept(ctx context.Context, key string) *model.Executive {
	text, ok := s.details.Get(ctx, key)
	found := new(model.Executive)
	if !ok || json.Unmarshal([]byte(text), found) != nil || model.Now().Sub(found.CachedAt) > keepDetails {
		return nil
	}
	return found
}

// state is what is true of a workspace's documents and signals as long as none has changed.
type state struct {
	Documents int        `bun:"documents"`
	Changed   *time.Time `bun:"changed"`
	Extracted *time.Time `bun:"extracted"`
}

// keyOf is a key of bounded length under which details are kept.
func keyOf(workspaceID, name string, of *state) string {
	moment := func(t *time.Time) string {
		if t == nil {
			return "-"
		}
		return strconv.FormatInt(t.UnixMicro(), 10)
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%s\x00%d %s %s", workspaceID, name, of.Documents, moment(of.Changed), moment(of.Extracted))))
	return hex.EncodeToString(sum[:16])
}

// workOut computes details, all of them at once; nil when no document is attributed to the name.
func (s *Service) workOut(ctx context.Context, workspaceID, name string) (*model.Executive, error) {
	out := &model.Executive{WorkspaceID: workspaceID, Name: name, TypeCounts: map[string]int{}, CachedAt: model.Now()}
	var documents []documentGroup
	var signals []signalGroup
	work, all := errgroup.WithContext(ctx)
	work.Go(func() (err error) { documents, err = s.documentGroups(all, workspaceID, name); return err })
	work.Go(func() (err error) { signals, err = s.signalGroups(all, workspaceID, name); return err })
	work.Go(func() (err error) {
		if out.DateRange, err = s.dates(all, workspaceID, name); err != nil {
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
	count(out, documents, signals)
	return out, nil
}

// documentGroup is how many documents of an executive share a kind and a company.
type documentGroup struct {
	Kind    *string `bun:"kind"`
	Company *string `bun:"company"`
	Count   int     `bun:"n"`
}

// signalGroup is how many signals of an executive share a theme and a company.
type signalGroup struct {
	Theme   string  `bun:"theme"`
	Company *string `bun:"company"`
	Count   int     `bun:"n"`
}

// count sums groups up.
func count(e *model.Executive, documents []documentGroup, signals []signalGroup) {
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
	e.Companies, e.UniqueCompanies = frequent(companies), len(companies)
	e.ThemesMentioned, e.UniqueThemes = frequent(themes), len(themes)
	e.CompaniesMentioned = frequent(mentioned)
}

// frequent lists names, the most frequent first and equals by name.
func frequent(counts map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return model.OrEmpty(names[:min(len(names), mostListed)])
}

// LatestDocuments reads the latest documents of executives, all with one statement; those that are gone meanwhile are left out.
func (s *Service) LatestDocuments(ctx context.Context, executives []*model.Executive, columns ...string) ([][]*model.Document, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
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
