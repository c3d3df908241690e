package speaker_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
)

// TestRead_statements checks the texts in testdata: articles, minutes, interviews, letters,
// releases and calls in four languages.
func TestRead_statements(t *testing.T) {
	data, err := os.ReadFile("testdata/statements.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(data)); decoder.More(); {
		var of struct {
			ID, Author, Text string
			Statements       []struct{ Quote, Speaker string }
		}
		if err := decoder.Decode(&of); err != nil {
			t.Fatal(err)
		}
		reading := speaker.Read(speaker.Source{Author: of.Author, Text: of.Text})
		for _, want := range of.Statements {
			span, ok := text.Locate(of.Text, want.Quote)
			if !ok {
				t.Fatalf("%s: %q is not in the text", of.ID, want.Quote)
			}
			found, _ := reading.Find(span.Start, span.End)
			if found.Speaker != want.Speaker && !speaker.SameName(found.Speaker, want.Speaker) {
				t.Errorf("%s: %q is said by %q, want %q", of.ID, want.Quote, found.Speaker, want.Speaker)
			}
		}
	}
}
