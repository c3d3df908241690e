package persona

import (
	_ "embed"
	"strings"
	"text/template"

	"rostrum/model"
)

//go:embed persona.tmpl
var templateText string

var templateOf = template.Must(template.New("persona").Parse(templateText))

// build is the system prompt that a persona's other fields make.
func build(p *model.Persona) string {
	var b strings.Builder
	if err := templateOf.Execute(&b, p); err != nil {
		panic(err) // the template names fields of a struct; a test fills it
	}
	return strings.TrimSpace(b.String())
}
