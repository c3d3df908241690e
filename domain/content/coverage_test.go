package content

import (
	"testing"

	"rostrum/llm/offline"
	"rostrum/model"
)

// TestDecide_excerpt gives verdicts of a model that has read a part of the text. Its absent does
// not count for the rest.
func TestDecide_excerpt(t *testing.T) {
	t.Parallel()
	const content = "The depot at Harlow stays open until May. Ticket prices rise by four percent."
	read := offline.ReadText(content)
	for point, want := range map[string]model.CoverageVerdict{
		"Visitors find parking for free":     model.CoverageVerdictUnknown,
		"Ticket prices rise by four percent": model.CoverageVerdictCovered,
		"Ticket prices rise in Zanzibar":     model.CoverageVerdictUnknown,
	} {
		given := offline.PointVerdict{Point: 1, Verdict: model.CoverageVerdictAbsent,
			Evidence: "Ticket prices rise by four percent."}
		if got := decide(point, given, content, read, true); got.Verdict != want ||
			(got.Evidence.Text != "") != (want == model.CoverageVerdictCovered) {
			t.Errorf("%q is decided as %s by %q, want %s", point, got.Verdict, got.Evidence.Text, want)
		}
	}
}

// TestDecide gives verdicts of a model on points. A verdict counts only with a passage about the
// point, and never against the words of the text.
func TestDecide(t *testing.T) {
	t.Parallel()
	const content = "The depot at Harlow stays open until May. Ticket prices rise by four percent. Is parking free? Our staff were told on Monday."
	const covered, partly, contradicted = model.CoverageVerdictCovered, model.CoverageVerdictPartly,
		model.CoverageVerdictContradicted
	const absent, unknown = model.CoverageVerdictAbsent, model.CoverageVerdictUnknown
	read := offline.ReadText(content)
	for _, c := range []struct {
		point    string
		given    model.CoverageVerdict
		evidence string
		want     model.CoverageVerdict
		passage  string
	}{
		{"The depot will not close before summer", contradicted, "The depot at Harlow stays open until May.",
			contradicted, "The depot at Harlow stays open until May."},
		{"Ticket prices and fines rise", partly, "ticket prices RISE by four percent", partly,
			"Ticket prices rise by four percent"},
		{"The prices of tickets go up", covered, "Ticket prices rise by four percent.", covered,
			"Ticket prices rise by four percent."},
		{"The prices of tickets go up", absent, "", absent, ""},
		{"Ticket prices rise by four percent", absent, "", covered, "Ticket prices rise by four percent."},
		{"The prices of tickets go up", partly, "", unknown, ""},
		{"The prices of tickets go up", partly, "Fines rise too.", unknown, ""},
		{"Dogs are welcome on Sundays", contradicted, "Ticket prices rise by four percent.", unknown, ""},
		{"Dogs are welcome on Sundays", partly, "Our staff were told on Monday.", unknown, ""},
		{"Visitors find parking for free", partly, "Is parking free?", unknown, ""},
		{"Ticket prices rise by four percent", contradicted, "Our staff were told on Monday.", covered,
			"Ticket prices rise by four percent."},
		{"Ticket prices rise by four percent", partly, "Ticket prices rise by four percent.", covered,
			"Ticket prices rise by four percent."},
		{"Ticket prices go up by nine percent", covered, "Ticket prices rise by four percent.", unknown, ""},
		{"Ticket prices go up by nine percent", contradicted, "Ticket prices rise by four percent.", contradicted,
			"Ticket prices rise by four percent."},
		{"Ticket prices go up by 4 percent", covered, "Ticket prices rise by four percent.", covered,
			"Ticket prices rise by four percent."},
		{"Ticket prices go up by four percent", covered, "Ticket prices rise by four percent.", covered,
			"Ticket prices rise by four percent."},
	} {
		got := decide(c.point, offline.PointVerdict{Point: 1, Verdict: c.given, Evidence: c.evidence}, content, read,
			false)
		if got.Verdict != c.want || got.Evidence.Text != c.passage {
			t.Errorf("%q is %s by the model for %q, and decided as %s by %q, want %s by %q", c.point, c.given,
				c.evidence, got.Verdict, got.Evidence.Text, c.want, c.passage)
		}
	}
}
