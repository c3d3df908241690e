package executive_test

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/test/kit/dbtest"
)

// TestFollow_attributes_again checks that a corrected title or executive leaves no signal and no
// comparison under the wrong person.
func TestFollow_attributes_again(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		id := b.createDocument(t, "Raj Menon", "Kestrel",
			"I regret the fault in the old hall. We close the old hall in June.\n\n“The old hall is a drag on margin,” said Amy Stone, an analyst at Hansa Bank.")
		check := func(speaker string) {
			t.Helper()
			out, err := b.Signals(b.ctx, signalsInput(id))
			if err != nil || len(out.Signals) != 3 {
				t.Fatalf("%+v, %v", out, err)
			}
			for _, signal := range out.Signals[:2] {
				isProven := signal.SpeakerProof != nil && *signal.SpeakerProof == model.SpeakerProofFirstPerson
				if optional.ValueOr(signal.Executive, "") != speaker || isProven != (speaker != "") ||
					signal.SpeakerStart != nil {
					t.Errorf("%q is said by %q: %v", signal.Quote, optional.ValueOr(signal.Executive, ""),
						signal.SpeakerProof)
				}
				if optional.ValueOr(signal.Company, "") != "Kestrel" || (signal.ExecutiveID == nil) != (speaker == "") {
					t.Errorf("%q: %v, %v", signal.Quote, signal.Company, signal.ExecutiveID)
				}
			}
			quoted := out.Signals[2]
			isProven := quoted.SpeakerProof != nil && *quoted.SpeakerProof == model.SpeakerProofQuotation &&
				quoted.SpeakerStart != nil
			if !isProven || *quoted.Executive != "Amy Stone" ||
				*quoted.SpeakerEnd-*quoted.SpeakerStart != len("Amy Stone") {
				t.Errorf("%+v", quoted)
			}
		}
		correct := func(title string, executive *string) {
			t.Helper()
			_, err := b.documents.Update(b.ctx, api.UpdateDocumentInput{DocumentID: id,
				Title: graphql.OmittableOf(&title), Executive: graphql.OmittableOf(executive)})
			if err != nil {
				t.Fatal(err)
			}
		}
		check("Raj Menon")
		if _, err := b.Compare(b.ctx, api.CompareInsightsInput{Theme: "hall",
			Executives: graphql.OmittableOf([]string{"Raj Menon", "Amy Stone"})}); err != nil {
			t.Fatal(err)
		}
		if n := b.queryCount(t, "SELECT count(*) FROM insight"); n != 1 {
			t.Fatalf("%d comparisons", n)
		}
		correct("Remarks by Dana Whitlock", new("Dana Whitlock"))
		check("Dana Whitlock")
		if n := b.queryCount(t, "SELECT count(*) FROM insight"); n != 0 {
			t.Errorf("%d comparisons cite the words of the wrong person", n)
		}
		correct("A text", nil)
		check("")
	})
}
