package persona

import (
	_ "embed"
	"strings"
	"text/template"

	"rostrum/model"
)

//go:embed persona.tmpl
var templateText string

var personaTemplate = template.Must(template.New("persona").Parse(templateText))

// buildTemplate returns the system prompt derived from a persona's fields.
func buildTemplate(p *model.Persona) string {
	var b strings.Builder
	if err := personaTemplate.Execute(&b, p); err != nil {
		panic(err) // a test executes the template with every field
	}
	return strings.TrimSpace(b.String())
}
