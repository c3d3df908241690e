package policy

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

func TestPresentError_truncates_messages(t *testing.T) {
	t.Parallel()
	p := New(Config{})
	long := &gqlerror.Error{Message: "Unexpected Name " + strings.Repeat("a", 1<<20),
		Extensions: map[string]any{"code": "GRAPHQL_PARSE_FAILED"}}
	if got := p.PresentError(t.Context(), long).Message; len(got) > 400 ||
		!strings.HasPrefix(got, "Unexpected Name a") {
		t.Errorf("%d bytes: %.40s", len(got), got)
	}
}
