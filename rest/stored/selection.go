package stored

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Member describes one member of an object in a response.
type Member struct {
	Key, Description string
	Type             *ast.Type
	Set              ast.SelectionSet
	Optional         bool      // a directive may omit it
	Constant         *Constant // not nil: the value of each response
	IsText           bool      // the value is a string of JSON
	Keyed            *Keyed    // not nil: the list is written as an object
}

// MemberList lists the members of an object.
type MemberList []*Member

// ForKey returns the member with a key, or nil.
func (l MemberList) ForKey(key string) *Member {
	i := slices.IndexFunc(l, func(m *Member) bool { return m.Key == key })
	if i < 0 {
		return nil
	}
	return l[i]
}

// Members returns the members that REST writes for a selection, with fragments and lifted objects
// expanded. A member that is selected twice is merged.
func Members(set ast.SelectionSet) MemberList { return MemberList(nil).collect(set, false) }

func (l MemberList) collect(set ast.SelectionSet, optional bool) MemberList {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if headerOf(s) != "" {
				continue
			}
			optional := optional || isConditional(s.Directives)
			if isLifted(s) {
				l = l.collect(s.SelectionSet, optional || !valueType(s.Definition).NonNull)
				continue
			}
			l = l.add(s, optional)
		case *ast.InlineFragment:
			l = l.collect(s.SelectionSet, true)
		case *ast.FragmentSpread:
			l = l.collect(s.Definition.SelectionSet, optional || isConditional(s.Directives))
		}
	}
	return l
}

func (l MemberList) add(field *ast.Field, optional bool) MemberList {
	if known := l.ForKey(field.Alias); known != nil {
		known.Optional = known.Optional && optional
		known.Set = append(slices.Clone(known.Set), field.SelectionSet...)
		return l
	}
	typ := valueType(field.Definition)
	if field.Directives.ForName("nonNull") != nil {
		typ = AlwaysPresent(typ)
	}
	return append(l, &Member{
		Key: field.Alias, Description: field.Definition.Description, Type: typ, Set: field.SelectionSet,
		Optional: optional, Constant: constantOf(field), IsText: isJSONText(field), Keyed: keyedOf(field),
	})
}

func isConditional(directives ast.DirectiveList) bool {
	return directives.ForName("skip") != nil || directives.ForName("include") != nil
}

// Without returns the selection, with its fragments expanded, without a member.
func Without(set ast.SelectionSet, name string) ast.SelectionSet {
	var out ast.SelectionSet
	for _, f := range collectDirect(set, nil) {
		if f.Alias != name {
			out = append(out, f)
		}
	}
	return out
}

// valueType returns the type of the field's value in a response without errors.
func valueType(field *ast.FieldDefinition) *ast.Type {
	if field.Directives.ForName("semanticNonNull") == nil {
		return field.Type
	}
	return AlwaysPresent(field.Type)
}

// AlwaysPresent returns the type without null.
func AlwaysPresent(typ *ast.Type) *ast.Type {
	return &ast.Type{NamedType: typ.NamedType, Elem: typ.Elem, NonNull: true, Position: typ.Position}
}
