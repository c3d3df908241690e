package proof_test

import (
	"testing"

	"rostrum/llm/text/proof"
)

// TestRewritten checks which wordings say something else than the text.
func TestRewritten(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          bool
	}{
		{"We utilize the site in Hull.", "We use the site in Hull.", true},
		{"We will close the site in Hull.", "We will not close the site in Hull.", false},
		{"We will not close the site in Hull.", "We will close the site in Hull.", false},
		{"It is not only cheap but also clean.", "It is cheap and clean.", true},
		{"Moreover, Kestrel sued Brightwater.", "Kestrel sued Brightwater.", true},
		{"Kestrel sued Brightwater over the port.", "Brightwater sued Kestrel over the port.", false},
		{"Kestrel sued Brightwater over the port.", "Brightwater was sued by Kestrel over the port.", true},
		{"The union rejected the offer of the company.", "The company rejected the offer of the union.", false},
		{"The plant opens in May.", "The plant of Brightwater opens in May.", false},
		{"The plant opens in May and everybody is invited to it.", "Das Werk öffnet im Mai und alle sind dazu eingeladen.", false},
		{"“It works,” said Ines Okafor. “It leaks,” said Tom Ward.", "“It works,” said Tom Ward. “It leaks,” said Ines Okafor.", false},
		{"“It works,” said Ines Okafor.", "Ines Okafor said: “It works,”", true},
		{"Wir schließen das Werk nicht.", "Das Werk schließen wir.", false},
		{"Wir haben das Werk im Mai geöffnet.", "Im Mai haben wir das Werk geöffnet.", true},
		{"Nous ne fermons pas le site.", "Nous fermons le site.", false},
		{"No cerramos la planta.", "La planta no se cierra.", true},
	} {
		if got := proof.Rewritten(c.before, c.after); (got == "") != c.want {
			t.Errorf("%q becomes %q: %s", c.before, c.after, got)
		}
	}
}
