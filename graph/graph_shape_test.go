package graph

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// bareIDs lists the ids without a field of their name for the object. The value is the field that
// has the object, or nothing if the id names no noun.
var bareIDs = map[string]string{
	"DeletedDocument.documentId":                      "", // the document is not there until it is restored
	"Draft.projectId":                                 "", // an id of the client's own
	"DraftedPersona.writingSampleDocumentIds":         "writingSamples",
	"InteractionParameters.sessionId":                 "", // the client's name of a conversation
	"Job.userId":                                      "createdBy",
	"Persona.writingSampleDocumentIds":                "writingSamples",
	"ObjectChanged.objectId":                          "", // an object of any type; Query.node reads it
	"PersonaDraftParameters.writingSampleDocumentIds": "writingSamples",
	"PersonaInteraction.sessionId":                    "conversation",
	"PersonaRefinement.feedbackId":                    "", // a note of a person, which is no noun
	"VoiceProfile.sampleDocumentIds":                  "samples",
}

// The figures of a graph: a schema of texts and bare ids does not reach them.
const (
	minEdgesPerNoun  = 4
	maxStringPercent = 25
	maxJSONFields    = 7
)

// graphShape counts the nouns, edges and leaves of the schema that clients see.
type graphShape struct {
	schema        *ast.Schema
	nouns         []*ast.Definition // the objects with an id
	edges         int               // the fields of nouns that lead to nouns, interfaces or unions
	isolated      []string          // the nouns without an edge
	leaves, texts int
	json          []string
	bare          []string
}

// TestGraphShape checks that the schema is a graph: nouns lead to each other, and leaves are more
// than texts.
func TestGraphShape(t *testing.T) {
	t.Parallel()
	shape := graphShape{schema: Schema()}
	shape.measure()
	if perNoun := float64(shape.edges) / float64(len(shape.nouns)); len(shape.nouns) < 28 || perNoun < minEdgesPerNoun {
		t.Errorf("%d nouns have %.2f edges each, fewer than %d", len(shape.nouns), perNoun, minEdgesPerNoun)
	}
	if len(shape.isolated) > 0 {
		t.Errorf("these nouns have no edge: %v", shape.isolated)
	}
	if shape.leaves < 700 || 100*shape.texts > maxStringPercent*shape.leaves {
		t.Errorf("%d of %d leaves are String, more than %d %%", shape.texts, shape.leaves, maxStringPercent)
	}
	if len(shape.json) > maxJSONFields {
		t.Errorf("%d fields are JSON, more than %d: %v", len(shape.json), maxJSONFields, shape.json)
	}
	shape.checkBareIDs(t)
}

// checkBareIDs checks that each id leads to its object, except for bareIDs. The field with the
// object must lead to a noun.
func (s *graphShape) checkBareIDs(t *testing.T) {
	t.Helper()
	for _, name := range s.bare {
		typeName, _, _ := strings.Cut(name, ".")
		edge, known := bareIDs[name]
		if !known {
			t.Errorf("%s is an id without its object", name)
		}
		if edge == "" {
			continue
		}
		if field := s.schema.Types[typeName].Fields.ForName(edge); field == nil || !s.leadsToNoun(field) {
			t.Errorf("%s.%s does not lead to the object of %s", typeName, edge, name)
		}
	}
	for name := range bareIDs {
		if !slices.Contains(s.bare, name) {
			t.Errorf("%s has its object or is gone: remove it from the list", name)
		}
	}
}

var (
	plumbingName = regexp.MustCompile(`(Connection|Edge|Payload|PageInfo)$`) // parts of lists, and results of mutations
	idName       = regexp.MustCompile(`^(\w+)Id(s?)$`)
)

func (s *graphShape) measure() {
	var objects []*ast.Definition
	for _, def := range s.schema.Types {
		isRoot := def == s.schema.Query || def == s.schema.Mutation || def == s.schema.Subscription
		if def.Kind == ast.Object && !isRoot && !strings.HasPrefix(def.Name, "__") &&
			!plumbingName.MatchString(def.Name) {
			objects = append(objects, def)
		}
	}
	for _, def := range objects {
		if id := def.Fields.ForName("id"); id != nil && id.Type.Name() == "ID" {
			s.nouns = append(s.nouns, def)
		}
	}
	for _, def := range s.nouns {
		before := s.edges
		for _, field := range def.Fields {
			if s.leadsToNoun(field) {
				s.edges++
			}
		}
		if s.edges == before {
			s.isolated = append(s.isolated, def.Name)
		}
	}
	for _, def := range objects {
		for _, field := range def.Fields {
			s.measureLeaf(def, field)
		}
	}
}

// leadsToNoun reports whether a field leads to a noun, interface or union, also through a
// connection.
func (s *graphShape) leadsToNoun(field *ast.FieldDefinition) bool {
	def := s.schema.Types[field.Type.Name()]
	if list := def.Fields.ForName("nodes"); strings.HasSuffix(def.Name, "Connection") && list != nil {
		def = s.schema.Types[list.Type.Name()]
	}
	return def.IsAbstractType() || slices.Contains(s.nouns, def)
}

func (s *graphShape) measureLeaf(def *ast.Definition, field *ast.FieldDefinition) {
	name := def.Name + "." + field.Name
	if strings.HasPrefix(field.Name, "__") || !s.schema.Types[field.Type.Name()].IsLeafType() {
		return
	}
	s.leaves++
	switch field.Type.Name() {
	case "String":
		s.texts++
	case "JSON":
		s.json = append(s.json, name)
	}
	if id := idName.FindStringSubmatch(field.Name); id != nil && def.Fields.ForName(id[1]+id[2]) == nil {
		s.bare = append(s.bare, name)
	}
}
