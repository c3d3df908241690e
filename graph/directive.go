package graph

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
)

// checkRange is @range where gqlgen reads a value: the second fence behind [Server.inputs].
func checkRange(ctx context.Context, _ any, next graphql.Resolver, least, most *int) (any, error) {
	value, err := next(ctx)
	if err != nil {
		return nil, err
	}
	if n, given := number(value); given {
		if kind, msg := outside(n, least, most); kind != "" {
			return nil, refuse(ctx, kind, msg)
		}
	}
	return value, nil
}

// checkLength is @length where gqlgen reads a value: the second fence behind [Server.inputs].
func checkLength(ctx context.Context, _ any, next graphql.Resolver, least, most *int) (any, error) {
	value, err := next(ctx)
	if err != nil {
		return nil, err
	}
	if text, given := characters(value); given {
		if kind, msg := mislong(text, least, most); kind != "" {
			return nil, refuse(ctx, kind, msg)
		}
	}
	return value, nil
}

// outside says how a number misses its range, both ends included; the kind is empty when it does not.
func outside(n int, least, most *int) (kind, msg string) {
	switch {
	case least != nil && n < *least:
		return "greater_than_equal", fmt.Sprintf("must be at least %d", *least)
	case most != nil && n > *most:
		return "less_than_equal", fmt.Sprintf("must be at most %d", *most)
	}
	return "", ""
}

// mislong says how a text misses its length in code points, without the white space around it; the kind is empty when it does not.
func mislong(text string, least, most *int) (kind, msg string) {
	length := utf8.RuneCountInString(strings.TrimSpace(text))
	switch {
	case least != nil && length < *least:
		return "string_too_short", fmt.Sprintf("must have %d or more characters", *least)
	case most != nil && length > *most:
		return "string_too_long", fmt.Sprintf("must have %d or fewer characters", *most)
	}
	return "", ""
}

func refuse(ctx context.Context, kind, msg string) error {
	return errs.Invalid(errs.BodyField(kind, msg, inputPath(ctx, graphql.GetPath(ctx))...))
}

func number(value any) (int, bool) {
	switch n := value.(type) {
	case int:
		return n, true
	case *int:
		if n != nil {
			return *n, true
		}
	}
	return 0, false
}

func characters(value any) (string, bool) {
	switch s := value.(type) {
	case string:
		return s, true
	case *string:
		if s != nil {
			return *s, true
		}
	}
	return "", false
}
