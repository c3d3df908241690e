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
			Quote: quote, Executive: "Dana Whitlock", Company: "Kestrel"})
	}
	kept := verifySignals(doc, readSpeakers(doc), claims)
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
