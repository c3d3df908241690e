package persona

import (
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
)

// builtinDraft returns the draft of the built-in engine, derived from the topics and style of the material, or else from the name.
func (d *draftTask) builtinDraft() *model.DraftedPersona {
	p := &model.DraftedPersona{Name: d.Name}
	p.Category = d.audienceCategory().name
	interests, concerns := d.deriveInterests()
	p.Interests, p.Concerns = strings.Join(interests, ", "), strings.Join(concerns, ", ")
	p.CommunicationStyle, p.Tone = d.describeStyle()
	kind := map[string]string{"organization": "an organisation", "segment": "a group of people"}[d.asPersona().EntityKindResolved]
	p.Description = fmt.Sprintf("%s is %s in the category %s.", d.Name, firstOf(kind, "a person"), firstOf(d.Category, p.Category))
	switch {
	case d.hasSamples:
		p.Description += " Its own texts are on " + strings.Join(interests, ", ") + "."
	case len(d.Material) > 0:
		p.Description += " Documents that mention it are on " + strings.Join(interests, ", ") + "."
	}
	return p
}

func firstOf(texts ...string) string {
	for _, candidate := range texts {
		if strings.TrimSpace(candidate) != "" {
			return candidate
		}
	}
	return ""
}

// deriveInterests returns key phrases of positive and neutral sentences as interests and of negative sentences as concerns. It falls back
// to those of the audience category.
func (d *draftTask) deriveInterests() (interests, concerns []string) {
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
		interests = d.audienceCategory().interests
	}
	if len(concerns) == 0 {
		concerns = d.audienceCategory().concerns
	}
	return interests, concerns
}

// audienceCategory returns the category that matches the persona's name, description or given category.
func (d *draftTask) audienceCategory() categoryProfile {
	return categoryOf(d.Name + " " + d.Description + " " + d.Category)
}

// describeStyle returns the writing style and tone measured in the samples.
func (d *draftTask) describeStyle() (style, tone string) {
	if !d.hasSamples {
		return "Speaks plainly and asks for examples.", "matter-of-fact"
	}
	words, feeling := measureStyle(d.Material)
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

// wordSet returns the set of lower-case words of a text.
func wordSet(all string) map[string]bool {
	set := map[string]bool{}
	for _, word := range text.Words(all) {
		set[strings.ToLower(word.Text)] = true
	}
	return set
}

// categoryProfile is an audience category with the keywords that identify it and its default interests and concerns.
type categoryProfile struct {
	name      string
	keywords  map[string]bool
	interests []string
	concerns  []string
}

var categories = []categoryProfile{
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

var generalAudience = categoryProfile{defaultCategory, nil, []string{"clear facts", "fair prices"}, []string{"empty promises", "hidden costs"}}

// categoryOf returns the first category with a keyword in the text, or generalAudience.
func categoryOf(words string) categoryProfile {
	spoken := wordSet(words)
	for _, category := range categories {
		for word := range spoken {
			if category.keywords[word] {
				return category
			}
		}
	}
	return generalAudience
}
