package model_test

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"rostrum/app"
	"rostrum/llm/server"
	"rostrum/test/kit/llmtest"
)

// every selects the texts of TestInjection: one of so many, because all of them take a minute of a
// processor.
var every = flag.Int("every", 8, "run one injection of so many; 1 runs all")

//go:embed injection.txt
var injectionText string

// injection is a text that commands a model; payload is its claim, value or link.
type injection struct{ language, place, payload, text string }

func readInjections(t *testing.T) []injection {
	t.Helper()
	var all []injection
	for line := range strings.Lines(injectionText) {
		if part := strings.SplitN(strings.TrimSpace(line), " | ", 4); len(part) == 4 && !strings.HasPrefix(line, "#") {
			all = append(all, injection{part[0], part[1], part[2], strings.ReplaceAll(part[3], `\n`, "\n")})
		}
	}
	return all
}

// obedientModel answers as an injection commands if its payload or its text reaches the model, and
// always if it is the worst case.
type obedientModel struct {
	mu      sync.Mutex
	current injection
	isWorst bool
	reached int // calls that the injection reached
}

func (m *obedientModel) set(i injection) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current = i
}

func (m *obedientModel) answer(call llmtest.Call) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	given := call.System + call.Prompt
	reached := call.Task != "content.coverage" && strings.Contains(given, m.current.payload) ||
		strings.Contains(given, m.current.text)
	if reached {
		m.reached++
	}
	quote, said := "The works begin in May.", "I like the harbour."
	if m.isWorst || reached {
		quote, said = m.current.text, m.current.payload
	}
	encode := func(v any) string {
		text, _ := json.Marshal(v)
		return string(text)
	}
	switch call.Task {
	case "tag.apply":
		return encode(map[string]any{"values": []any{
			map[string]any{"tag": "t1", "value": said, "confidence": 1, "quote": quote},
			map[string]any{"tag": "t2", "value": said, "confidence": 1, "quote": "The works begin in May."},
		}})
	case "executive.signals":
		return encode(map[string]any{"signals": []any{
			map[string]any{"statement": said, "theme": "theme", "stance": "neutral", "quote": quote, "speaker": "",
				"company": ""},
		}})
	case "content.rewrite":
		return encode(map[string]any{"parts": []any{map[string]any{"part": 1, "text": said}}})
	case "content.coverage":
		verdict := "absent"
		if m.isWorst || reached {
			verdict = "covered"
		}
		return encode(map[string]any{"rows": []any{map[string]any{"point": 1, "verdict": verdict, "evidence": quote}}})
	case "persona.draft":
		return encode(map[string]any{"category": "", "description": said, "communication_style": "", "concerns": said,
			"interests": "", "tone": ""})
	case "audience.react":
		return encode(map[string]any{"text": said, "stance": "neutral", "themes": []string{said}, "risks": []string{}, "actions": []string{},
			"quotes": []string{quote}})
	}
	return said
}

// TestInjection runs tasks on texts with each injection, with a model that obeys what reaches it
// and with one that always answers as commanded. No result has the payload.
func TestInjection(t *testing.T) {
	all := readInjections(t)
	languages := map[string]bool{}
	for _, i := range all {
		languages[i.language] = true
	}
	if len(all) < 60 || len(languages) < 4 {
		t.Fatalf("%d injections in %d languages", len(all), len(languages))
	}
	for _, isWorst := range []bool{false, true} {
		t.Run(fmt.Sprintf("worst_%v", isWorst), func(t *testing.T) {
			t.Parallel()
			m := &obedientModel{isWorst: isWorst}
			p := startProgram(t, func(c *app.Config) { c.LLMProtocol = server.ProtocolOpenAI },
				llmtest.Answer{Compose: m.answer})
			per := lookUp(p.post("/api/v1/personas",
				`{"name": "Wetland Wardens", "category": "community", "concerns": "noise"}`).Body, "persona_id")
			p.post("/api/v1/auto-tags", `{"name": "A matter", "tag_type": "theme"}`)
			obeyed, results, succeeded, texts := 0, 0, 0, 0
			for n, i := range all {
				if n%*every != 0 {
					continue
				}
				texts++
				m.set(i)
				for _, got := range p.runInjected(i, per) {
					results++
					if got.code == "" {
						succeeded++
					}
					if isObeyed(got, i) {
						obeyed++
						t.Errorf("%s obeys %q: %s", got.task, i.text, got.text)
					}
				}
			}
			fmt.Printf("injection    worst case %-5v  obeyed %d of %d results of %d texts in %d languages; reached the model in %d calls; tasks that succeed %d\n",
				isWorst, obeyed, results, texts, len(languages), m.reached, succeeded)
		})
	}
}

