package persona_test

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestAsk_of_near_passages checks that a passage near a question is in the reply's context with the
// combined score, if the persona may have read it. While the embedding model fails, words alone
// decide.
func TestAsk_of_near_passages(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		var near []*model.PassageMatch
		var failure error
		calls := 0
		b := setupNear(t, db, "ours", func(_ context.Context, _, _ string, _ []string, mayReadInternal bool,
			_ int) ([]*model.PassageMatch, error) {
			if mayReadInternal {
				t.Error("an outsider may read internal texts")
			}
			calls++
			return near, failure
		})
		internal := model.VisibilityInternal
		byWords := b.createDocument(t, api.CreateDocumentInput{Title: "Words", Content: "The port and its cranes."})
		byMeaning := b.createDocument(t, api.CreateDocumentInput{Title: "Meaning",
			Content: "Ships moor in the harbour."})
		secret := b.createDocument(t, api.CreateDocumentInput{Title: "Memo", Content: "Boats.",
			Visibility: graphql.OmittableOf(&internal)})
		id := b.createPersona(t, "Hull residents")
		scores := func() map[string]float64 {
			t.Helper()
			question := "Port?"
			out, err := b.Ask(b.ctx, api.AskPersonaInput{PersonaID: id, InputContent: graphql.OmittableOf(&question)})
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]float64{}
			for _, item := range out.GroundedContextSelection.Items {
				found[item.DocumentID] = item.Score
			}
			return found
		}
		words := scores()
		if len(words) != 1 || words[byWords] == 0 || calls != 1 {
			t.Errorf("by words after %d calls: %v", calls, words)
		}
		near = []*model.PassageMatch{{DocumentID: byMeaning, Score: 0.5}, {DocumentID: byWords, Score: 0.25},
			{DocumentID: secret, Score: 0.9}}
		if got := scores(); len(got) != 2 || got[byMeaning] != 0.5 || got[byWords] < words[byWords] || calls != 2 {
			t.Errorf("by words and meaning after %d calls: %v", calls, got)
		}
		near, failure = nil, errs.New(errs.ModelFailed, "the model failed")
		if got := scores(); len(got) != 1 || got[byWords] != words[byWords] {
			t.Errorf("after a failure of the model: %v", got)
		}
	})
}

// createDocument stores a document and returns its id.
func (b *testBundle) createDocument(t *testing.T, in api.CreateDocumentInput) string {
	t.Helper()
	out, err := b.documents.Create(b.ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Document.ID
}
