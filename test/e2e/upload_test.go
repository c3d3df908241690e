package e2e

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkUploads sends files to the route that returns their text.
func (g *gateway) checkUploads(t *testing.T) {
	pdf := newPDF(t, 3)
	got := g.upload(t, "report.pdf", pdf.body)
	var read struct{ Content, Filename string }
	decode(t, got.body, &read)
	if got.status != http.StatusOK || read.Filename != "report.pdf" || !strings.Contains(read.Content, pdf.wantText) {
		t.Errorf("a PDF returns %d: %s", got.status, got.body)
	}
	g.checkExtraction(t)
	for name, r := range map[string]struct {
		body   []byte
		status int
		code   string
	}{
		"unreadable.bin": {[]byte("\x00\x01\x02\x03\xfe\xff\x00\x10"), http.StatusUnsupportedMediaType,
			"unsupported_media_type"},
		"large.txt": {bytes.Repeat([]byte("large "), 9<<20), http.StatusRequestEntityTooLarge, "too_large"},
	} {
		got := g.upload(t, name, r.body)
		var read problemDocument
		decode(t, got.body, &read)
		if got.status != r.status || read.Code != r.code {
			t.Errorf("%s returns %d, want %d %s: %s", name, got.status, r.status, r.code, got.body)
		}
	}
}

// checkExtraction checks that a child process reads the files that are uploaded. It is kept for a
// while after a file.
func (g *gateway) checkExtraction(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid())); err != nil {
		return // this system does not list the children of a process
	}
	awaitSuccess(t, startTimeout, "a child process reads files", func() error {
		g.upload(t, "note.txt", []byte("Just a line of text."))
		commands := childCommands(g.command.Process.Pid)
		if !slices.ContainsFunc(commands, func(arguments []string) bool {
			return slices.Equal(arguments[1:], []string{"extract"})
		}) {
			return fmt.Errorf("the children are %q", commands)
		}
		return nil
	})
}

// childCommands returns the arguments of the child processes of a process, each with the program
// first.
func childCommands(pid int) (commands [][]string) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread may have ended
		for child := range strings.FieldsSeq(string(text)) {
			if line, err := os.ReadFile("/proc/" + child + "/cmdline"); err == nil && len(line) > 0 {
				commands = append(commands, strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00"))
			}
		}
	}
	return commands
}

// upload sends a file as a browser's form does.
func (g *gateway) upload(t *testing.T, name string, body []byte) answer {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write(body)
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Type": {writer.FormDataContentType()}}
	return g.do(t, http.MethodPost, "/api/v1/documents/extract-text", header, form.Bytes())
}
