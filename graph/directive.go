package graph

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
)

// checkRange is @range: a number outside is refused, never clamped.
func checkRange(ctx context.Context, _ any, next graphql.Resolver, least, most *int) (any, error) {
	value, err := next(ctx)
	if err != nil {
		return nil, err
	}
	n, given := number(value)
	switch {
	case !given:
	case least != nil && n < *least:
		return nil, refuse(ctx, "greater_than_equal", fmt.Sprintf("must be at least %d", *least))
	case most != nil && n > *most:
		return nil, refuse(ctx, "less_than_equal", fmt.Sprintf("must be at most %d", *most))
	}
	return value, nil
}

// checkLength is @length: code points, without the white space around them.
func checkLength(ctx context.Context, _ any, next graphql.Resolver, least, most *int) (any, error) {
	value, err := next(ctx)
	if err != nil {
		return nil, err
	}
	text, given := characters(value)
	length := utf8.RuneCountInString(strings.TrimSpace(text))
	switch {
	case !given:
	case least != nil && length < *least:
		return nil, refuse(ctx, "string_too_short", fmt.Sprintf("must have at least %d characters", *least))
	case most != nil && length > *most:
		return nil, refuse(ctx, "string_too_long", fmt.Sprintf("must have at most %d characters", *most))
	}
	return value, nil
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
