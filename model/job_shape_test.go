package model

import "testing"

func TestJobResult_unknown(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no JSON":         "done",
		"another shape":   `"done"`,
		"null":            "null",
		"missing member":  `{"document_id": "doc_1", "title": "T"}`,
		"wrong type":      `{"document_id": 1, "title": "T", "content_type": "text", "word_count": 1, "character_count": 1}`,
		"text after JSON": `{"document_id": "doc_1", "title": "T", "content_type": "text", "word_count": 1, "character_count": 1} x`,
	} {
		job := &Job{JobTypeText: "ingest", ResultText: &text}
		if got, ok := job.Result().(*UnknownJobResult); !ok || got.Text != text {
			t.Errorf("%s: the result is %#v", name, job.Result())
		}
	}
	complete := `{"document_id": "doc_1", "title": "T", "content_type": "text", "word_count": 1, "character_count": 1}`
	other := &Job{JobTypeText: "dig", ResultText: &complete}
	if _, ok := other.Result().(*UnknownJobResult); !ok || other.JobType() != JobTypeOther {
		t.Errorf("a job of an unknown type has the type %s and the result %#v", other.JobType(), other.Result())
	}
	if got, ok := (&Job{JobTypeText: "ingest", ResultText: &complete}).Result().(*IngestResult); !ok ||
		got.WordCount != 1 {
		t.Errorf("a complete result is decoded as %#v", got)
	}
	if got := (&Job{JobTypeText: "ingest"}).Result(); got != nil {
		t.Errorf("a job without a result has %#v", got)
	}
}

func TestJobParameters_unknown(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"later", "[]", `{"source_url": "https://example.com"}`} {
		if got, ok := (&Job{JobTypeText: "ingest", ParametersText: &text}).Parameters().(*UnknownJobParameters); !ok ||
			got.Text != text {
			t.Errorf("%s is decoded as %#v", text, got)
		}
	}
}

func TestJobResult_nullElement(t *testing.T) {
	t.Parallel()
	text := `{"persona_id": "per_1", "generated_fields": [], "grounded_statements": [null], "dropped_statements": 0, "used_model": "m"}`
	if got, ok := (&Job{JobTypeText: "persona_build", ResultText: &text}).Result().(*UnknownJobResult); !ok ||
		got.Text != text {
		t.Errorf("a list with a null is decoded as %#v", got)
	}
}
