package model

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// resultOf returns a job's result of type T, or nil if the text does not have T's shape.
func resultOf[T any, P interface {
	*T
	JobResult
}](text string) JobResult {
	if value := new(T); decodeShape(text, value) {
		return P(value)
	}
	return nil
}

// parametersOf returns a job's parameters of type T, or nil if the text does not have T's shape.
func parametersOf[T any, P interface {
	*T
	JobParameters
}](text string) JobParameters {
	if value := new(T); decodeShape(text, value) {
		return P(value)
	}
	return nil
}

// decodeShape decodes a JSON object into a struct. It reports false if the text cannot be decoded,
// a member without omitempty is missing, or a list has a null.
func decodeShape(text string, into any) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil || members == nil || json.Unmarshal([]byte(text), into) != nil {
		return false
	}
	v := reflect.ValueOf(into).Elem()
	for _, name := range requiredMembers(v.Type()) {
		if _, ok := members[name]; !ok {
			return false
		}
	}
	return !hasNullElement(v)
}

// requiredByType caches requiredMembers, because a list of jobs has many rows of few types.
var requiredByType sync.Map // reflect.Type → []string

// requiredMembers returns the JSON names of a struct's fields that have no omitempty.
func requiredMembers(t reflect.Type) []string {
	if known, ok := requiredByType.Load(t); ok {
		return known.([]string) //nolint:forcetypeassert // stored below
	}
	var required []string
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.Anonymous && name != "-" && field.IsExported() && !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	requiredByType.Store(t, required)
	return required
}

// hasNullElement reports whether a list within the value has a null pointer as an element.
func hasNullElement(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && hasNullElement(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && hasNullElement(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if element := v.Index(i); element.Kind() == reflect.Pointer && element.IsNil() || hasNullElement(element) {
				return true
			}
		}
	}
	return false
}
