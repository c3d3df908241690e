package executive

import (
	"fmt"
	"strings"
	"testing"

	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/model/optional"
)

// TestVerifySignals_keeps_only_proven_speakers checks that a claimed speaker needs strong proof.
// Nobody's words become the document's executive's.
func TestVerifySignals_keeps_only_proven_speakers(t *testing.T) {
	content := `“We found the fault,” said Dana Whitlock, the chief executive of Kestrel.

She spoke for an hour. “Nobody was in danger at any time,” she said.

“The hall is a drag on margin,” said an analyst.

“We were the last to know,” one worker said.

“This is a scandal from top to bottom,” said Amy Stone, member of parliament.

Raj Menon: The costs of the hall were too high.

The shares of the company fell on Friday.`
	doc := &model.Document{Content: &content, Executive: new("DANA WHITLOCK"), Company: new("Kestrel")}
	want := map[string]string{
		"We found the fault": "DANA WHITLOCK", "Nobody was in danger at any time": "",
		"The hall is a drag on margin": "", "We were the last to know": "",
		"This is a scandal from top to bottom": "Amy Stone",
		"The costs of the hall were too high.": "Raj Menon", "The shares of the company fell on Friday.": "",
	}
	var claims []offline.SignalClaim
	for quote := range want {
		claims = append(claims, offline.SignalClaim{Statement: quote, Theme: "hall", Stance: model.StanceNeutral,
			Quote: quote, Speaker: "Dana Whitlock", Company: "Kestrel"})
	}
	kept, _ := verifySignals(doc, readSpeakers(doc), claims, false)
	if len(kept) != len(want) {
		t.Fatalf("%d signals, want %d", len(kept), len(want))
	}
	for _, signal := range kept {
		if got := optional.ValueOr(signal.Executive, ""); got != want[signal.Quote] {
			t.Errorf("%q is said by %q, want %q", signal.Quote, got, want[signal.Quote])
		}
	}
	if company := kept[2].Company; company != nil {
		t.Errorf("the analyst speaks for %q", *company)
	}
}

// TestVerifySignals_probable_speakers checks that weak signs of a speaker are said as such, count for
// nobody, and become a proof if a text model names the same person.
func TestVerifySignals_probable_speakers(t *testing.T) {
	content := "“We found the fault,” said Dana Whitlock, the chief executive of Kestrel.\n\n" +
		"She spoke for an hour. “Nobody was in danger at any time,” she said."
	doc := &model.Document{Content: &content, Executive: new("Dana Whitlock"), Company: new("Kestrel")}
	for _, c := range []struct {
		named     string
		byModel   bool
		certainty model.SpeakerCertainty
	}{
		{"Dana Whitlock", false, model.SpeakerCertaintyProbable}, {"Dana Whitlock", true, model.SpeakerCertaintyProved},
		{"Amy Stone", true, model.SpeakerCertaintyProbable}, {"", true, model.SpeakerCertaintyProbable},
	} {
		kept, _ := verifySignals(doc, readSpeakers(doc), []offline.SignalClaim{{
			Statement: "Nobody was in danger at any time", Theme: "danger", Quote: "Nobody was in danger at any time",
			Speaker: c.named, Stance: model.StanceNeutral,
		}}, c.byModel)
		if len(kept) != 1 {
			t.Fatalf("%d signals", len(kept))
		}
		said := kept[0]
		if got := said.SpeakerCertainty(); got == nil || *got != c.certainty ||
			optional.ValueOr(said.SpeakerName, "") != "Dana Whitlock" ||
			(said.Executive != nil) != (c.certainty == model.SpeakerCertaintyProved) {
			t.Errorf("%+v: %v, said by %v for %v", c, got, said.SpeakerName, said.Executive)
		}
	}
}

// TestVerifySignals_own_words checks that a text which only quotes somebody of a company does not
// speak for the company.
func TestVerifySignals_own_words(t *testing.T) {
	content, found, given := "The recall covers forty thousand lamps.", model.AttributionOriginText, model.AttributionOriginGiven
	for _, c := range []struct {
		origin *model.AttributionOrigin
		kind   string
		speaks bool
	}{{&found, "article", false}, {&found, "press_release", true}, {&given, "article", true}, {&found, "", false}} {
		doc := &model.Document{Content: &content, Company: new("Kestrel"), CommunicationType: &c.kind}
		doc.Origins.Company = c.origin
		kept, _ := verifySignals(doc, readSpeakers(doc), []offline.SignalClaim{{Statement: content, Theme: "recall",
			Quote: content, Company: "Kestrel", Stance: model.StanceNeutral}}, false)
		if len(kept) != 1 || (kept[0].Company != nil) != c.speaks {
			t.Errorf("%s from %s: %+v", c.kind, *c.origin, kept)
		}
	}
}

// TestExtractSignals_reads_the_whole_text checks that statements at the end of a long text become
// signals, and that the others are counted.
func TestExtractSignals_reads_the_whole_text(t *testing.T) {
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, "The harbour office number %d reported the usual weather of the week.\n\n", i)
	}
	long.WriteString("“The tidal array in the northern sound fails the inspection,” said Dana Whitlock, the chief executive.")
	content := long.String()
	doc := &model.Document{Title: "Report", Content: &content}
	found, err := newTestService(offline.Engine{}).extractSignals(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	last := found.signals[len(found.signals)-1]
	if len(found.signals) != mostSignals || optional.ValueOr(last.Executive, "") != "Dana Whitlock" ||
		found.row.Omitted != 901-mostSignals {
		t.Errorf("%d signals, %d omitted, the last is %+v", len(found.signals), found.row.Omitted, last)
	}
}
