package document_test

import (
	"context"
	"fmt"
	"testing"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// boilerplate ends many texts.
const boilerplate = " Tidewall is a listed company with offices in nine ports of the northern coast."

// harbourNews and harbourNewsInJapanese are texts with copies; the second one has no spaces.
const (
	harbourNews = "The second pier opens in spring with room for two hundred bicycles. Passengers asked for it in a letter with six hundred names." +
		" The city pays a third of the cost and borrows the rest." + boilerplate
	harbourNewsInJapanese = "新しい桟橋は春に開業し、二百台の自転車を置くことができる。乗客は六百人の署名を集めて市に求めた。市は費用の三分の一を支払う。"
)

// TestNearDuplicates finds copies among many texts with the same last sentence. It finds none that
// is hidden or in another workspace.
func TestNearDuplicates(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, other := setup(t, db, "w"), setup(t, db, "other")
		texts := map[string]string{
			"doc_source": harbourNews, "doc_copy": harbourNews + " The paper asked for a comment.",
			"doc_hidden":   harbourNews,
			"doc_japanese": harbourNewsInJapanese, "doc_japanese_copy": harbourNewsInJapanese,
			"doc_short": "Three short words", "doc_short_copy": "Three short words",
			"doc_words": "Only a few words", "doc_words_copy": "Only a few words", "doc_empty": "",
		}
		for i := range 250 {
			texts[fmt.Sprint("doc_other_", i)] = fmt.Sprintf(
				"Ship %d calls at port %d with %d boxes of oranges and leaves before noon.", i, i%7, i*i) + boilerplate
		}
		s.insertTexts(t, texts)
		other.insertTexts(t, map[string]string{"doc_foreign": harbourNews})
		if err := db.InTx(s.ctx, func(ctx context.Context, tx dbx.Tx) error {
			return s.Hide(ctx, tx, "w", []string{"doc_hidden"}, nil)
		}); err != nil {
			t.Fatal(err)
		}
		for source, want := range map[string]string{
			"doc_source": "doc_copy", "doc_copy": "doc_source", "doc_japanese": "doc_japanese_copy",
			"doc_words": "doc_words_copy", "doc_short": "", "doc_empty": "",
		} {
			found, err := s.NearDuplicates(s.ctx, source, 10)
			if err != nil {
				t.Fatal(err)
			}
			if (len(found) == 1) != (want != "") || len(found) > 0 && found[0].DocumentID != want {
				t.Errorf("%s: %d near-duplicates, want %q", source, len(found), want)
			}
		}
	})
}

// insertTexts stores a document for each text.
func (b *testBundle) insertTexts(t *testing.T, texts map[string]string) {
	t.Helper()
	err := b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
		for id, text := range texts {
			doc := &model.Document{ID: id, WorkspaceID: principal.Must(b.ctx).WorkspaceID, Content: &text,
				Tags: []string{}, CreatedAt: model.Now(), UpdatedAt: model.Now()}
			if err := b.Insert(ctx, tx, doc); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
