package app

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"rostrum/llm/offline"
	"rostrum/test/kit/golden"
)

// TestSettings compares the table of docs/settings.md with the Config struct.
func TestSettings(t *testing.T) {
	const page, start, end = "../docs/settings.md", "<!-- settings -->\n", "<!-- /settings -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), start)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatal("the page has no table of settings")
	}
	golden.Check(t, page, []byte(before+start+settingsTable()+end+after))
}

func settingsTable() string {
	var b strings.Builder
	b.WriteString("| Setting | Default | Meaning |\n|---|---|---|\n")
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		value := "none"
		if d := field.Tag.Get("envDefault"); d != "" {
			value = "`" + d + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", field.Tag.Get("env"), value, field.Tag.Get("help"))
	}
	return b.String()
}

// TestConfig/… check combinations of settings that are invalid.
func TestConfig(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		fails  bool
	}{
		"nothing_is_set":            {Config{}, false},
		"model_server":              {Config{LLMBaseURL: "http://models/v1", LLMModel: "m"}, false},
		"model_server_and_no_model": {Config{LLMBaseURL: "http://models/v1"}, true},
		"an_unknown_protocol":       {Config{LLMBaseURL: "http://models/v1", LLMModel: "m", LLMProtocol: "soap"}, true},
		"a_fallback": {Config{LLMBaseURL: "http://models/v1", LLMModel: "m",
			LLMFallbacks: modelServers{{Protocol: "anthropic", BaseURL: "http://other", Model: "n", Timeout: "20s"}}},
			false},
		"a_fallback_without_model": {Config{LLMBaseURL: "http://models/v1", LLMModel: "m",
			LLMFallbacks: modelServers{{BaseURL: "http://other"}}}, true},
		"a_fallback_of_no_server": {Config{LLMFallbacks: modelServers{{BaseURL: "http://other", Model: "n"}}}, true},
		"a_timeout_without_unit": {Config{LLMBaseURL: "http://models/v1", LLMModel: "m",
			LLMFallbacks: modelServers{{BaseURL: "http://other", Model: "n", Timeout: "20"}}}, true},
		"an_embedding_model":      {Config{LLMBaseURL: "http://models/v1", LLMModel: "m", LLMEmbedding: "e"}, false},
		"embeddings_of_no_server": {Config{LLMEmbedding: "e"}, true},
		"embeddings_of_anthropic": {Config{LLMBaseURL: "http://models/v1", LLMModel: "m", LLMProtocol: "anthropic",
			LLMEmbedding: "e"}, true},
		"half_an_issuer":          {Config{OIDCIssuer: "https://issuer"}, true},
		"no_time":                 {Config{QueryTime: -1}, true},
		"a_retention_of_a_day":    {Config{LinkRetention: 24 * time.Hour}, true},
		"a_retention_of_two_days": {Config{LinkRetention: 48 * time.Hour}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.config.validate(); (err != nil) != c.fails {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("fallbacks_are_JSON", func(t *testing.T) {
		var servers modelServers
		if err := servers.UnmarshalText([]byte(`[{"base_url": "http://other", "model": "n", "prompt_price": 0.15}]`)); err != nil || *servers[0].PromptPrice != 0.15 {
			t.Errorf("%+v, %v", servers, err)
		}
		if err := servers.UnmarshalText([]byte(`[{"baseurl": "http://other"}]`)); err == nil {
			t.Error("an unknown member is accepted")
		}
	})
	t.Run("engine_by_the_settings", func(t *testing.T) {
		if got := (Config{}).newEngine(nil).Model(); got != offline.Model {
			t.Errorf("without settings the engine is %s", got)
		}
		if got := (Config{LLMBaseURL: "http://models/v1", LLMModel: "m"}).newEngine(nil).Model(); got != "m" {
			t.Errorf("with a server the engine is %s", got)
		}
	})
	t.Run("embedder_by_the_settings", func(t *testing.T) {
		if got := (Config{LLMBaseURL: "http://models/v1", LLMModel: "m"}).newEmbedder(nil); got != nil {
			t.Errorf("without settings the embedder is %s", got.EmbeddingModel())
		}
		if got := (Config{LLMBaseURL: "http://models/v1", LLMModel: "m", LLMEmbedding: "e"}).newEmbedder(nil).
			EmbeddingModel(); got != "e" {
			t.Errorf("with a model the embedder is %s", got)
		}
	})
}
