package content

import (
	"testing"

	"rostrum/model"
)

// TestPageHTML checks that a page does not repeat its title at the beginning of its text.
func TestPageHTML(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ name, kind, content, want string }{
		{"a heading", "markdown", "# Spring *letter*\n\nWe open.", "<p>We open.</p>\n"},
		{"a paragraph", "markdown", "Spring letter\n\nWe open.", "<p>We open.</p>\n"},
		{"another heading", "markdown", "# Summer letter\n\nWe open.", "<h1>Summer letter</h1>\n<p>We open.</p>\n"},
		{"later", "markdown", "We open.\n\n# Spring letter", "<p>We open.</p>\n<h1>Spring letter</h1>\n"},
		{"plain text", "text", "Spring letter\n\nWe <open>.", "<p>We &lt;open&gt;.</p>\n"},
		{"the first line", "text", "Spring letter\nWe open.\nIn May.", "<p>We open.<br>In May.</p>\n"},
		{"nothing else", "text", "Spring letter", ""},
		{"a longer paragraph", "text", "Spring letters are read.", "<p>Spring letters are read.</p>\n"},
		{"HTML", "html", "<div>\n<h2 class=\"x\">Spring <b>letter</b></h2><p>We open.</p></div>",
			"<div>\n<p>We open.</p></div>"},
		{"HTML without blocks", "text/html", "Spring letter", "Spring letter"},
		{"HTML that is not closed", "html", "<h1>Spring letter", "<h1>Spring letter"},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			got, err := pageHTML(&model.DraftVersion{Title: "Spring  letter", Content: one.content, ContentType: one.kind})
			if err != nil || got != one.want {
				t.Errorf("%q, %v; want %q", got, err, one.want)
			}
		})
	}
}
