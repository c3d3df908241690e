package message_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"rostrum/domain/webhook/message"
	"rostrum/model"
	"rostrum/model/eventviewer"
	"rostrum/test/kit/golden"
)

// textObject is a text object of Block Kit.
type textObject struct {
	Type, Text string
	Emoji      *bool
}

// chatMessage is a message as Slack parses it.
type chatMessage struct {
	Text        string
	Markdown    *bool  `json:"mrkdwn"`
	Parse       string `json:"parse"`
	UnfurlLinks *bool  `json:"unfurl_links"`
	UnfurlMedia *bool  `json:"unfurl_media"`
	Blocks      []struct {
		Type     string
		Text     *textObject
		Fields   []textObject
		Elements []textObject
	}
}

func utf16Length(s string) int { return len(utf16.Encode([]rune(s))) }

// plainText matches a text without Slack formatting: < and > are escaped, and & only starts an
// escape.
var plainText = regexp.MustCompile(`^([^&<>]|&amp;|&lt;|&gt;)*$`)

// checkChat checks a message against the documented limits of Block Kit, and that it contains no
// formatting.
func checkChat(t *testing.T, body []byte) chatMessage {
	t.Helper()
	var m chatMessage
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if m.Markdown == nil || *m.Markdown || m.Parse != "none" || m.UnfurlLinks == nil || *m.UnfurlLinks ||
		m.UnfurlMedia == nil || *m.UnfurlMedia {
		t.Errorf("the fallback may be formatted: %s", body)
	}
	if len(m.Blocks) == 0 || len(m.Blocks) > 50 {
		t.Errorf("%d blocks", len(m.Blocks))
	}
	if n := utf16Length(m.Text); n == 0 || n > 4000 || !plainText.MatchString(m.Text) {
		t.Errorf("the fallback of %d characters: %q", n, m.Text)
	}
	check := func(o textObject, limit int) {
		if n := utf16Length(o.Text); n == 0 || n > limit {
			t.Errorf("a text of %d characters, at most %d: %q", n, limit, o.Text)
		}
		if o.Type != "plain_text" || o.Emoji == nil || *o.Emoji || !plainText.MatchString(o.Text) ||
			!utf8.ValidString(o.Text) {
			t.Errorf("a text that may be formatted: %+v", o)
		}
	}
	for _, b := range m.Blocks {
		limit, ok := map[string]int{"header": 150, "section": 3000, "context": 0}[b.Type]
		if !ok || len(b.Fields) > 10 || len(b.Elements) > 10 || (b.Type == "context") == (len(b.Elements) == 0) {
			t.Errorf("the block %+v", b)
		}
		if b.Text != nil {
			check(*b.Text, limit)
		}
		for _, o := range append(b.Fields, b.Elements...) {
			check(o, 2000)
		}
	}
	return m
}

