package executive_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/executive"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

func signalsInput(id string) api.ExtractSignalsInput {
	return api.ExtractSignalsInput{DocumentID: id}
}

// TestGet_counts_what_SQL_counts compares every figure of the details with an SQL query.
func TestGet_counts_what_SQL_counts(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b, other := setup(t, db, "w"), setup(t, db, "other")
		const name = "Zoë O'Hara / 50%"
		for i := range 12 {
			company := fmt.Sprintf("Company %d", i%3)
			id := b.createDocument(t, name, company,
				fmt.Sprintf("We build tidal array number %d this year. We fear delays at harbour %d. Our prices stay fair.", i, i))
			if _, err := b.Signals(b.ctx, signalsInput(id)); err != nil {
				t.Fatal(err)
			}
		}
		b.createDocument(t, "Somebody else", "Company 9", "We say nothing of that today.")
		other.createDocument(t, name, "Theirs", "We are of another workspace altogether.")
		e, err := b.Profile(b.ctx, name, false)
		if err != nil || e == nil {
			t.Fatal(err)
		}
		const documents, signals = " FROM document WHERE workspace_id = 'w' AND executive = ?",
			" FROM signal WHERE workspace_id = 'w' AND executive = ?"
		for figure, c := range map[string]struct {
			got   int
			query string
		}{
			"total_documents":     {e.TotalDocuments, "SELECT count(*)" + documents},
			"unique_companies":    {e.UniqueCompanies, "SELECT count(DISTINCT company)" + documents},
			"companies":           {len(e.CompanyNames), "SELECT count(DISTINCT company)" + documents},
			"total_signals":       {e.TotalSignals, "SELECT count(*)" + signals},
			"unique_themes":       {e.UniqueThemes, "SELECT count(DISTINCT theme)" + signals},
			"companies_mentioned": {len(e.CompaniesMentioned), "SELECT count(DISTINCT company)" + signals},
		} {
			if want := b.queryCount(t, c.query, name); c.got != want || want == 0 {
				t.Errorf("%s is %d, SQL counts %d", figure, c.got, want)
			}
		}
		var newest []string
		if err := db.SelectRaw("SELECT id"+signals+" ORDER BY created_at DESC, id DESC LIMIT 10", name).
			Scan(t.Context(), &newest); err != nil {
			t.Fatal(err)
		}
		got := e.SignalIDs
		if !slices.Equal(got, newest) || len(got) != 10 {
			t.Errorf("the signals are %v, the newest %v", got, newest)
		}
	})
}

// TestGet_cache_is_invalidated checks which changes cause the details to be computed again.
func TestGet_cache_is_invalidated(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		id := b.createDocument(t, "Ines Okafor", "Tidewall", "We build tidal power for everybody.")
		removed := b.createDocument(t, "Ines Okafor", "Tidewall", "We build wind power for everybody.")
		last := func(fresh bool) *model.ExecutiveProfile {
			t.Helper()
			e, err := b.Profile(b.ctx, "Ines Okafor", fresh)
			if err != nil || e == nil {
				t.Fatal(err)
			}
			return e
		}
		before := last(false)
		if again := last(false); !again.CachedAt.Equal(before.CachedAt) {
			t.Error("the details are computed twice")
		}
		for name, change := range map[string]func() error{
			"fresh":     func() error { last(true); return nil },
			"signals":   func() error { _, err := b.Signals(b.ctx, signalsInput(id)); return err },
			"a removal": func() error { _, err := b.documents.Delete(b.ctx, removed); return err },
			"another attribution": func() error {
				_, err := b.documents.Update(b.ctx,
					api.UpdateDocumentInput{DocumentID: id, Company: graphql.OmittableOf(new("Saltmarsh"))})
				return err
			},
		} {
			before := last(false)
			if err := change(); err != nil {
				t.Fatal(err)
			}
			if after := last(false); !after.CachedAt.After(before.CachedAt) {
				t.Errorf("%s does not invalidate the cache", name)
			}
		}
		if e := last(false); e.TotalDocuments != 1 || e.TotalSignals == 0 ||
			!slices.Equal(e.CompanyNames, []string{"Saltmarsh"}) ||
			!slices.Equal(e.CompaniesMentioned, e.CompanyNames) {
			t.Errorf("%+v", e)
		}
	})
}

// TestToggle_creates_one_persona enables a voice in twenty concurrent calls.
func TestToggle_creates_one_persona(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.createDocument(t, "Ines Okafor", "Tidewall", "We build tidal power for everybody. Our turbines are quiet.")
		var created atomic.Int64
		ids := make([]string, 20)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() {
				out, err := b.Toggle(b.ctx, api.ToggleVoiceInput{Executive: "Ines Okafor", Enabled: true})
				if err != nil || !out.Enabled || !out.Tuned || out.PersonaID == nil {
					t.Errorf("%+v, %v", out, err)
					return
				}
				if ids[i] = *out.PersonaID; out.Created {
					created.Add(1)
				}
			})
		}
		all.Wait()
		if n := b.queryCount(t, "SELECT count(*) FROM persona"); n != 1 || created.Load() != 1 ||
			len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 1 {
			t.Errorf("%d personas, created by %d calls: %v", n, created.Load(), ids)
		}
	})
}

