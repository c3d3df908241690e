package model

import (
	"slices"
	"strings"
)

// ValueOr is what an optional value holds, or else the fallback.
func ValueOr[T any](v *T, fallback T) T {
	if v == nil {
		return fallback
	}
	return *v
}

// Optional is nil for an empty text.
func Optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Trimmed is a text without the space around it; nil when nothing else is there.
func Trimmed(text *string) *string {
	return Optional(strings.TrimSpace(ValueOr(text, "")))
}

// OrEmpty makes no list an empty one, for answers in which a list is never null.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Distinct keeps each text once, in the order given, without the space around it and without blank ones.
func Distinct(texts []string) []string {
	out := []string{}
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
