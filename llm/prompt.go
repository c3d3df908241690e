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

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/llm/text"
	"rostrum/llm/text/command"
)

var (
	//go:embed form.tmpl
	formWords string
	//go:embed fence.tmpl
	fenceWords string

	formTemplate = template.Must(template.New("form").Parse(formWords))
)

// Prompt is the template of a task. The file defines "prompt" and, if the model needs a role,
// "system":
//
//	{{define "system"}}You tag documents.{{end}}
//	{{define "prompt"}}Which of {{.Tags}} fit?
//	{{fence "document" .Content}}{{end}}
//
// Texts of documents and pages are enclosed by fence, which puts them between markers that the text
// itself cannot contain, instructs the model to treat them as data, and leaves out passages that
// address a model (llm/text/command). Texts of the caller are enclosed by own, which leaves out
// nothing. languageOf is the English name of a text's language, or empty.
type Prompt struct {
	name     string
	version  string // changes with the file
	template *template.Template
	fenced   bool
}

var usesFence = regexp.MustCompile(`\{\{[^}]*\b(?:fence|own)\b`)

// MustPrompt parses an embedded template, for package variables. It panics on an error and if the
// template defines no "prompt".
func MustPrompt(name, source string) *Prompt {
	parsed := template.New(name).Option("missingkey=error").
		Funcs(template.FuncMap{"fence": encloseText, "own": encloseText, "languageOf": languageOf})
	parsed = template.Must(parsed.Parse(source))
	if parsed.Lookup("prompt") == nil {
		panic(name + `: the template defines no "prompt"`)
	}
	return &Prompt{name: name, version: versionOf(source), template: parsed, fenced: usesFence.MatchString(source)}
}

// versionOf returns the version of a prompt file: the first digits of the hash of its text.
func versionOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// Task renders the prompt with the data and returns a task of its name, or the template's error.
func (p *Prompt) Task(data any) (Task, error) {
	task := Task{Name: p.name, PromptVersion: p.version}
	filled, err := p.template.Clone()
	if err != nil {
		return Task{}, fmt.Errorf("copy the prompt %s: %w", p.name, err)
	}
	filled.Funcs(template.FuncMap{"fence": func(name, text string) string {
		kept, passages := command.Remove(text)
		task.commands = append(task.commands, passages...)
		return encloseText(name, kept)
	}})
	for part, out := range map[string]*string{"system": &task.System, "prompt": &task.Prompt} {
		if *out, err = renderPart(filled, part, data); err != nil {
			return Task{}, fmt.Errorf("fill in the prompt %s: %w", p.name, err)
		}
	}
	if p.fenced {
		task.System = strings.TrimSpace(task.System + "\n\n" + strings.TrimSpace(fenceWords))
	}
	return task, nil
}

// languageOf returns the English name of a text's language, such as "German"; empty if the text is too
// short to tell.
func languageOf(said string) string {
	code := text.Language(said)
	if code == "" {
		return ""
	}
	return display.English.Languages().Name(language.Make(code))
}

func renderPart(filled *template.Template, part string, data any) (string, error) {
	if filled.Lookup(part) == nil {
		return "", nil
	}
	var b strings.Builder
	err := filled.ExecuteTemplate(&b, part, data)
	return strings.TrimSpace(b.String()), err
}

// encloseText encloses a text in markers with a code that the text does not contain. The code is
// derived from the text, so the same prompt always has the same markers.
func encloseText(name, text string) string {
	sum := sha256.Sum256([]byte(text))
	code := hex.EncodeToString(sum[:6])
	for strings.Contains(text, code) {
		sum = sha256.Sum256(sum[:])
		code = hex.EncodeToString(sum[:6])
	}
	return fmt.Sprintf("<%s-%s>\n%s\n</%s-%s>", name, code, text, name, code)
}

// SchemaNote describes the schema in a prompt, for a model on a server that does not enforce it.
func SchemaNote(schema json.RawMessage) string {
	var b strings.Builder
	_ = formTemplate.Execute(&b, string(schema)) // a Builder never fails
	return strings.TrimSpace(b.String())
}
