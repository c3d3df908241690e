package message

import (
	"net/url"
	"strings"

	"rostrum/model"
	"rostrum/model/eventviewer"
)

// slackBase is the base URL of Slack's incoming webhooks; a setting adds others that accept Block
// Kit.
const slackBase = "https://hooks.slack.com/services"

// IsChat reports whether a URL is an incoming webhook of a team chat: below
// hooks.slack.com/services, or below one of the URLs in more.
func IsChat(address string, more []string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	for _, base := range append([]string{slackBase}, more...) {
		if b, err := url.Parse(strings.TrimSpace(base)); err == nil && b.Host != "" && isBelow(u, b) {
			return true
		}
	}
	return false
}

// isBelow reports whether u has the scheme and host of base, and its path starts with that of base.
func isBelow(u, base *url.URL) bool {
	rest, ok := strings.CutPrefix(u.EscapedPath(), strings.TrimRight(base.EscapedPath(), "/")+"/")
	return ok && rest != "" && strings.EqualFold(u.Scheme, base.Scheme) && strings.EqualFold(u.Host, base.Host)
}

// Chat returns an event as a Block Kit message. Texts of viewers and owners are plain text on one
// line, truncated to Slack's limits, so that nothing in them becomes a link, a mention or
// formatting. It returns an error for an event that is not documented.
func Chat(e *model.Event) ([]byte, error) {
	_, content, err := decodeEvent(e)
	if err != nil {
		return nil, err
	}
	if isTest(e) {
		content.headline = "Test: " + content.headline
	}
	return encodeJSON(newMessage(content))
}

// linkContent is what a message says of an event of a link.
func linkContent(e *model.Event, fields []chatField) chatContent {
	link := linkOf(e)
	return chatContent{title: firstNonEmpty(link.Title, link.Slug, "untitled link"), fields: fields,
		footer: link.ShortURL}
}

// chatContent is the content of a message before it is escaped and truncated.
type chatContent struct {
	headline, title, footer string
	fields                  []chatField
}

// chatField is a label with its value.
type chatField struct{ label, value string }

func openedFields(v *eventviewer.Opened) []chatField {
	return []chatField{
		{"Location", firstNonEmpty(joinNonEmpty(", ", v.City, v.Country), "unknown")},
		{"Device", firstNonEmpty(v.Device, "unknown")},
		{"Browser", firstNonEmpty(joinNonEmpty(" on ", v.Browser, v.OS), "unknown")},
	}
}

func conversionFields(v *eventviewer.Conversion) []chatField {
	return []chatField{{"Type", v.Type}, {"Value", firstNonEmpty(v.Value, "none")},
		{"Variant", firstNonEmpty(v.VariantID, "none")}}
}

func formFields(v *eventviewer.Form) []chatField {
	return []chatField{{"Name", firstNonEmpty(v.Name, "not given")}, {"Email", firstNonEmpty(v.Email, "not given")}}
}

// firstNonEmpty returns the first text with a visible character, or an empty string.
func firstNonEmpty(texts ...string) string {
	for _, text := range texts {
		if oneLine(text) != "" {
			return text
		}
	}
	return ""
}

// joinNonEmpty joins the texts that are not empty.
func joinNonEmpty(glue string, texts ...string) string {
	var given []string
	for _, text := range texts {
		if text = oneLine(text); text != "" {
			given = append(given, text)
		}
	}
	return strings.Join(given, glue)
}
