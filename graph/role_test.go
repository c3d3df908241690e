package graph

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/golden"
)

// TestRolesPage compares the tables of docs/members.md with the roles and the schema.
func TestRolesPage(t *testing.T) {
	const page, start, end = "../docs/members.md", "<!-- roles -->\n", "<!-- /roles -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), start)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatal("the page has no table of roles")
	}
	golden.Check(t, page, []byte(before+start+roleTable(Schema())+end+after))
}

// roleTable returns what each role may do, and the operations of each ability.
func roleTable(api *ast.Schema) string {
	var b strings.Builder
	b.WriteString("| Ability | ")
	for _, role := range model.Roles {
		fmt.Fprintf(&b, "%s | ", role)
	}
	b.WriteString("\n|---|" + strings.Repeat(":-:|", len(model.Roles)) + "\n")
	for _, ability := range model.Abilities {
		value := api.Types["Ability"].EnumValues.ForName(strings.ToUpper(string(ability)))
		fmt.Fprintf(&b, "| **%s**: %s |", ability, value.Description)
		for _, role := range model.Roles {
			b.WriteString(map[bool]string{true: " ✓ |", false: " |"}[role.Can(ability)])
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| Ability | Mutations and subscriptions |\n|---|---|\n")
	byAbility := map[model.Ability][]string{}
	for kind, root := range map[ast.Operation]*ast.Definition{ast.Mutation: api.Mutation, ast.Subscription: api.Subscription} {
		for _, field := range root.Fields {
			ability := policy.AbilityOf(kind, field)
			byAbility[ability] = append(byAbility[ability], "`"+field.Name+"`")
		}
	}
	for _, ability := range model.Abilities {
		slices.Sort(byAbility[ability])
		fmt.Fprintf(&b, "| %s | %s |\n", ability, strings.Join(byAbility[ability], ", "))
	}
	return b.String()
}

// TestRoles sends every root field as a member of each role without its ability: it is refused
// before a resolver runs.
func TestRoles(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t, func(c *Config) {
		c.Transport.Session = func(r *http.Request) (principal.Principal, error) {
			role := model.Role(r.Header.Get("X-Role"))
			return principal.Principal{WorkspaceID: "wsp_1", UserID: "usr_1", Role: role, Scopes: role.Scopes()}, nil
		}
	})
	schema, refused := b.server.Schema(), 0
	for kind, root := range map[ast.Operation]*ast.Definition{
		ast.Query: schema.Query, ast.Mutation: schema.Mutation, ast.Subscription: schema.Subscription,
	} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			need, text := policy.AbilityOf(kind, field), string(kind)+" "+rootSelection(schema, field)
			for _, role := range model.Roles {
				if role.Can(need) {
					continue // TestAuthorize in graph/policy checks that these pass
				}
				refused++
				b.post(t, "", text, "Accept", typeResponse, "X-Role", string(role)).
					want(t, http.StatusForbidden, `"code":"insufficient_scope"`, fmt.Sprintf(`"ability":%q`, need))
			}
		}
	}
	if refused < 100 || b.calls.Load() != 0 {
		t.Errorf("%d operations were refused, and %d resolvers ran", refused, b.calls.Load())
	}
}
