package stored

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"
)

// reshaping is how REST writes the objects of a selection with @lift, @constant, @jsonText, @keyed
// or @header: by alias, the members that change or that hold changes. A nil reshaping changes
// nothing.
type reshaping struct {
	members map[string]*reshapedMember
}

// reshapedMember is how REST writes a member of an object.
type reshapedMember struct {
	omit     bool // the value is a header
	lift     bool
	isText   bool
	keyed    *Keyed          // not nil: the list is written as an object
	constant json.RawMessage // not nil: the value
	inner    *reshaping      // nil: the value is written as it is
}

// Constant is the value of a member with @constant.
type Constant struct{ Value any }

// Keyed names the members of a list's elements from which @keyed makes an object.
type Keyed struct {
	By    string
	Value string // empty: the rest of the element
}

// keyedOf returns the names of a field with @keyed, or nil.
func keyedOf(f *ast.Field) *Keyed {
	d := f.Directives.ForName("keyed")
	if d == nil {
		return nil
	}
	arguments := d.ArgumentMap(nil)
	by, _ := arguments["by"].(string)
	value, _ := arguments["value"].(string)
	return &Keyed{by, value}
}

func isLifted(f *ast.Field) bool   { return f.Directives.ForName("lift") != nil }
func isJSONText(f *ast.Field) bool { return f.Directives.ForName("jsonText") != nil }

// constantOf returns the value of a field with @constant, or nil.
func constantOf(f *ast.Field) *Constant {
	d := f.Directives.ForName("constant")
	if d == nil {
		return nil
	}
	return &Constant{d.ArgumentMap(nil)["value"]}
}

// newReshaping returns the reshaping of a selection, or nil if it has none of the directives. It
// returns an error for a directive that its field does not support, and for two members of the same
// name.
func newReshaping(set ast.SelectionSet) (*reshaping, error) {
	r := &reshaping{members: map[string]*reshapedMember{}}
	if err := r.addSelections(set); err != nil || len(r.members) == 0 {
		return nil, err
	}
	return r, r.checkNames(set, map[string]bool{})
}

func (r *reshaping) addSelections(set ast.SelectionSet) error {
	var err error
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			err = r.addField(s)
		case *ast.InlineFragment:
			err = r.addSelections(s.SelectionSet)
		case *ast.FragmentSpread:
			err = r.addSelections(s.Definition.SelectionSet)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reshaping) addField(f *ast.Field) error {
	inner, err := newReshaping(f.SelectionSet)
	if err != nil {
		return err
	}
	m := &reshapedMember{omit: headerOf(f) != "", lift: isLifted(f), isText: isJSONText(f), keyed: keyedOf(f),
		inner: inner}
	if fixed := constantOf(f); fixed != nil {
		if m.constant, err = json.Marshal(fixed.Value); err != nil {
			return err
		}
		if f.Name != "__typename" {
			return fmt.Errorf("@constant is on %s and not on __typename", f.Name)
		}
	}
	if m.lift && (f.Definition.Type.Elem != nil || len(f.SelectionSet) == 0) {
		return fmt.Errorf("@lift is on %s, which is not an object", f.Name)
	}
	if m.keyed != nil && !m.keyed.fits(f) {
		return fmt.Errorf("@keyed is on %s, which is not a list whose elements have the members that it names", f.Name)
	}
	if m.omit || m.lift || m.isText || m.keyed != nil || m.constant != nil || m.inner != nil {
		r.members[f.Alias] = m
	}
	return nil
}

// fits reports whether the field is a list whose elements have the members.
func (k *Keyed) fits(f *ast.Field) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(collectDirect(f.SelectionSet, nil),
			func(member *ast.Field) bool { return member.Alias == name })
	}
	return f.Definition.Type.Elem != nil && has(k.By) && (k.Value == "" || has(k.Value))
}

