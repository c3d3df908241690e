package proof_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"rostrum/llm/text/proof"
)

// TestClaims_labelled keeps at most one lie in ten. The second set is by an author who had not seen
// the check: of its faithful statements, which use other words than their quotes, 9 of 40 are kept.
// The others are shown by their quotes alone.
func TestClaims_labelled(t *testing.T) {
	for file, leastKept := range map[string]int{"claims.json": 90, "outside_claims.json": 20} {
		raw, err := os.ReadFile(filepath.Join("testdata", file))
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
		t.Logf("%s: kept %d of %d lies and %d of %d faithful statements", file, kept["lie"], count["lie"],
			kept["faithful"], count["faithful"])
		if 10*kept["lie"] > count["lie"] || 100*kept["faithful"] < leastKept*count["faithful"] {
			t.Errorf("%s: too many lies are kept, or too many faithful statements are dropped", file)
		}
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
