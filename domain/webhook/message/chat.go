package message

import (
	"net/url"
	"strings"

	"rostrum/model"
)

// slack is where a team chat takes messages; a setting adds others that speak Block Kit.
const slack = "https://hooks.slack.com/services"

// IsChat reports whether an address is an incoming webhook of a team chat: below hooks.slack.com/services, or below one of more.
func IsChat(address string, more []string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	for _, base := range append([]string{slack}, more...) {
		if b, err := url.Parse(strings.TrimSpace(base)); err == nil && b.Host != "" && below(u, b) {
			return true
		}
	}
	return false
}

// below reports whether the path of one address goes on from that of the other.
func below(u, base *url.URL) bool {
	rest, ok := strings.CutPrefix(u.EscapedPath(), strings.TrimRight(base.EscapedPath(), "/")+"/")
	return ok && rest != "" && strings.EqualFold(u.Scheme, base.Scheme) && strings.EqualFold(u.Host, base.Host)
}

// Chat writes an event as a Block Kit message for people. What viewers and owners have typed stands in plain text only, where nothing is
// a link, a mention or formatting, on one line and cut to what Slack takes. It fails for an event that is not documented.
func Chat(e *model.Event) ([]byte, error) {
	viewer, err := viewerOf(e)
	if err != nil {
		return nil, err
	}
	link := linkOf(e)
	m := newMessage(said{what: headline(e), title: first(link.Title, link.Slug, "untitled link"), rows: rowsOf(viewer), foot: link.ShortURL})
	return encode(m)
}

// said is what a message says, before it is cut and escaped.
type said struct {
	what, title, foot string
	rows              []row
}

// row is a label and what there is to say under it.
type row struct{ label, value string }

func headline(e *model.Event) string {
	text := map[string]string{
		model.EventLinkOpened: "Link opened", model.EventConversion: "Conversion", model.EventFormSubmitted: "Form submitted",
	}[e.Event]
	if isTest(e) {
		return "Test: " + text
	}
	return text
}

func rowsOf(viewer any) []row {
	switch v := viewer.(type) {
	case *model.OpenedViewer:
		return []row{
			{"Location", first(join(", ", v.City, v.Country), "unknown")},
			{"Device", first(v.Device, "unknown")},
			{"Browser", first(join(" on ", v.Browser, v.OS), "unknown")},
		}
	case *model.ConversionViewer:
		return []row{{"Type", v.Type}, {"Value", first(v.Value, "none")}, {"Variant", first(v.VariantID, "none")}}
	case *model.FormViewer:
		return []row{{"Name", first(v.Name, "not given")}, {"Email", first(v.Email, "not given")}}
	}
	return nil
}

// first is the first text of which something is seen.
func first(texts ...string) string {
	for _, text := range texts {
		if oneLine(text) != "" {
			return text
		}
	}
	return ""
}

// join puts the glue between the texts that are not empty.
func join(glue string, texts ...string) string {
	var given []string
	for _, text := range texts {
		if text = oneLine(text); text != "" {
			given = append(given, text)
		}
	}
	return strings.Join(given, glue)
}
