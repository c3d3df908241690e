package incremental

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

// object is a JSON object whose members keep their order. A value is an *object, a []any of values,
// or JSON that has not been read yet.
type object struct {
	names  []string
	values map[string]any
}

func newObject() *object { return &object{values: map[string]any{}} }

// set adds a member or replaces its value.
func (o *object) set(name string, value any) {
	if _, known := o.values[name]; !known {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// parse reads one level of JSON. It returns an *object, a []any, or the JSON of a scalar.
func parse(text json.RawMessage) (any, error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return json.RawMessage("null"), nil
	}
	switch text[0] {
	case '{':
		return parseObject(text)
	case '[':
		var items []json.RawMessage
		err := json.Unmarshal(text, &items)
		list := make([]any, len(items))
		for i, item := range items {
			list[i] = item
		}
		return list, err
	}
	return text, nil
}

func parseObject(text json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	out := newObject()
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err = dec.Decode(&value); err != nil {
			return nil, err
		}
		out.set(name.(string), value) //nolint:forcetypeassert // the names of members are strings
	}
	return out, nil
}

// appendValue appends a value's JSON.
func appendValue(b []byte, value any) []byte {
	switch value := value.(type) {
	case *object:
		b = append(b, '{')
		for i, name := range value.names {
			if i > 0 {
				b = append(b, ',')
			}
			quoted, _ := json.Marshal(name) //nolint:errchkjson // a text can always be encoded
			b = appendValue(append(append(b, quoted...), ':'), value.values[name])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, item := range value {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, item)
		}
		return append(b, ']')
	case json.RawMessage:
		return append(b, value...)
	}
	return append(b, "null"...)
}

// found is an object that a deferred fragment applies to.
type found struct {
	part   int
	path   ast.Path
	object *object
}

// finder finds the objects of deferred fragments in a response, and takes their markers out.
type finder struct {
	s     *split
	found []found
}

// find reads the value at a position as far as deferred fragments are in it, and returns it.
func (f *finder) find(value any, position string, path ast.Path) (any, error) {
	if text, ok := value.(json.RawMessage); ok {
		var err error
		if value, err = parse(text); err != nil {
			return nil, err
		}
	}
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			inner, err := f.find(item, position, appendPath(path, ast.PathIndex(i)))
			if err != nil {
				return nil, err
			}
			value[i] = inner
		}
	case *object:
		f.takeMarkers(value, path)
		for _, name := range value.names {
			inner := childPosition(position, name)
			if !f.s.onPath[inner] {
				continue
			}
			read, err := f.find(value.values[name], inner, appendPath(path, ast.PathName(name)))
			if err != nil {
				return nil, err
			}
			value.values[name] = read
		}
	}
	return value, nil
}

// takeMarkers removes the object's markers and records the fragments.
func (f *finder) takeMarkers(o *object, path ast.Path) {
	names := o.names[:0]
	for _, name := range o.names {
		if name[0] != markerPrefix[0] {
			names = append(names, name)
			continue
		}
		delete(o.values, name)
		if part, err := strconv.Atoi(name[len(markerPrefix):]); err == nil {
			f.found = append(f.found, found{part, path, o})
		}
	}
	o.names = names
}

// appendPath returns a path with one more element, in memory of its own.
func appendPath(path ast.Path, element ast.PathElement) ast.Path {
	return append(path[:len(path):len(path)], element)
}
