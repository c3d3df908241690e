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

// Prompt is a room's template of one task. The file defines "prompt" and, where the model needs a role, "system":
//
//	{{define "system"}}You tag documents.{{end}}
//	{{define "prompt"}}Which of {{.Tags}} fit?
//	{{fence "document" .Content}}{{end}}
//
// Every text that a user or a page wrote goes through fence, which puts it between marks that the text itself cannot hold and tells the
// model that what stands there is no instruction.
type Prompt struct {
	name     string
	template *template.Template
	fenced   bool
}

var usesFence = regexp.MustCompile(`\{\{[^}]*\bfence\b`)

// MustPrompt parses the text of an embedded template; it panics where that cannot be parsed or defines no "prompt", so it is for variables of a package.
func MustPrompt(name, text string) *Prompt {
	parsed := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{"fence": fence})
	parsed = template.Must(parsed.Parse(text))
	if parsed.Lookup("prompt") == nil {
		panic(name + `: the template defines no "prompt"`)
	}
	return &Prompt{name: name, template: parsed, fenced: usesFence.MatchString(text)}
}

// Task is a task of the prompt's name with System and Prompt made from the data; the room adds the rest.
func (p *Prompt) Task(data any) (Task, error) {
	system, err := p.render("system", data)
	if err != nil {
		return Task{}, err
	}
	prompt, err := p.render("prompt", data)
	if err != nil {
		return Task{}, err
	}
	if p.fenced {
		system = strings.TrimSpace(system + "\n\n" + strings.TrimSpace(fenceWords))
	}
	return Task{Name: p.name, System: system, Prompt: prompt}, nil
}

func (p *Prompt) render(part string, data any) (string, error) {
	if p.template.Lookup(part) == nil {
		return "", nil
	}
	var b strings.Builder
	if err := p.template.ExecuteTemplate(&b, part, data); err != nil {
		return "", fmt.Errorf("fill in the prompt %s: %w", p.name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// fence puts a text between marks with a code made from the text, so that the same prompt is the same each time, and which the text does not hold.
func fence(name, text string) string {
	sum := sha256.Sum256([]byte(text))
	code := hex.EncodeToString(sum[:6])
	for strings.Contains(text, code) {
		sum = sha256.Sum256(sum[:])
		code = hex.EncodeToString(sum[:6])
	}
	return fmt.Sprintf("<%s-%s>\n%s\n</%s-%s>", name, code, text, name, code)
}

// formNote tells a model the schema that its server does not hold it to.
func formNote(schema json.RawMessage) string {
	var b strings.Builder
	_ = formTemplate.Execute(&b, string(schema)) // a Builder takes everything
	return strings.TrimSpace(b.String())
}
