// Command gen generates the executor of package generated with gqlgen, and beside it
// object.go: what package compile must know of the objects behind interfaces and unions.
package main

import (
	_ "embed"
	"log"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
)

//go:embed object.gotpl
var objectTemplate string

func main() {
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err == nil {
		err = api.Generate(cfg, api.AddPlugin(objectPlugin{}))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// objectPlugin is a gqlgen plugin that writes object.go.
type objectPlugin struct{}

// Name implements plugin.Plugin.
func (objectPlugin) Name() string { return "objects behind interfaces and unions" }

// GenerateCode implements plugin.CodeGenerator.
func (objectPlugin) GenerateCode(data *codegen.Data) error {
	return templates.Render(templates.Options{
		PackageName: data.Config.Exec.Package,
		Filename:    filepath.Join(data.Config.Exec.Dir(), "object.go"),
		Template:    objectTemplate, GeneratedHeader: true, Packages: data.Config.Packages,
		Data:  objects{All: data.Objects, Behind: behindAbstract(data)},
		Funcs: template.FuncMap{"lower": strings.ToLower},
	})
}

// objects are the object types of the schema, and those that an interface or union has.
type objects struct{ All, Behind []*codegen.Object }

// behindAbstract returns the object types that an interface or union of the schema has, by name.
func behindAbstract(data *codegen.Data) []*codegen.Object {
	names := map[string]bool{}
	for name, abstract := range data.Interfaces {
		for _, object := range abstract.Implementors {
			names[object.Name] = names[object.Name] || !strings.HasPrefix(name, "__")
		}
	}
	var found []*codegen.Object
	for _, object := range data.Objects {
		if names[object.Name] {
			found = append(found, object)
		}
	}
	slices.SortFunc(found, func(a, b *codegen.Object) int { return strings.Compare(a.Name, b.Name) })
	return found
}
