package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rostrum/dbx"
	"rostrum/domain/party"
	"rostrum/model"
	"rostrum/platform/slot"
)

// The claims for an executive's details on documents that are all theirs, and the measured sizes.
const (
	detailDocuments = 10_000
	detailSignals   = 3 // of each document
	freshClaim      = 50 * time.Millisecond
	keptClaim       = 3 * time.Millisecond
	freshSamples    = 50
	keptSamples     = 500
	speaker         = "Ines Okafor"
)

// compareDetails measures an executive's details, computed and cached, in a workspace of ten
// thousand documents by one executive.
func compareDetails(ctx context.Context, g *gateway, address, database string) ([]delaySeries, error) {
	p, err := g.createWorkspace(ctx, "Executives")
	if err != nil {
		return nil, err
	}
	logProgress("seeding %d documents of one executive on %s", detailDocuments, database)
	if err := seedExecutive(ctx, address, p); err != nil {
		return nil, fmt.Errorf("seed an executive on %s: %w", database, err)
	}
	c := restClient{base: g.base, key: p.key}
	fresh, err := c.measureDetails(ctx, freshSamples, "?fresh=true")
	if err != nil {
		return nil, err
	}
	kept, err := c.measureDetails(ctx, keptSamples, "")
	if err != nil {
		return nil, err
	}
	return []delaySeries{{"computed", database, fresh, freshClaim}, {"cached", database, kept, keptClaim}}, nil
}

// measureDetails requests the details repeatedly and checks their counts.
func (c restClient) measureDetails(ctx context.Context, samples int, query string) ([]time.Duration, error) {
	times := make([]time.Duration, samples)
	for i := range times {
		var found struct {
			TotalDocuments int `json:"total_documents"`
			TotalSignals   int `json:"total_signals"`
		}
		sent := time.Now()
		if err := c.sendJSON(ctx, http.MethodGet, "/api/v1/executives/"+url.PathEscape(speaker)+query, nil,
			http.StatusOK, &found); err != nil {
			return nil, err
		}
		times[i] = time.Since(sent)
		if found.TotalDocuments != detailDocuments || found.TotalSignals != detailDocuments*detailSignals {
			return nil, fmt.Errorf("the details contain %d documents and %d signals", found.TotalDocuments,
				found.TotalSignals)
		}
	}
	slices.Sort(times)
	return times, nil
}

// seedExecutive stores documents of one executive and their statements.
func seedExecutive(ctx context.Context, address string, p *seededWorkspace) error {
	db, err := dbx.Open(ctx, address, slot.New)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // the rows are committed
	v, parties := newGenerator(77), party.New(party.Config{DB: db})
	for done := 0; done < detailDocuments; done += copyBatch {
		err := db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			executives, err := parties.Attach(ctx, tx, p.workspaceID, model.PartyKindExecutive, speaker)
			if err != nil {
				return err
			}
			return v.storeStatements(ctx, tx, p, executives[speaker])
		})
		if err != nil {
			return err
		}
	}
	if _, err := db.NewUpdate().Table("workspace").Set("document_count = ?", detailDocuments).
		Where("id = ?", p.workspaceID).Exec(ctx); err != nil {
		return err
	}
	_, err = db.Writer().ExecContext(ctx, "ANALYZE")
	return err
}

// storeStatements stores one batch of an executive's documents.
func (v *generator) storeStatements(ctx context.Context, tx dbx.Tx, p *seededWorkspace, executive model.Party) error {
	var docs []*model.Document
	var looked []*model.SignalExtraction
	var signals []*model.Signal
	for range copyBatch {
		doc := v.document(p.workspaceID)
		doc.Executive, doc.ExecutiveID = &executive.Name, &executive.ID
		docs = append(docs, doc)
		looked = append(looked, &model.SignalExtraction{DocumentID: doc.ID, WorkspaceID: p.workspaceID,
			Version: "seeded", CreatedAt: doc.UpdatedAt})
		for range detailSignals {
			signals = append(signals, &model.Signal{
				ID: model.NewID(model.SignalPrefix), WorkspaceID: p.workspaceID, DocumentID: doc.ID,
				Executive: doc.Executive, ExecutiveID: doc.ExecutiveID,
				Company: doc.Company, Attributed: true,
				Theme: v.words(1), Statement: v.words(12), Quote: v.words(12), End: 60, Stance: model.StanceNeutral,
				CreatedAt: doc.UpdatedAt,
			})
		}
	}
	for _, rows := range []any{&docs, &looked, &signals} {
		if _, err := tx.NewInsert().Model(rows).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// delayTable prints waiting times with the claims about their medians.
func delayTable(b *strings.Builder, what string, delays []delaySeries) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\tdatabase\tsamples\tmedian ms\tp99 ms\tclaim for the median\t\n", what)
	for _, d := range delays {
		middle := percentile(d.times, 50)
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\tunder %d ms: %s\t\n", d.what, d.database, len(d.times),
			formatMilliseconds(middle), formatMilliseconds(percentile(d.times, 99)), d.claim.Milliseconds(),
			formatVerdict(middle < d.claim))
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}
