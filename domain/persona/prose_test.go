package persona

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"rostrum/llm/text"
	"rostrum/model"
)

// TestProse checks which sentences are statements, and that each is an exact part of the text.
func TestProse(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"headings": {"Half-year report 2026\n\n# What we promise\n\nRevenue rose.", []string{"Revenue rose."}},
		"a table": {"Revenue rose.\n\n| Counts | Office |\n|---|---|\n| Seals | monthly |\n",
			[]string{"Revenue rose."}},
		"a numbered list": {"1. **Lost gear is paid for.** A claim is answered.",
			[]string{"Lost gear is paid for.", "A claim is answered."}},
		"an emphasis": {"**The price** of a kilowatt-hour is fixed.",
			[]string{"**The price** of a kilowatt-hour is fixed."}},
		"a quotation": {"> “A promise is a slogan,” says Ines Okafor.",
			[]string{"“A promise is a slogan,” says Ines Okafor."}},
		"short entries":  {"- all lost nets\n- seals", []string{"all lost nets"}},
		"no sentence":    {"Lost nets", []string{"Lost nets"}},
		"another script": {"昨日は雨でした。", []string{"昨日は雨でした。"}},
		"nothing":        {"", nil},
	} {
		var got []string
		runes := []rune(c.text)
		for _, sentence := range text.Prose(c.text) {
			got = append(got, sentence.Text)
			if string(runes[sentence.Start:sentence.End]) != sentence.Text {
				t.Errorf("%s: %+v is not part of the text", name, sentence)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	const marked = "> **The price** goes to the [workshop](https://tidewall.example/contact), see `this`."
	if got := text.Plain(marked); got != "The price goes to the workshop, see this." {
		t.Errorf("%q", got)
	}
}

// TestKind_labelled: nobody is an organization because of the union or fund that the description
// names. The labels are by an author who had not seen the rules.
func TestKind_labelled(t *testing.T) {
	body, err := os.ReadFile("testdata/labelled_people.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Description    string
		IsOrganisation bool
	}
	if err := json.Unmarshal(body, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		p := &model.Persona{Name: "Ines Okafor", Description: row.Description}
		if row.IsOrganisation {
			p.Name = "P7"
		}
		kind := inferKind(p)
		if !row.IsOrganisation && kind == model.EntityKindOrganization ||
			row.IsOrganisation && kind == model.EntityKindPerson {
			t.Errorf("%s: %s", row.Description, kind)
		}
	}
}

// TestKind checks the kind that is inferred for a persona without one.
func TestKind(t *testing.T) {
	for name, c := range map[string]struct{ name, description, want string }{
		"a person's name":         {"Ines Okafor", "", "person"},
		"a drafted person":        {"Ines Okafor", "Ines Okafor is a person in the category general.", "person"},
		"a drafted group":         {"Blue Hats", "Blue Hats is a group of people in the category general.", "segment"},
		"a drafted organization":  {"Tidewall", "Tidewall is an organisation in the category general.", "organization"},
		"a company":               {"Skerra Energy Group", "", "organization"},
		"a crew":                  {"Kirkholm Crews", "The crews of the boats that fish the sound.", "segment"},
		"an office":               {"Utility CFO", "", "person"},
		"kind in the description": {"K7", "Residents of the harbour.", "segment"},
		"unknown kind":            {"k7", "", ""},
	} {
		if got := string(inferKind(&model.Persona{Name: c.name, Description: c.description})); got != c.want {
			t.Errorf("%s is %q, want %q", name, got, c.want)
		}
	}
}
