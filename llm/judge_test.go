package llm_test

import (
	"slices"
	"testing"

	"rostrum/llm"
)

// TestJudge checks that only claims with one clear verdict are entailed, and that a judge that fails
// or answers badly proves nothing.
func TestJudge(t *testing.T) {
	claims := []llm.Claim{{Sentence: "It may open.", Quote: "We may open."}, {Sentence: "It opens.", Quote: "We may open."}}
	for name, c := range map[string]struct {
		answers []string
		want    []bool
		problem bool
	}{
		"verdicts":   {[]string{`{"verdicts":[{"claim":1,"entailed":true},{"claim":2,"entailed":false}]}`}, []bool{true, false}, false},
		"missing":    {[]string{`{"verdicts":[{"claim":1,"entailed":true}]}`}, []bool{true, false}, true},
		"twice":      {[]string{`{"verdicts":[{"claim":1,"entailed":true},{"claim":1,"entailed":false}]}`}, []bool{false, false}, true},
		"a_bad_row":  {[]string{`{"verdicts":[{"claim":1,"entailed":true},{"claim":2,"entailed":"yes"}]}`}, []bool{true, false}, true},
		"no_answer":  {[]string{`Both are fine.`, `Yes.`}, []bool{false, false}, true},
		"other_form": {[]string{`{"verdicts":true}`, `[true,true]`}, []bool{false, false}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, problem, err := llm.Judge{Engine: &sayingEngine{answers: c.answers}}.Entailed(t.Context(), claims)
			if err != nil || !slices.Equal(got, c.want) || (problem != "") != c.problem {
				t.Errorf("%v, %q, %v", got, problem, err)
			}
		})
	}
	if got, _, _ := (llm.Judge{}).Entailed(t.Context(), claims); !slices.Equal(got, []bool{true, true}) {
		t.Errorf("without a judge: %v", got)
	}
}
