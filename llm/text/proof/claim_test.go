package proof_test

import (
	"encoding/json"
	"os"
	"testing"

	"rostrum/llm/text/proof"
)

// TestClaims_labelled counts the lies that the check keeps and the faithful statements that it
// drops, in statements that were labelled by an author who had not seen the check.
func TestClaims_labelled(t *testing.T) {
	raw, err := os.ReadFile("testdata/claims.json")
	if err != nil {
		t.Fatal(err)
	}
	var claims []struct{ Language, Quote, Speaker, Statement, Label, Kind string }
	if err := json.Unmarshal(raw, &claims); err != nil {
		t.Fatal(err)
	}
	count, kept := map[string]int{}, map[string]int{}
	for _, c := range claims {
		count[c.Label]++
		fault := proof.Fault(c.Statement, c.Quote, c.Speaker)
		if fault == "" {
			kept[c.Label]++
		}
		if (fault == "") != (c.Label == "faithful") {
			t.Logf("%s, %s: %s", c.Label, c.Kind, fault)
		}
	}
	t.Logf("kept %d of %d lies and %d of %d faithful statements", kept["lie"], count["lie"], kept["faithful"],
		count["faithful"])
	if 10*kept["lie"] > count["lie"] || 10*kept["faithful"] < 9*count["faithful"] {
		t.Error("more than one lie in ten is kept, or more than one faithful statement in ten is dropped")
	}
}

// TestFaultOf checks what two subjects' quotes prove of each of them.
func TestFaultOf(t *testing.T) {
	sources := []proof.Source{
		{Subject: "Ines Okafor", Quote: "We will not cut jobs. Tidal power is a success."},
		{Subject: "Marcus Lee", Quote: "We may cut 40 jobs at the port."},
	}
	for sentence, want := range map[string]bool{
		"Ines Okafor will not cut jobs, while Marcus Lee may cut 40 jobs.": true,
		"Ines Okafor may cut 40 jobs.":                                     false,
		"Marcus Lee will not cut jobs.":                                    false,
		"Marcus Lee will cut 40 jobs.":                                     false,
		"Both speak of jobs.":                                              true,
		"Ines Okafor calls tidal power a success.":                         true,
		"Marcus Lee calls tidal power a success.":                          false,
		"Marcus Lee: We may cut 40 jobs at the port.":                      true,
		"Ines Okafor: We may cut 40 jobs at the port.":                     false,
		"Ines Okafor promises 900 jobs.":                                   false,
	} {
		if got := proof.FaultOf(sentence, sources); (got == "") != want {
			t.Errorf("%q: %s", sentence, got)
		}
	}
}