// TestFindChief_runs_once checks that a voice which a user changed is not created again.
func TestFindChief_runs_once(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		id := b.createDocument(t, "Ines Okafor", "Tidewall",
			`"We grow," said Ines Okafor, chief executive of Tidewall.`)
		look := func(want model.AutoVoiceStatus) (*api.AutoVoice, []*model.ExecutiveVoice) {
			t.Helper()
			if err := executive.FindChief(b.Service, b.ctx, "w"); err != nil {
				t.Fatal(err)
			}
			out, err := b.Voices(b.ctx)
			if err != nil || out.AutoCeo.Status != want {
				t.Errorf("%+v, want %s: %v", out.AutoCeo, want, err)
			}
			return out.AutoCeo, b.listVoices(t)
		}
		if _, voices := look(model.AutoVoiceStatusUnknown); len(voices) != 0 {
			t.Error("a document of another company creates a voice")
		}
		if _, err := db.NewUpdate().Table("document").Set("media_provenance = 'owned'").Where("id = ?", id).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if err := executive.FindChief(b.Service, b.ctx, "w"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		created, voices := look(model.AutoVoiceStatusReady)
		if len(voices) != 1 || *created.PersonaID != voices[0].PersonaID {
			t.Fatalf("%+v, %+v", created, voices)
		}
		if _, err := b.SetEnabled(b.ctx, *created.PersonaID, false); err != nil {
			t.Fatal(err)
		}
		look(model.AutoVoiceStatusDisabled)
		if _, err := b.personas.Delete(b.ctx, *created.PersonaID); err != nil {
			t.Fatal(err)
		}
		if _, voices := look(model.AutoVoiceStatusRemoved); len(voices) != 0 {
			t.Error("a removed voice is created again")
		}
	})
}

// listVoices returns the workspace's voices.
func (b *testBundle) listVoices(t *testing.T) []*model.ExecutiveVoice {
	t.Helper()
	page, err := b.VoicePage(b.ctx, model.PageArgs{})
	if err != nil {
		t.Fatal(err)
	}
	voices := make([]*model.ExecutiveVoice, len(page.Edges()))
	for i, edge := range page.Edges() {
		voices[i] = edge.Node
	}
	return voices
}

// TestFindChief_keeps_a_user_setting checks that a voice that a user has disabled stays disabled.
func TestFindChief_keeps_a_user_setting(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.createDocument(t, "Ines Okafor", "Tidewall", `"We grow," said Ines Okafor, chief executive of Tidewall.`)
		for _, enabled := range []bool{true, false} {
			if _, err := b.Toggle(b.ctx, api.ToggleVoiceInput{Executive: "Ines Okafor", Enabled: enabled}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.NewUpdate().Table("document").Set("media_provenance = 'owned'").Where("true").
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := executive.FindChief(b.Service, b.ctx, "w"); err != nil {
			t.Fatal(err)
		}
		out, err := b.Voices(b.ctx)
		voices := b.listVoices(t)
		if err != nil || len(voices) != 1 || voices[0].Enabled || out.AutoCeo.Status != model.AutoVoiceStatusDisabled {
			t.Errorf("%+v %+v, %v", voices, out.AutoCeo, err)
		}
	})
}

// TestSignals_are_cached_per_text extracts a document's signals in concurrent calls, and then its
// new text's.
func TestSignals_are_cached_per_text(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		id := b.createDocument(t, "Ines Okafor", "Tidewall",
			"We build tidal power for everybody. Our turbines are quiet and safe.")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := b.Signals(b.ctx, signalsInput(id)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := b.usedRuns(t); n != 1 {
			t.Errorf("extracting signals of one text used %d runs", n)
		}
		b.replaceContent(t, id, "Intro.\n\nOur turbines are quiet and safe. Eels like the harbour very much.")
		if n := b.queryCount(t, "SELECT count(*) FROM signal"); n != 0 {
			t.Errorf("%d signals of the old text are stored", n)
		}
		out, err := b.Signals(b.ctx, signalsInput(id))
		if err != nil || b.usedRuns(t) != 2 {
			t.Fatal(b.usedRuns(t), err)
		}
		b.checkOffsets(t, out.Signals)
		err = b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
			_, err := tx.NewUpdate().Table("document").Set("content = 'Behind our back: we change it all.'").
				Where("id = ?", id).Exec(ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if out, err = b.Signals(b.ctx, signalsInput(id)); err != nil {
			t.Fatal(err)
		}
		b.checkOffsets(t, out.Signals)
	})
}

// checkOffsets checks that the offsets of each signal select its quote in the document.
func (b *testBundle) checkOffsets(t *testing.T, signals []*model.Signal) {
	t.Helper()
	if len(signals) == 0 {
		t.Error("there are no signals")
	}
	for _, signal := range signals {
		doc, err := b.documents.Get(b.ctx, signal.DocumentID)
		if err != nil {
			t.Fatal(err)
		}
		if runes := []rune(*doc.Content); signal.End > len(runes) ||
			string(runes[signal.Start:signal.End]) != signal.Quote {
			t.Errorf("%q is not at %d–%d", signal.Quote, signal.Start, signal.End)
		}
	}
}

