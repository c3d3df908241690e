package llm

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"text/template"
)

var (
	//go:embed form.tmpl
	formWords string
	//go:embed fence.tmpl
	fenceWords string

	formTemplate = template.Must(template.New("form").Parse(formWords))
)

// Prompt is the template of a task. The file defines "prompt" and, if the model needs a role, "system":
//
//	{{define "system"}}You tag documents.{{end}}
//	{{define "prompt"}}Which of {{.Tags}} fit?
//	{{fence "document" .Content}}{{end}}
//
// Texts of users and pages are enclosed by fence, which puts them between markers that the text itself cannot contain and instructs the
// model to treat them as data.
type Prompt struct {
	name     string
	version  string // changes with the file
	template *template.Template
	fenced   bool
}

var usesFence = regexp.MustCompile(`\{\{[^}]*\bfence\b`)

// MustPrompt parses an embedded template. It panics on an error or if the template defines no "prompt", so it is for package variables.
func MustPrompt(name, text string) *Prompt {
	parsed := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{"fence": fenceText})
	parsed = template.Must(parsed.Parse(text))
	if parsed.Lookup("prompt") == nil {
		panic(name + `: the template defines no "prompt"`)
	}
	return &Prompt{name: name, version: versionOf(text), template: parsed, fenced: usesFence.MatchString(text)}
}

// versionOf returns the version of a prompt file: the first digits of the hash of its text.
func versionOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// Task renders the prompt with the data and returns a task of the prompt's name. It returns the template's error.
func (p *Prompt) Task(data any) (Task, error) {
	system, err := p.renderPart("system", data)
	if err != nil {
		return Task{}, err
	}
	prompt, err := p.renderPart("prompt", data)
	if err != nil {
		return Task{}, err
	}
	if p.fenced {
		system = strings.TrimSpace(system + "\n\n" + strings.TrimSpace(fenceWords))
	}
	return Task{Name: p.name, PromptVersion: p.version, System: system, Prompt: prompt}, nil
}

func (p *Prompt) renderPart(part string, data any) (string, error) {
	if p.template.Lookup(part) == nil {
		return "", nil
	}
	var b strings.Builder
	if err := p.template.ExecuteTemplate(&b, part, data); err != nil {
		return "", fmt.Errorf("fill in the prompt %s: %w", p.name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// fenceText encloses a text in markers with a code derived from the text, which the text does not contain. The same prompt always has the
// same markers.
func fenceText(name, text string) string {
	sum := sha256.Sum256([]byte(text))
	code := hex.EncodeToString(sum[:6])
	for strings.Contains(text, code) {
		sum = sha256.Sum256(sum[:])
		code = hex.EncodeToString(sum[:6])
	}
	return fmt.Sprintf("<%s-%s>\n%s\n</%s-%s>", name, code, text, name, code)
}

// schemaNote returns the part of a prompt that describes the schema to a model whose server does not enforce it.
func schemaNote(schema json.RawMessage) string {
	var b strings.Builder
	_ = formTemplate.Execute(&b, string(schema)) // a Builder never fails
	return strings.TrimSpace(b.String())
}
