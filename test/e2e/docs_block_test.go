package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// docBlock is a code block of a page. A comment before it, such as "<!-- norun: downloads a model -->",
// is not shown to readers; it says how the block is tested.
type docBlock struct {
	place, language, text string
	directive, argument   string
}

// directives are the comments before code blocks: why a block is not run, that it is refused, the
// variables of an operation, and the operation whose response a JSON block shows.
var directives = []string{"norun", "refused", "variables", "response"}

var blockComment = regexp.MustCompile(`^<!-- (\w+): (.+) -->\n$`)

// docPages returns the files whose code blocks are tested. TestQuickStarts runs those of clients.md.
func docPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	pages = slices.DeleteFunc(pages, func(path string) bool { return filepath.Base(path) == "clients.md" })
	return append(pages, "../../README.md", "../../SECURITY.md")
}

// readBlocks returns the fenced code blocks of a page.
func readBlocks(t *testing.T, path string) (blocks []docBlock) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := goldmark.New().Parser().Parse(text.NewReader(source))
	err = ast.Walk(page, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if fence, isFence := node.(*ast.FencedCodeBlock); isFence && entering {
			blocks = append(blocks, newBlock(t, path, source, fence))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if fences := bytes.Count(source, []byte("```")); fences != 2*len(blocks) {
		t.Errorf("%s has %d fences and %d blocks", path, fences, len(blocks))
	}
	return blocks
}

func newBlock(t *testing.T, path string, source []byte, fence *ast.FencedCodeBlock) docBlock {
	t.Helper()
	lines := fence.Lines()
	block := docBlock{language: string(fence.Language(source)), text: string(lines.Value(source))}
	block.place = fmt.Sprintf("%s:%d", filepath.Base(path), 1+bytes.Count(source[:lines.At(0).Start], []byte("\n")))
	if comment, isHTML := fence.PreviousSibling().(*ast.HTMLBlock); isHTML {
		found := blockComment.FindSubmatch(comment.Lines().Value(source))
		if found == nil {
			return block
		}
		block.directive, block.argument = string(found[1]), string(found[2])
		if !strings.Contains(strings.Join(directives, " "), block.directive) {
			t.Errorf("%s: the comment %q is unknown", block.place, block.directive)
		}
	}
	return block
}

// docServers are the addresses that the pages name, and the servers of the test in their place.
func docServers(gateway, site string) *strings.Replacer {
	return strings.NewReplacer("https://rostrum.example.com", gateway, "http://127.0.0.1:8080", gateway,
		"https://example.com", site)
}

// docCurl is the curl of the blocks: a response that is an error fails unless $REFUSED is set. A stream
// (-N) ends after its first event.
const docCurl = `#!/usr/bin/env bash
arguments=(--silent --show-error --fail-with-body --max-time 120 "$@")
case " $* " in
*" -N "*)
  exec 3< <(exec %[1]s "${arguments[@]}")
  stream=$!
  while IFS= read -r line <&3; do
    printf '%%s\n' "$line"
    if [[ $line == data:* ]]; then kill "$stream"; exit 0; fi
  done
  echo "the stream has no event: $*" >&2
  exit 1 ;;
esac
%[1]s "${arguments[@]}"
status=$?
if [ -n "${REFUSED:-}" ]; then [ $status = 22 ]; exit; fi
exit $status
`

// docProgram is the rostrum of the blocks: "tail", which has no end, ends after its first line.
const docProgram = `#!/usr/bin/env bash
if [ "$1" != tail ]; then exec %[1]s "$@"; fi
exec 3< <(exec %[1]s "$@")
stream=$!
IFS= read -r line <&3
printf '%%s\n' "$line"
kill "$stream"
`

// docShell is the beginning of the script of a page's blocks: a failed command names its block.
const docShell = `set -euo pipefail
trap 'echo "the block at $PLACE failed" >&2' ERR
set -E
`

// shellScript returns the script that runs a page's shell blocks, one after the other, so that one
// may use what those before it have set.
func shellScript(blocks []docBlock) string {
	script := docShell
	for _, block := range blocks {
		refused := ""
		if block.directive == "refused" {
			refused = "1"
		}
		script += fmt.Sprintf("PLACE=%s\nexport REFUSED=%s\n%s\n", block.place, refused, block.text)
	}
	return script
}

var exampleVariables = regexp.MustCompile(`(?m)^# variables: (.+)\n`)

// readExamples returns the operations of the playground, as its page reads them.
func readExamples(t *testing.T) (blocks []docBlock) {
	t.Helper()
	areas, err := filepath.Glob("../../asset/playground/examples/*.graphql")
	if err != nil || len(areas) < 7 {
		t.Fatal(areas, err)
	}
	for _, path := range areas {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, operation := range strings.Split(string(content), "\n\n# ")[1:] {
			block := docBlock{place: filepath.Base(path), language: "graphql", text: "# " + operation}
			if found := exampleVariables.FindStringSubmatch(block.text); found != nil {
				block.directive, block.argument = "variables", found[1]
			}
			blocks = append(blocks, block)
		}
	}
	return blocks
}
