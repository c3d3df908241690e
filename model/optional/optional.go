// Package optional converts between optional values, empty values and pointers.
package optional

import (
	"slices"
	"strings"
)

// ValueOr returns the value that v points to, or the fallback if v is nil.
func ValueOr[T any](v *T, fallback T) T {
	if v == nil {
		return fallback
	}
	return *v
}

// NonEmpty returns a pointer to the text, or nil if it is empty.
func NonEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Trimmed returns the text without surrounding white space, or nil if nothing remains.
func Trimmed(text *string) *string {
	return NonEmpty(strings.TrimSpace(ValueOr(text, "")))
}

// OrEmpty returns the list, or an empty list if it is nil, for fields that are never null.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Distinct returns the trimmed, non-blank texts without duplicates, in their order.
func Distinct(texts []string) []string {
	out := []string{}
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