// TestCompare_marks_drifted_statements returns a cached comparison after its documents have
// changed.
func TestCompare_marks_drifted_statements(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		const kept, lost = "We love tidal power in the harbour.", "Our tidal power is a great success."
		moved := b.createDocument(t, "Ines Okafor", "Tidewall", kept+" "+lost)
		same := b.createDocument(t, "Marcus Lee", "Saltmarsh", "We fear tidal power more than anything.")
		in := api.CompareInsightsInput{Theme: "tidal power"}
		first, err := b.Compare(b.ctx, in)
		if err != nil || first.Comparison.TotalSignals != 3 || first.Comparison.CachedAt != nil || b.usedRuns(t) != 3 {
			t.Fatalf("%+v, %d runs, %v", first, b.usedRuns(t), err)
		}
		b.replaceContent(t, moved, "A new beginning. "+kept)
		again, err := b.Compare(b.ctx, in)
		if err != nil || again.Comparison.CachedAt == nil || again.Comparison.UnreadDocuments != 1 ||
			b.usedRuns(t) != 3 {
			t.Fatalf("%+v, %d runs, %v", again, b.usedRuns(t), err)
		}
		for _, statement := range slices.Concat(again.Comparison.ByExecutive["Ines Okafor"].Statements,
			again.Comparison.ByExecutive["Marcus Lee"].Statements) {
			switch {
			case statement.DocumentID == same && (statement.Drifted || *statement.Start != 0):
				t.Errorf("%+v drifted", statement)
			case statement.Quote == kept && (!statement.Drifted || *statement.Start != len("A new beginning. ")):
				t.Errorf("%+v does not have the new offsets", statement)
			case statement.Quote == lost && (!statement.Drifted || statement.Start != nil || statement.End != nil):
				t.Errorf("%+v still has offsets", statement)
			}
		}
		in.Fresh = graphql.OmittableOf(new(true))
		if fresh, err := b.Compare(b.ctx, in); err != nil || fresh.Comparison.CachedAt != nil ||
			fresh.Comparison.TotalSignals != 2 || b.usedRuns(t) != 5 {
			t.Errorf("%+v, %d runs, %v", fresh, b.usedRuns(t), err)
		}
		if _, err := b.documents.Delete(b.ctx, same); err != nil {
			t.Fatal(err)
		}
		if n := b.queryCount(t, "SELECT count(*) FROM insight"); n != 0 {
			t.Error("a comparison is stored after a document that it cites was deleted")
		}
	})
}

// TestStatements checks that the number of SQL statements does not grow with the documents.
func TestStatements(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		count := func(work func(ctx context.Context) error) int64 {
			t.Helper()
			ctx, n := dbx.WithCounter(b.ctx)
			if err := work(ctx); err != nil {
				t.Fatal(err)
			}
			return n.Load()
		}
		each := map[string]func(ctx context.Context) error{
			"details": func(ctx context.Context) error { _, err := b.Profile(ctx, "Ines Okafor", true); return err },
			"list": func(ctx context.Context) error {
				_, err := b.List(ctx, model.PageArgs{}, nil, nil)
				return err
			},
			"voices": func(ctx context.Context) error { _, err := b.VoicePage(ctx, model.PageArgs{}); return err },
			"compare": func(ctx context.Context) error {
				in := api.CompareInsightsInput{Theme: "tidal power", Fresh: graphql.OmittableOf(new(true))}
				_, err := b.Compare(ctx, in)
				return err
			},
		}
		before := map[string]int64{}
		for i := range 6 {
			name := []string{"Ines Okafor", "Marcus Lee", "Marit Holm"}[i%3]
			id := b.createDocument(t, name, "Tidewall", "We build tidal power for everybody.")
			if _, err := b.Signals(b.ctx, signalsInput(id)); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Toggle(b.ctx, api.ToggleVoiceInput{Executive: name, Enabled: true}); err != nil {
				t.Fatal(err)
			}
			for query, work := range each {
				n := count(work)
				if i > 0 && n != before[query] {
					t.Errorf("%s runs %d statements for 1 document and %d for %d", query, before[query], n, i+1)
				}
				before[query] = n
			}
		}
	})
}

// TestCompare_refuses checks the errors that are returned before a run is charged.
func TestCompare_refuses(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		long := make([]string, 11)
		for i := range long {
			long[i] = fmt.Sprint(i)
		}
		for name, in := range map[string]api.CompareInsightsInput{
			"executives": {Theme: "t", Executives: graphql.OmittableOf(long)},
			"personas":   {Theme: "t", Personas: graphql.OmittableOf([]string{"per_none"})},
			"themes":     {Theme: "t", Themes: graphql.OmittableOf(append(long, "x"))},
		} {
			if _, err := b.Compare(b.ctx, in); !errs.Is(err, errs.ValidationFailed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if b.usedRuns(t) != 0 {
			t.Error("a rejected comparison used runs")
		}
	})
}
