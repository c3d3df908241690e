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

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestPages_deep_pages_are_exact changes a long list at random positions with concurrent writers.
// It compares its pages with pages counted row by row.
func TestPages_deep_pages_are_exact(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, other := setup(t, db, "w"), setup(t, db, "other")
		other.createDocument(t, "Of another workspace")
		for round := range 2 {
			var writers sync.WaitGroup
			for writer := range 2 {
				writers.Go(func() {
					s.changeDocuments(t, rand.New(rand.NewPCG(uint64(round), uint64(writer))),
						fmt.Sprintf("%d%d", round, writer))
				})
			}
			writers.Wait()
			s.comparePages(t, rand.New(rand.NewPCG(uint64(round), 9)))
		}
	})
}

// changeDocuments inserts documents at the end and in the middle, many with the same timestamp. It
// deletes and hides some, ten per transaction.
func (b *testBundle) changeDocuments(t *testing.T, r *rand.Rand, name string) {
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for step := range 20 {
		err := b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
			for i := range 10 {
				at := base.Add(time.Duration(step*10+i) * time.Second)
				if r.IntN(3) == 0 {
					at = base.Add(time.Duration(r.IntN(5)) * 100 * time.Millisecond)
				}
				doc := &model.Document{ID: fmt.Sprintf("doc_%s_%d_%d", name, step, i), WorkspaceID: "w", Title: name,
					Tags: []string{}, CreatedAt: at, UpdatedAt: at}
				if r.IntN(4) == 0 {
					doc.ProcessingStatus = ptr(model.ProcessingStatusFailed)
				}
				if err := b.Insert(ctx, tx, doc); err != nil {
					return err
				}
			}
			hide := []string{fmt.Sprintf("doc_%s_%d_%d", name, step, r.IntN(5)),
				fmt.Sprintf("doc_%s_%d_%d", name, step, 5+r.IntN(5))}
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
			if _, err := b.Delete(b.ctx, fmt.Sprintf("doc_%s_%d_%d", name, r.IntN(step+1), i*2)); err != nil &&
				step == 0 {
				t.Error(err)
			}
		}
		if _, err := b.List(b.ctx, model.PageArgs{Page: ptr(4), PerPage: ptr(10)}, nil, nil, "id"); err != nil {
			t.Error(err)
		}
	}
}

// comparePages compares pages of all relevant sizes in both directions.
func (b *testBundle) comparePages(t *testing.T, r *rand.Rand) {
	t.Helper()
	queryIDs := func(order, condition string) []string {
		var all []string
		q := b.db.NewSelect().Model((*model.Document)(nil)).Column("id").Where("workspace_id = 'w'").Where(condition).
			OrderExpr(order)
		if err := q.Scan(b.ctx, &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	newest, oldest := queryIDs("created_at DESC, id DESC", "true"), queryIDs("created_at, id", "true")
	shown := queryIDs("created_at DESC, id DESC", "NOT hidden")
	pageOf := func(all []string, number, size int) []string {
		return all[min((number-1)*size, len(all)):min(number*size, len(all))]
	}
	for range 40 {
		size := 1 + r.IntN(40)
		number := 1 + r.IntN(len(newest)/size+2)
		args := model.PageArgs{Page: &number, PerPage: &size}
		down, err := b.List(b.ctx, args, nil, nil, "id")
		if err != nil || !slices.Equal(documentIDs(down.Nodes), pageOf(newest, number, size)) ||
			down.Behind != (number*size < len(newest)) {
			t.Fatalf("page %d of %d newest first is not exact (%v)", number, size, err)
		}
		up, err := b.List(b.ctx, args, nil, model.DocumentSortCreatedAtAsc.Order(), "id")
		if err != nil || !slices.Equal(documentIDs(up.Nodes), pageOf(oldest, number, size)) {
			t.Fatalf("page %d of %d oldest first is not exact (%v)", number, size, err)
		}
		visible, err := b.Communications(b.ctx, args, false, nil, nil, "id")
		if err != nil || !slices.Equal(documentIDs(visible.Nodes), pageOf(shown, number, size)) {
			t.Fatalf("page %d of %d without hidden ones is not exact (%v)", number, size, err)
		}
		if n, err := visible.TotalCount(b.ctx); err != nil || n != len(shown) {
			t.Fatalf("the total is %d, want %d (%v)", n, len(shown), err)
		}
	}
	b.checkCounts(t, len(newest), len(queryIDs("id", "processing_status = 'failed'")))
}

// checkCounts compares the stored counts with the rows.
func (b *testBundle) checkCounts(t *testing.T, all, failed int) {
	t.Helper()
	if n, err := b.Count(b.ctx, nil); err != nil || n != all {
		t.Errorf("the count is %d, want %d (%v)", n, all, err)
	}
	status := model.ProcessingStatusFailed
	if n, err := b.Count(b.ctx, &api.DocumentFilter{ProcessingStatus: graphql.OmittableOf(&status)}); err != nil ||
		n != failed {
		t.Errorf("the count of failed documents is %d, want %d (%v)", n, failed, err)
	}
}
