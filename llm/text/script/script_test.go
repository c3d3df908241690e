package script

import "testing"

// TestWriter writes lines of pieces; ^ begins a raised piece, _ a lowered one and | one on the line.
func TestWriter(t *testing.T) {
	t.Parallel()
	for pieces, want := range map[string]string{
		"10^6| litres":             "10⁶ litres",
		"10^-|^6| litres":          "10⁻⁶ litres",
		"10^n|":                    "10ⁿ",
		"10^n+1|":                  "10ⁿ⁺¹",
		"2^max(a,b)|":              "2^(max(a,b))",
		"4^1|/_2| percent":         "4 1/2 percent",
		"^3|\u2044_4| of them":     "3/4 of them",
		"half: ^1|/2":              "half: ¹/2",
		"CO_2| and H_2|O":          "CO2 and H2O",
		"x_i| and v_max|":          "x_i and v_max",
		"101_2| is five":           "101₂ is five",
		"SO_4|^2-|":                "SO4²⁻",
		"12 t.^3|":                 "12 t.[3]",
		"the first 12 t.^3,4| and": "the first 12 t.[3,4] and",
		"12%^1| of all":            "12%[1] of all",
		"said so.\u201d^12|":       "said so.\u201d[12]",
		"^1| Unaudited":            "[1] Unaudited",
		"^14|C":                    "¹⁴C",
		"20 m^2|":                  "20 m²",
		"the 1^st| and 2^nd|":      "the 1st and 2nd",
		"M^me| Curie":              "Mme Curie",
		"la 1^a|, n^o| 5":          "la 1ª, nº 5",
		"Rostrum^TM| and^®|":       "Rostrum™ and®",
		"see^[4]| there":           "see[4] there",
		"word^an aside| here":      "word an aside here",
		"plain":                    "plain",
		"":                         "",
		"ends ^|":                  "ends ",
	} {
		var w Writer
		at, piece := Baseline, ""
		for _, r := range pieces + "|" {
			next, mark := map[rune]Position{'^': Superscript, '_': Subscript, '|': Baseline}[r]
			if !mark {
				piece += string(r)
				continue
			}
			w.Write(piece, at)
			at, piece = next, ""
		}
		if got := w.String(); got != want {
			t.Errorf("%q is %q, want %q", pieces, got, want)
		}
	}
}
