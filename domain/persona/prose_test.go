package persona

import (
	"reflect"
	"testing"

	"rostrum/model"
)

// TestProse/… hold what of a text is a statement, and that it stands there as it is given.
func TestProse(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"headings":        {"Half-year report 2026\n\n# What we promise\n\nRevenue rose.", []string{"Revenue rose."}},
		"a table":         {"Revenue rose.\n\n| Counts | Office |\n|---|---|\n| Seals | monthly |\n", []string{"Revenue rose."}},
		"a numbered list": {"1. **Lost gear is paid for.** A claim is answered.", []string{"Lost gear is paid for.", "A claim is answered."}},
		"an emphasis":     {"**The price** of a kilowatt-hour is fixed.", []string{"**The price** of a kilowatt-hour is fixed."}},
		"a quotation":     {"> “A promise is a slogan,” says Ines Okafor.", []string{"“A promise is a slogan,” says Ines Okafor."}},
		"short entries":   {"- all lost nets\n- seals", []string{"all lost nets"}},
		"no sentence":     {"Lost nets", []string{"Lost nets"}},
		"another script":  {"昨日は雨でした。", []string{"昨日は雨でした。"}},
		"nothing":         {"", nil},
	} {
		var got []string
		runes := []rune(c.text)
		for _, sentence := range prose(c.text) {
			got = append(got, sentence.Text)
			if string(runes[sentence.Start:sentence.End]) != sentence.Text {
				t.Errorf("%s: %+v does not stand there", name, sentence)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	const marked = "> **The price** goes to the [workshop](https://tidewall.example/contact), see `this`."
	if got := plain(marked); got != "The price goes to the workshop, see this." {
		t.Errorf("%q", got)
	}
}

// TestFitting: the sentence with the rare words of a question comes first, and none comes twice.
func TestFitting(t *testing.T) {
	all := []quoted{
		{"Tidewall reports.", "A"}, {"Tidewall has six turbines.", "A"}, {"It will break even next year.", "A"}, {"It will break even next year.", "B"},
		{"Nobody came.", "B"},
	}
	got := fitting(all, "When does Tidewall break even?", 5)
	if len(got) != 3 || got[0] != all[2] {
		t.Errorf("%q", got)
	}
}

// TestKind/… hold what a persona without a kind of its own stands for.
func TestKind(t *testing.T) {
	for name, c := range map[string]struct{ name, description, want string }{
		"a person's name":         {"Ines Okafor", "", "person"},
		"a drafted person":        {"Ines Okafor", "Ines Okafor is a person in the category general.", "person"},
		"a drafted group":         {"Blue Hats", "Blue Hats is a group of people in the category general.", "segment"},
		"a drafted organisation":  {"Tidewall", "Tidewall is an organisation in the category general.", "organization"},
		"a company":               {"Skerra Energy Group", "", "organization"},
		"a crew":                  {"Kirkholm Crews", "The crews of the boats that fish the sound.", "segment"},
		"an office":               {"Utility CFO", "", "person"},
		"told by its description": {"K7", "Residents of the harbour.", "segment"},
		"nothing tells":           {"k7", "", ""},
	} {
		if got := kindOf(&model.Persona{Name: c.name, Description: c.description}); got != c.want {
			t.Errorf("%s is %q, want %q", name, got, c.want)
		}
	}
}