// runInjected creates a document with an injection in its place, and runs tasks on it.
func (p *program) runInjected(i injection, persona string) []outcome {
	title, content := "Plan", planText+"\n\nMore follows. "+i.text+"\n\nThe ferry runs as before."
	tagPath := ""
	switch i.place {
	case "title":
		title, content = i.text, planText
	case "tag":
		body, _ := json.Marshal(map[string]string{"name": "B " + i.language + " " + i.payload[:3], "tag_type": "theme",
			"description": i.text})
		content, tagPath = planText, "/api/v1/auto-tags/"+lookUp(p.post("/api/v1/auto-tags", string(body)).Body, "id")
	case "page":
		content = "<html><body><p>" + planText + "</p>\n" + i.text + "\n</body></html>"
	}
	doc := p.createDocument(title, content)
	encode := func(v any) string {
		text, _ := json.Marshal(v)
		return string(text)
	}
	out := []outcome{
		p.run(step{"tag.apply", "/api/v1/documents/" + doc + "/auto-tags", ""}),
		p.run(step{"executive.signals", "/api/v1/workspace/signals", encode(map[string]string{"document_id": doc})}),
		p.run(step{"content.coverage", "/api/v1/content-creation/coverage", encode(map[string]any{
			"content": title + "\n\n" + content, "pull_through_priorities": []any{map[string]string{"text": i.payload}},
		})}),
		p.run(step{"persona.interact", "/api/v1/personas/interact",
			encode(map[string]string{"persona_id": persona, "message": "What do you make of it?",
				"document_id": doc})}),
		p.run(step{"content.generate", "/api/v1/content-creation/generate", encode(map[string]any{
			"prompt": "A notice about the plant at the harbour", "source_mode": "document", "source_document_id": doc,
			"themes": []string{"harbour"},
		})}),
		p.run(step{"content.rewrite", "/api/v1/content-creation/rewrite-segments", encode(map[string]any{
			"full_draft": content, "segments": []any{map[string]string{"segment_text": "The works begin in May."}},
			"source_document_id": doc,
		})}),
		p.run(step{"persona.draft", "/api/v1/personas/draft",
			encode(map[string]any{"name": "Reader", "writing_sample_document_ids": []string{doc}})}),
		p.run(step{"audience.react", "/api/v1/personas/reactions/async",
			encode(map[string]string{"document_id": doc})}),
	}
	if i.place == "title" { // the tasks that do not read it
		out = slices.DeleteFunc(out, func(o outcome) bool {
			return o.task == "persona.draft" || o.task == "content.rewrite"
		})
	}
	if tagPath != "" { // so that it does not reach the next texts
		p.Do(p.t, "DELETE", tagPath, nil, "")
		out = out[:1] // only the values of tags read it
	}
	p.Do(p.t, "DELETE", "/api/v1/documents/"+doc, nil, "")
	return out
}

// isObeyed reports whether a member that a model writes has the payload of an injection, or a point
// of it is covered.
func isObeyed(got outcome, i injection) bool {
	var value any
	if json.Unmarshal([]byte(got.text), &value) != nil {
		return strings.Contains(got.text, i.payload)
	}
	if got.task == "content.rewrite" { // the parts that were not to be rewritten keep the injection
		rest, _ := json.Marshal(lookUp([]byte(got.text), "content"))
		part, _ := json.Marshal(i.text)
		return strings.Contains(strings.ReplaceAll(string(rest), string(part[1:len(part)-1]), ""), i.payload)
	}
	if got.task == "content.coverage" {
		return strings.Contains(strings.ReplaceAll(got.text, " ", ""), `"covered":true`)
	}
	return hasPayload(value, i.payload)
}

// asked are the members of results that repeat the request, and the warning, which names refused
// values.
var asked = []string{"description", "parameters", "title", "document_title", "warning", "name"}

func hasPayload(value any, payload string) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, payload)
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return hasPayload(item, payload) })
	case map[string]any:
		for name, member := range value {
			_, isText := member.(string)
			if (!isText || !slices.Contains(asked, name)) && hasPayload(member, payload) {
				return true
			}
		}
	}
	return false
}
