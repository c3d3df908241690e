package persona

import (
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
)

// invent is the built-in engine's draft: what the material is about and how it is written, else what the name says.
func (d *drafting) invent() *model.DraftedPersona {
	p := &model.DraftedPersona{Name: d.Name}
	p.Category = d.kin().name
	interests, concerns := d.minds()
	p.Interests, p.Concerns = strings.Join(interests, ", "), strings.Join(concerns, ", ")
	p.CommunicationStyle, p.Tone = d.manner()
	kind := map[string]string{"organization": "an organisation", "segment": "a group of people"}[d.asPersona().EntityKindResolved]
	p.Description = fmt.Sprintf("%s is %s in the category %s.", d.Name, firstOf(kind, "a person"), firstOf(d.Category, p.Category))
	switch {
	case d.sampled:
		p.Description += " Its own texts are on " + strings.Join(interests, ", ") + "."
	case len(d.Material) > 0:
		p.Description += " Documents that mention it are on " + strings.Join(interests, ", ") + "."
	}
	return p
}

func firstOf(texts ...string) string {
	for _, one := range texts {
		if strings.TrimSpace(one) != "" {
			return one
		}
	}
	return ""
}

// minds finds what the material speaks of: in good or plain sentences what the persona cares for, in bad ones what it worries about.
func (d *drafting) minds() (interests, concerns []string) {
	var good, bad strings.Builder
	for _, material := range d.Material {
		for _, sentence := range text.Sentences(material) {
			if text.Sentiment(sentence.Text) < -0.2 {
				bad.WriteString(sentence.Text + "\n")
			} else {
				good.WriteString(sentence.Text + "\n")
			}
		}
	}
	for _, phrase := range text.Keyphrases(bad.String(), 3) {
		concerns = append(concerns, phrase.Text)
	}
	for _, phrase := range text.Keyphrases(good.String(), 6) {
		if len(interests) < 4 && !slices.Contains(concerns, phrase.Text) && text.Overlap(phrase.Text, d.Name) < 0.5 {
			interests = append(interests, phrase.Text)
		}
	}
	if len(interests) == 0 {
		interests = d.kin().interests
	}
	if len(concerns) == 0 {
		concerns = d.kin().concerns
	}
	return interests, concerns
}

// kin is the category that the persona's name, description or own category tells.
func (d *drafting) kin() category { return categoryOf(d.Name + " " + d.Description + " " + d.Category) }

// manner tells from the samples how the persona writes.
func (d *drafting) manner() (style, tone string) {
	if !d.sampled {
		return "Speaks plainly and asks for examples.", "matter-of-fact"
	}
	words, feeling := manner(d.Material)
	if words == nil {
		return "Speaks plainly and asks for examples.", "matter-of-fact"
	}
	switch {
	case *words < 12:
		style = "Short sentences"
	case *words < 20:
		style = "Sentences of middle length"
	default:
		style = "Long sentences"
	}
	style = fmt.Sprintf("%s, of about %.0f words", style, *words)
	all := strings.Join(d.Material, "\n")
	if strings.Count(all, "?") > 0 {
		style += ", with questions"
	}
	if spoken := wordSet(all); spoken["we"] || spoken["i"] {
		style += ", in the first person"
	}
	tone = "matter-of-fact"
	switch {
	case *feeling > 0.3:
		tone = "warm and confident"
	case *feeling < -0.2:
		tone = "critical"
	}
	return style + ".", tone
}

// wordSet is the set of a text's words in lower case.
func wordSet(all string) map[string]bool {
	set := map[string]bool{}
	for _, word := range text.Words(all) {
		set[strings.ToLower(word.Text)] = true
	}
	return set
}

// category is an audience category: the words that stand for it, and what such people mind where nothing else tells.
type category struct {
	name      string
	words     map[string]bool
	interests []string
	concerns  []string
}

var categories = []category{
	{"investors", setOf("investor investors shareholder shareholders fund funds analyst analysts"),
		[]string{"returns", "dividends", "growth", "strategy"}, []string{"debt", "cost overruns", "falling margins"}},
	{"press", setOf("journalist journalists reporter reporters editor editors columnist press newspaper magazine"),
		[]string{"news", "evidence", "independent figures"}, []string{"spin", "unanswered questions", "conflicts of interest"}},
	{"authorities", setOf("regulator regulators ministry council authority commission policymaker policymakers mayor minister"),
		[]string{"public safety", "compliance", "public benefit"}, []string{"breaches of rules", "risks to the public", "missing permits"}},
	{"employees", setOf("employee employees worker workers staff union engineer engineers"),
		[]string{"jobs", "fair pay", "training"}, []string{"layoffs", "unpaid overtime", "unsafe work"}},
	{"customers", setOf("customer customers consumer consumers buyer buyers user users shopper shoppers parent parents"),
		[]string{"quality", "service", "fair prices"}, []string{"price rises", "hidden fees", "outages"}},
	{"community", setOf("resident residents neighbour neighbours citizen citizens activist activists wardens"),
		[]string{"clean air", "local jobs", "quiet streets"}, []string{"pollution", "noise", "traffic"}},
}

var everybody = category{defaultCategory, nil, []string{"clear facts", "fair prices"}, []string{"empty promises", "hidden costs"}}

// categoryOf is the category whose words a text has, the first of several.
func categoryOf(of string) category {
	spoken := wordSet(of)
	for _, one := range categories {
		for word := range spoken {
			if one.words[word] {
				return one
			}
		}
	}
	return everybody
}
