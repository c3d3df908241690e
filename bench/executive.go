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
	"rostrum/model"
)

// What is asked of an executive's details on documents that are all theirs, and how it is measured.
const (
	detailDocuments = 10_000
	detailSignals   = 3 // of each document
	freshClaim      = 50 * time.Millisecond
	keptClaim       = 3 * time.Millisecond
	freshSamples    = 50
	keptSamples     = 500
	speaker         = "Ines Okafor"
)

// details measures an executive's details, worked out anew and kept, on a workspace of ten thousand documents by one executive.
func details(ctx context.Context, g *gateway, address, database string) ([]delay, error) {
	p, err := g.place(ctx, "Executives")
	if err != nil {
		return nil, err
	}
	progress("seeding %d documents of one executive on %s", detailDocuments, database)
	if err := speak(ctx, address, p); err != nil {
		return nil, fmt.Errorf("seed an executive on %s: %w", database, err)
	}
	c := caller{base: g.base, key: p.key}
	fresh, err := c.details(ctx, freshSamples, "?fresh=true")
	if err != nil {
		return nil, err
	}
	kept, err := c.details(ctx, keptSamples, "")
	if err != nil {
		return nil, err
	}
	return []delay{{"worked out anew", database, fresh, freshClaim}, {"kept", database, kept, keptClaim}}, nil
}

// details asks for the details some times, one after the other, and checks what they count.
func (c caller) details(ctx context.Context, samples int, query string) ([]time.Duration, error) {
	times := make([]time.Duration, samples)
	for i := range times {
		var found struct {
			TotalDocuments int `json:"total_documents"`
			TotalSignals   int `json:"total_signals"`
		}
		sent := time.Now()
		if err := c.call(ctx, http.MethodGet, "/api/v1/executives/"+url.PathEscape(speaker)+query, nil, http.StatusOK, &found); err != nil {
			return nil, err
		}
		times[i] = time.Since(sent)
		if found.TotalDocuments != detailDocuments || found.TotalSignals != detailDocuments*detailSignals {
			return nil, fmt.Errorf("the details count %d documents and %d signals", found.TotalDocuments, found.TotalSignals)
		}
	}
	slices.Sort(times)
	return times, nil
}

// speak stores documents of one executive, and what they say.
func speak(ctx context.Context, address string, p *place) error {
	db, err := dbx.Open(ctx, address)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // what was written is written
	v, name := newInventor(77), speaker
	for done := 0; done < detailDocuments; done += batch {
		err := db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return v.speak(ctx, tx, p, &name) })
		if err != nil {
			return err
		}
	}
	if _, err := db.NewUpdate().Table("workspace").Set("document_count = ?", detailDocuments).Where("id = ?", p.workspaceID).Exec(ctx); err != nil {
		return err
	}
	_, err = db.Writer().ExecContext(ctx, "ANALYZE")
	return err
}

// speak stores one batch.
func (v *inventor) speak(ctx context.Context, tx dbx.Tx, p *place, name *string) error {
	var docs []*model.Document
	var looked []*model.SignalExtraction
	var signals []*model.Signal
	for range batch {
		doc := v.document(p.workspaceID)
		doc.Executive = name
		docs = append(docs, doc)
		looked = append(looked, &model.SignalExtraction{DocumentID: doc.ID, WorkspaceID: p.workspaceID, Version: "seeded", CreatedAt: doc.UpdatedAt})
		for range detailSignals {
			signals = append(signals, &model.Signal{
				ID: model.NewID(model.SignalPrefix), WorkspaceID: p.workspaceID, DocumentID: doc.ID, Executive: name, Company: doc.Company, Attributed: true,
				Theme: v.words(1), Statement: v.words(12), Quote: v.words(12), End: 60, Stance: model.StanceNeutral, CreatedAt: doc.UpdatedAt,
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

// delayTable prints waiting times beside what is asked of their medians.
func delayTable(b *strings.Builder, what string, delays []delay) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\tdatabase\tsamples\tmedian ms\tp99 ms\tasked of the median\t\n", what)
	for _, d := range delays {
		middle := percentile(d.times, 50)
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\tunder %d ms: %s\t\n", d.what, d.database, len(d.times),
			milliseconds(middle), milliseconds(percentile(d.times, 99)), d.claim.Milliseconds(), verdict(middle < d.claim))
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}
