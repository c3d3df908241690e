package content

import (
	"strings"
	"testing"
	"unicode/utf8"

	"rostrum/llm/text"
)

// TestFirstLine/… check the default title of a draft.
func TestFirstLine(t *testing.T) {
	for name, c := range map[string]struct{ plain, want string }{
		"heading":            {"\n  ## The plan \nMore.", "The plan"},
		"mark_alone":         {"#  \nThe plan", "The plan"},
		"long_indent":        {strings.Repeat(" ", 2*excerptWindow) + "The plan", "The plan"},
		"letters_of_2_bytes": {"# " + strings.Repeat("é", maxTitle), strings.Repeat("é", maxTitle)},
		"none":               {" \n\t\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := firstLine(c.plain); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestBeginning checks that a text of many megabytes has the title and excerpt of its beginning.
func TestBeginning(t *testing.T) {
	whole := strings.Repeat("wörd ", 1_000_000)
	start := text.FirstRunes(whole, excerptWindow)
	if utf8.RuneCountInString(start) != excerptWindow || !strings.HasPrefix(whole, start) {
		t.Fatalf("the beginning has %d characters", utf8.RuneCountInString(start))
	}
	if title := firstLine(whole); title != firstLine(start) || title == "" {
		t.Errorf("the title is %q", title)
	}
	if excerpt := newExcerpt(whole); excerpt != newExcerpt(start) || excerpt == "" {
		t.Errorf("the excerpt is %q", excerpt)
	}
}

// TestVisibleText_struck_out checks that struck-out text of HTML is left out.
func TestVisibleText_struck_out(t *testing.T) {
	const given = "<p>It costs <del>9 euros</del><s>8 euros</s> <b>7 euros</b>.</p>"
	if got := visibleText(given, "html"); got != "It costs  7 euros." {
		t.Errorf("got %q", got)
	}
}