// checkNames returns an error if a lifted member has the name of another member.
func (r *reshaping) checkNames(set ast.SelectionSet, lifted map[string]bool) error {
	for _, f := range collectDirect(set, nil) {
		if isLifted(f) {
			if err := r.checkNames(f.SelectionSet, lifted); err != nil {
				return err
			}
			continue
		}
		if lifted[f.Alias] {
			return fmt.Errorf("two members are named %s", f.Alias)
		}
		lifted[f.Alias] = true
	}
	return nil
}

// collectDirect returns the fields of a selection with its fragments expanded, each alias once.
func collectDirect(set ast.SelectionSet, found []*ast.Field) []*ast.Field {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			found = appendField(found, s)
		case *ast.InlineFragment:
			found = collectDirect(s.SelectionSet, found)
		case *ast.FragmentSpread:
			found = collectDirect(s.Definition.SelectionSet, found)
		}
	}
	return found
}

func appendField(found []*ast.Field, field *ast.Field) []*ast.Field {
	for _, f := range found {
		if f.Alias == field.Alias {
			return found
		}
	}
	return append(found, field)
}

// reshape returns a value of the executor's response as REST writes it. Members that do not change
// keep their bytes.
func (r *reshaping) reshape(value []byte) []byte {
	if r == nil {
		return value
	}
	return r.appendValue(make([]byte, 0, len(value)+len(value)/8), gjson.ParseBytes(value))
}

func (r *reshaping) appendValue(b []byte, value gjson.Result) []byte {
	switch {
	case r == nil:
		return append(b, value.Raw...)
	case value.IsObject():
		return append(r.appendMembers(append(b, '{'), value), '}')
	case value.IsArray():
		b = append(b, '[')
		value.ForEach(func(_, element gjson.Result) bool {
			b = r.appendValue(separate(b, '['), element)
			return true
		})
		return append(b, ']')
	}
	return append(b, value.Raw...)
}

// appendMembers appends the members of an object without its braces.
func (r *reshaping) appendMembers(b []byte, object gjson.Result) []byte {
	return r.appendOthers(b, object, "")
}

// appendOthers appends the members of an object but the named one, without its braces.
func (r *reshaping) appendOthers(b []byte, object gjson.Result, omitted string) []byte {
	if !object.IsObject() {
		return b // null
	}
	object.ForEach(func(key, value gjson.Result) bool {
		if key.Str == omitted {
			return true
		}
		var m *reshapedMember
		if r != nil {
			m = r.members[key.Str]
		}
		if m != nil && m.omit {
			return true
		}
		if m != nil && m.lift {
			b = m.inner.appendMembers(b, value)
			return true
		}
		b = append(append(separate(b, '{'), key.Raw...), ':')
		b = m.appendValue(b, value)
		return true
	})
	return b
}

func (m *reshapedMember) appendValue(b []byte, value gjson.Result) []byte {
	switch {
	case m == nil:
		return append(b, value.Raw...)
	case m.constant != nil:
		return append(b, m.constant...)
	case m.isText && value.Type != gjson.Null:
		text := m.inner.appendValue(nil, value)
		return gjson.AppendJSONString(b, string(text))
	case m.keyed != nil && value.IsArray():
		return m.appendKeyed(b, value)
	}
	return m.inner.appendValue(b, value)
}

// appendKeyed appends a list as an object. Texts are escaped as encoding/json escapes them.
func (m *reshapedMember) appendKeyed(b []byte, list gjson.Result) []byte {
	object := []byte{'{'}
	list.ForEach(func(_, element gjson.Result) bool {
		object = append(append(separate(object, '{'), element.Get(m.keyed.By).Raw...), ':')
		if m.keyed.Value != "" {
			object = append(object, element.Get(m.keyed.Value).Raw...)
			return true
		}
		object = append(m.inner.appendOthers(append(object, '{'), element, m.keyed.By), '}')
		return true
	})
	escaped := bytes.NewBuffer(b)
	json.HTMLEscape(escaped, append(object, '}'))
	return escaped.Bytes()
}

// separate appends a comma unless the last byte opens the object or list.
func separate(b []byte, opening byte) []byte {
	if b[len(b)-1] == opening {
		return b
	}
	return append(b, ',')
}