func chatOf(t *testing.T, e *model.Event) []byte {
	t.Helper()
	body, err := message.Chat(e)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestChat(t *testing.T) {
	for _, name := range model.EventTypes {
		t.Run(string(name), func(t *testing.T) {
			body := chatOf(t, unmarkedSample(name))
			checkChat(t, body)
			var indented bytes.Buffer
			if err := json.Indent(&indented, body, "", "  "); err != nil {
				t.Fatal(err)
			}
			golden.Check(t, "testdata/chat/"+string(name)+".json", append(indented.Bytes(), '\n'))
		})
	}
	t.Run("user input is never formatted", func(t *testing.T) {
		e := unmarkedSample(model.EventFormSubmitted)
		e.Link.Title = "<!channel> & <https://evil.example|click>\n*bold*"
		e.Viewer = json.RawMessage(`{"name":"<@U1>\nEmail: forged\u202e\u0007","email":"a&amp;b@x"}`)
		m := checkChat(t, chatOf(t, e))
		if got, want := m.Blocks[1].Text.Text, "&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt; *bold*"; got != want {
			t.Errorf("the title is %q", got)
		}
		if got, want := m.Blocks[1].Fields[0].Text, "Name\n&lt;@U1&gt; Email: forged"; got != want {
			t.Errorf("the name is %q", got)
		}
		if got, want := m.Blocks[1].Fields[1].Text, "Email\na&amp;amp;b@x"; got != want {
			t.Errorf("the address is %q", got)
		}
	})
	t.Run("long texts are cut between characters", func(t *testing.T) {
		e := unmarkedSample(model.EventConversion)
		e.Link.Title = strings.Repeat("&", 5000)
		e.Viewer = json.RawMessage(`{"type":"custom","value":"` + strings.Repeat("😀", 3000) + `"}`)
		m := checkChat(t, chatOf(t, e))
		if got := m.Blocks[1].Text.Text; got != strings.Repeat("&amp;", 59)+"…" {
			t.Errorf("the title is %q", got)
		}
		if got := m.Blocks[1].Fields[1].Text; got != "Value\n"+strings.Repeat("😀", 249)+"…" {
			t.Errorf("the value is %q", got)
		}
	})
	t.Run("unknown values are labeled", func(t *testing.T) {
		for _, name := range model.EventTypes {
			m := checkChat(t, chatOf(t, &model.Event{Event: string(name)}))
			isUntitled := m.Blocks[1].Text.Text == "untitled link"
			if len(m.Blocks) != 2 || isUntitled != slices.Contains(model.LinkEventTypes, name) {
				t.Errorf("%s: %+v", name, m)
			}
		}
	})
	t.Run("a test event is marked", func(t *testing.T) {
		if m := checkChat(t, chatOf(t, message.Sample(
			model.EventConversion))); m.Blocks[0].Text.Text != "Test: Conversion" {
			t.Errorf("%+v", m)
		}
	})
	t.Run("an undocumented event has no message", func(t *testing.T) {
		if body, err := message.Chat(&model.Event{Event: "link.closed"}); err == nil {
			t.Errorf("%s", body)
		}
	})
}

func FuzzChat(f *testing.F) {
	f.Add("title", "a", "b", "c")
	f.Add("<!here>", "&", "\u202e\n", strings.Repeat("<", 700))
	f.Add(strings.Repeat("😀&", 200), " ", "\x00", "\xff")
	f.Fuzz(func(t *testing.T, title, a, b, c string) {
		viewers := map[string]any{
			model.EventLinkOpened:    eventviewer.Opened{Country: a, City: b, Device: c, Browser: a, OS: b},
			model.EventConversion:    eventviewer.Conversion{Type: a, Value: b, VariantID: c},
			model.EventFormSubmitted: eventviewer.Form{Name: a, Email: b, Data: map[string]any{c: a}},
		}
		for name, viewer := range viewers {
			raw, err := json.Marshal(viewer)
			if err != nil {
				t.Fatal(err)
			}
			e := &model.Event{Event: name, Viewer: raw, Link: &model.LinkSummary{Title: title, ShortURL: c}}
			m := checkChat(t, chatOf(t, e))
			if n := strings.Count(m.Text, "\n"); n != len(m.Blocks[1].Fields) {
				t.Errorf("%d lines for %d rows: %q", n+1, len(m.Blocks[1].Fields), m.Text)
			}
		}
	})
}

func TestIsChat(t *testing.T) {
	more := []string{"https://chat.example.com/hooks/", " https://mm.example.com:8443 ", "not an address", ""}
	for address, want := range map[string]bool{
		"https://hooks.slack.com/services/T0/B0/x":                   true,
		"HTTPS://Hooks.Slack.com/services/T0/B0/x":                   true,
		"https://hooks.slack.com/services/":                          false,
		"https://hooks.slack.com/services":                           false,
		"https://hooks.slack.com/workflows/T0/x":                     false,
		"https://hooks.slack.com/servicesX/T0":                       false,
		"https://hooks.slack.com.example.com/services/T0":            false,
		"https://example.com/hooks.slack.com/services/T0":            false,
		"https://u:p@hooks.slack.com/services/T0":                    false,
		"http://hooks.slack.com/services/T0/B0/x":                    false,
		"https://chat.example.com/hooks/abc":                         true,
		"https://chat.example.com/hook":                              false,
		"https://chat.example.com.evil.example/hooks/abc":            false,
		"https://mm.example.com:8443/abc":                            true,
		"https://mm.example.com/abc":                                 false,
		"https://hooks.slack.com:443/services/T0":                    false,
		"https://example.com/?u=https://hooks.slack.com/services/T0": false,
		"::": false,
		"":   false,
	} {
		if got := message.IsChat(address, more); got != want {
			t.Errorf("%q: %v, want %v", address, got, want)
		}
	}
}
