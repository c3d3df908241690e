package party

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIntroducedNames finds the aliases that a text introduces with the full name.
func TestIntroducedNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Kestrel Foods plc (“Kestrel”) closes its hall.":                          {"Kestrel"},
		`Kestrel Foods plc ("Kestrel Foods" or the "Company") closes.`:            {"Kestrel Foods"},
		"Kestrel Foods plc, (hereinafter “KF”) and Kestrel Foods plc („Kestrel“)": {"KF", "Kestrel"},
		"Kestrel Foods plc (the “Group”) closes; Kestrel is sorry.":               nil,
		"Kestrel Foods plc (LSE: KFP) and its bank (“Kestrel”)":                   nil,
		"Tidewall (“Kestrel”) is not Kestrel Foods plc.":                          nil,
		"Kestrel Foods plc (“Kestrel Foods plc”)":                                 nil,
	} {
		if diff := cmp.Diff(want, introducedNames(text, "Kestrel Foods plc")); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if diff := cmp.Diff([]string{"Ms Whitlock"}, introducedNames("Dana Whitlock (“Ms Whitlock”) and (“the CEO”) spoke.",
		"Dana Whitlock")); diff != "" {
		t.Error(diff)
	}
}
