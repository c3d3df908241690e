package passage_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

const (
	benchDocuments = 1000
	benchPassages  = 10 // of a document
	benchSize      = 256
)

// BenchmarkSearch searches 10,000 passages of 256 dimensions in 1,000 documents of 5 KB.
func BenchmarkSearch(b *testing.B) {
	for _, backend := range dbtest.Backends(b) {
		b.Run(backend.Name, func(b *testing.B) {
			bundle := setup(b, backend.Open(b), "ours")
			bundle.embedder.size = benchSize
			bundle.fill()
			for b.Loop() {
				if _, err := bundle.Search(bundle.ctx, question, 10, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// fill stores documents with random vectors.
func (b *testBundle) fill() {
	b.t.Helper()
	random, content := rand.New(rand.NewPCG(1, 2)), strings.Repeat("Sixteen letters.", 31*benchPassages)
	for n := range benchDocuments {
		doc := &model.Document{ID: fmt.Sprintf("doc_%d", n), WorkspaceID: b.workspace, Title: "Port", Content: &content,
			Tags: []string{}, Version: "v",
			Visibility: model.VisibilityPublic, CreatedAt: model.Now(), UpdatedAt: model.Now()}
		set := &model.PassageSet{DocumentID: doc.ID, WorkspaceID: b.workspace, Version: "v", Model: b.embedder.name,
			Stored: benchPassages, IsComplete: true}
		rows := make([]*model.Passage, benchPassages)
		for i := range rows {
			vector := make([]byte, benchSize)
			for at := range vector {
				vector[at] = byte(random.Uint32())
			}
			rows[i] = &model.Passage{DocumentID: doc.ID, Position: i, WorkspaceID: b.workspace, Start: i, End: i + 1,
				Scale: 1. / 127, Vector: vector}
		}
		for _, row := range []any{doc, set, &rows} {
			if _, err := b.db.NewInsert().Model(row).Exec(b.ctx); err != nil {
				b.t.Fatal(err)
			}
		}
	}
}
