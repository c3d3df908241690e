package incremental

import (
	"encoding/json"

	"github.com/vektah/gqlparser/v2/ast"
)

// differ finds what of a fragment is new to the client. Each object that the client has already is a
// part of its own.
type differ struct {
	id    string
	parts []partJSON
}

// addObject adds the members of an object that the client does not have yet, and then has.
func (d *differ) addObject(have, got *object, path ast.Path) {
	fresh := newObject()
	for _, name := range got.names {
		if _, known := have.values[name]; !known {
			fresh.set(name, got.values[name])
			have.set(name, got.values[name])
		}
	}
	if len(fresh.names) > 0 {
		d.parts = append(d.parts, partJSON{ID: d.id, Data: appendValue(nil, fresh), SubPath: path})
	}
	for _, name := range got.names {
		if _, isNew := fresh.values[name]; !isNew {
			have.values[name] = d.addValue(have.values[name], got.values[name], appendPath(path, ast.PathName(name)))
		}
	}
}

// addValue adds the new members within a value, and returns the value as the client has it then.
func (d *differ) addValue(have, got any, path ast.Path) any {
	have, got = opened(have), opened(got)
	switch have := have.(type) {
	case *object:
		if got, ok := got.(*object); ok {
			d.addObject(have, got, path)
		}
	case []any:
		list, _ := got.([]any)
		for i := range min(len(have), len(list)) {
			have[i] = d.addValue(have[i], list[i], appendPath(path, ast.PathIndex(i)))
		}
	}
	return have
}

// opened returns a value with its first level read.
func opened(value any) any {
	if text, ok := value.(json.RawMessage); ok {
		if read, err := parse(text); err == nil {
			return read
		}
	}
	return value
}

// lookUp returns the value at a path; nil if there is none.
func lookUp(value any, path ast.Path) any {
	for _, element := range path {
		value = opened(value)
		switch element := element.(type) {
		case ast.PathName:
			o, ok := value.(*object)
			if !ok {
				return nil
			}
			o.values[string(element)] = opened(o.values[string(element)])
			value = o.values[string(element)]
		case ast.PathIndex:
			list, ok := value.([]any)
			if !ok || int(element) >= len(list) {
				return nil
			}
			list[element] = opened(list[element])
			value = list[element]
		}
	}
	return value
}
