package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// typeSettings checks the TypeScript of a page as strictly as the console's. graphql-sse and urql's
// exchange are of the clients of this package.
const typeSettings = `{
  "compilerOptions": {
    "strict": true, "noEmit": true, "skipLibCheck": true, "jsx": "react-jsx", "target": "es2024", "module": "esnext",
    "moduleResolution": "bundler", "lib": ["es2024", "dom", "dom.iterable"], "types": ["node", "react"],
    "paths": {"graphql-sse": [%q], "@urql/exchange-persisted": [%q]}
  },
  "include": ["**/*.ts", "**/*.tsx"], "exclude": ["node_modules"]
}`

var fileComment = regexp.MustCompile(`^(?://|#) (\S+\.\w+)\n`)

// writeTypeScript writes the blocks of TypeScript as files with the names of their first lines, and
// the packages of the console beside them.
func (p *docPage) writeTypeScript(t *testing.T) {
	t.Helper()
	streams, err := filepath.Abs("node_modules/graphql-sse")
	if err != nil {
		t.Fatal(err)
	}
	packages := filepath.Join(streams, "../../../../console/node_modules")
	if err := os.Symlink(packages, filepath.Join(p.folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, p.folder, "tsconfig.json", fmt.Appendf(nil, typeSettings, streams,
		filepath.Join(streams, "../@urql/exchange-persisted")))
	for _, block := range append(p.blocks["ts"], p.blocks["tsx"]...) {
		name := fileComment.FindStringSubmatch(block.text)
		if name == nil {
			t.Errorf("%s does not begin with the name of its file, such as // src/client.ts", block.place)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(p.folder, name[1])), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, p.folder, name[1], []byte(block.text))
	}
}

// checkTypes checks all TypeScript of a page at once.
func (p *docPage) checkTypes(t *testing.T, _ []docBlock) {
	p.runProgram(t, "node_modules/.bin/tsc", "--project", ".")
}

// buildGo compiles each block as a program of this module, in a folder that does not exist.
func (p *docPage) buildGo(t *testing.T, blocks []docBlock) {
	for i, block := range blocks {
		if !strings.Contains(block.text, "\npackage ") && !strings.HasPrefix(block.text, "package ") {
			t.Errorf("%s has no package clause", block.place)
			continue
		}
		name := fmt.Sprintf("block%d.go", i)
		writeFile(t, p.folder, name, []byte(block.text))
		folder, err := filepath.Abs("client")
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{filepath.Join(folder, strings.TrimSuffix(name, ".go"), name): filepath.Join(p.folder, name)}
		writeFile(t, p.folder, "overlay.json", encode(t, map[string]any{"Replace": files}))
		build := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(p.folder, "overlay.json"),
			"-o", filepath.Join(p.folder, "program"), "./client/"+strings.TrimSuffix(name, ".go"))
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", block.place, err, out)
		}
	}
}

func (p *docPage) compilePython(t *testing.T, blocks []docBlock) {
	for i, block := range blocks {
		name := fmt.Sprintf("block%d.py", i)
		writeFile(t, p.folder, name, []byte(block.text))
		p.runProgram(t, "python3", "-m", "py_compile", name)
	}
}
