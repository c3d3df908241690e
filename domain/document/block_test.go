package document_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/testkit"
)

// TestPages_far_in_are_exact changes a long list at random places, several writers at once, and compares its pages with those that
// are counted off row by row.
func TestPages_far_in_are_exact(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, other := setup(t, db, "w"), setup(t, db, "other")
		other.create(t, "Of another workspace")
		for round := range 2 {
			var writers sync.WaitGroup
			for writer := range 2 {
				writers.Go(func() {
					s.change(t, rand.New(rand.NewPCG(uint64(round), uint64(writer))), fmt.Sprintf("%d%d", round, writer))
				})
			}
			writers.Wait()
			s.compare(t, rand.New(rand.NewPCG(uint64(round), 9)))
		}
	})
}

// change adds documents at the end and in between, many of one instant, and removes and hides some, ten to a transaction.
func (b *bundle) change(t *testing.T, r *rand.Rand, name string) {
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for step := range 20 {
		err := b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
			for i := range 10 {
				at := base.Add(time.Duration(step*10+i) * time.Second)
				if r.IntN(3) == 0 {
					at = base.Add(time.Duration(r.IntN(5)) * 100 * time.Millisecond)
				}
				doc := &model.Document{ID: fmt.Sprintf("doc_%s_%d_%d", name, step, i), WorkspaceID: "w", Title: name, Tags: []string{}, CreatedAt: at, UpdatedAt: at}
				if r.IntN(4) == 0 {
					doc.ProcessingStatus = ptr(model.ProcessingStatusFailed)
				}
				if err := b.Insert(ctx, tx, doc); err != nil {
					return err
				}
			}
			hide := []string{fmt.Sprintf("doc_%s_%d_%d", name, step, r.IntN(5)), fmt.Sprintf("doc_%s_%d_%d", name, step, 5+r.IntN(5))}
			if err := b.Hide(ctx, tx, "w", hide, nil); err != nil {
				return err
			}
			return b.Hide(ctx, tx, "w", nil, hide[:r.IntN(2)])
		})
		if err != nil {
			t.Error(err)
			return
		}
		for i := range r.IntN(5) {
			if _, err := b.Delete(b.ctx, fmt.Sprintf("doc_%s_%d_%d", name, r.IntN(step+1), i*2)); err != nil && step == 0 {
				t.Error(err)
			}
		}
		if _, err := b.List(b.ctx, model.PageArgs{Page: ptr(4), PerPage: ptr(10)}, nil, model.DocumentSortCreatedAtDesc, "id"); err != nil {
			t.Error(err)
		}
	}
}

// compare reads pages of every size that matters both ways.
func (b *bundle) compare(t *testing.T, r *rand.Rand) {
	t.Helper()
	plain := func(order, condition string) []string {
		var all []string
		q := b.db.NewSelect().Model((*model.Document)(nil)).Column("id").Where("workspace_id = 'w'").Where(condition).OrderExpr(order)
		if err := q.Scan(b.ctx, &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	newest, oldest := plain("created_at DESC, id DESC", "true"), plain("created_at, id", "true")
	shown := plain("created_at DESC, id DESC", "NOT hidden")
	page := func(all []string, number, size int) []string {
		return all[min((number-1)*size, len(all)):min(number*size, len(all))]
	}
	for range 40 {
		size := 1 + r.IntN(40)
		number := 1 + r.IntN(len(newest)/size+2)
		args := model.PageArgs{Page: &number, PerPage: &size}
		down, err := b.List(b.ctx, args, nil, model.DocumentSortCreatedAtDesc, "id")
		if err != nil || !slices.Equal(ids(down.Nodes), page(newest, number, size)) || down.Behind != (number*size < len(newest)) {
			t.Fatalf("page %d of %d newest first is not exact (%v)", number, size, err)
		}
		up, err := b.List(b.ctx, args, nil, model.DocumentSortCreatedAtAsc, "id")
		if err != nil || !slices.Equal(ids(up.Nodes), page(oldest, number, size)) {
			t.Fatalf("page %d of %d oldest first is not exact (%v)", number, size, err)
		}
		visible, err := b.Communications(b.ctx, args, false, "id")
		if err != nil || !slices.Equal(ids(visible.Nodes), page(shown, number, size)) {
			t.Fatalf("page %d of %d without hidden ones is not exact (%v)", number, size, err)
		}
		if n, err := visible.TotalCount(b.ctx); err != nil || n != len(shown) {
			t.Fatalf("%d are said to be shown, %d are (%v)", n, len(shown), err)
		}
	}
	b.counts(t, len(newest), len(plain("id", "processing_status = 'failed'")))
}

// counts compares what is kept with what is there.
func (b *bundle) counts(t *testing.T, all, failed int) {
	t.Helper()
	if n, err := b.Count(b.ctx, nil); err != nil || n != all {
		t.Errorf("%d documents are said to be there, %d are (%v)", n, all, err)
	}
	status := model.ProcessingStatusFailed
	if n, err := b.Count(b.ctx, &model.DocumentFilter{ProcessingStatus: graphql.OmittableOf(&status)}); err != nil || n != failed {
		t.Errorf("%d documents are said to have failed, %d have (%v)", n, failed, err)
	}
	var blocks struct{ Blocks, Largest, Least, Documents int }
	err := b.db.NewSelect().Table("document_block").ColumnExpr("count(*) AS blocks, max(documents) AS largest, min(hidden) AS least, sum(documents) AS documents").
		Where("workspace_id = 'w' AND level = 0").Scan(b.ctx, &blocks)
	if err != nil || blocks.Blocks < 3 || blocks.Largest > 8 || blocks.Least < 0 || blocks.Documents != all {
		t.Errorf("blocks %+v of %d documents (%v)", blocks, all, err)
	}
}
