package llmtest_test

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rostrum/test/kit/llmtest"
)

const script = `
-- model/tag.apply/first --
@when Acme Corp
@times 1
@status 429 0
-- model/tag.apply --
@refuses json_schema
@refuses json_object
{"value": "x"}

-- model/content.generate --
@truncated
One two
-- model/x --
@slow
-- model/y --
@cut
@declined
-- model/embedding --
@malformed null
-- site/page.html --
not for the model
`

// TestScript tests how a scenario scripts its model.
func TestScript(t *testing.T) {
	t.Run("lines_and_text", func(t *testing.T) {
		got, err := llmtest.ParseScript(txtar.Parse([]byte(script)).Files)
		want := []llmtest.Answer{
			{Task: "tag.apply", When: "Acme Corp", Times: 1, Status: 429, RetryAfter: "0"},
			{Task: "tag.apply", Refuses: []string{"json_schema", "json_object"}, Text: `{"value": "x"}`},
			{Task: "content.generate", Truncated: true, Text: "One two"},
			{Task: "x", Slow: true},
			{Task: "y", Cut: true, Declined: true},
			{Task: "embedding", Malformed: "null"},
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("an_unknown_directive_is_named", func(t *testing.T) {
		for _, line := range []string{"@often", "@times many", "@status bad"} {
			_, err := llmtest.ParseScript([]txtar.File{{Name: "model/x", Data: []byte(line + "\n")}})
			if err == nil || !strings.Contains(err.Error(), "model/x") {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
}
