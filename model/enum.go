package model

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

type lowerEnums struct{}

// WithLowerEnums returns a context that makes operations write enums in lower case, as REST does.
func WithLowerEnums(ctx context.Context) context.Context {
	return context.WithValue(ctx, lowerEnums{}, true)
}

// LowerEnums reports whether operations write enums in lower case. Compiled selections call it once
// per operation.
func LowerEnums(ctx context.Context) bool {
	lower, _ := ctx.Value(lowerEnums{}).(bool)
	return lower
}

// writeEnum writes an enum's value. It is stored in lower case. In the graph its dots are
// underscores, and an empty one is null. It returns the writer's error.
func writeEnum(ctx context.Context, w io.Writer, stored string) error {
	if !LowerEnums(ctx) {
		if stored == "" {
			_, err := io.WriteString(w, "null")
			return err
		}
		stored = strings.ReplaceAll(strings.ToUpper(stored), ".", "_")
	}
	_, err := io.WriteString(w, strconv.Quote(stored))
	return err
}

// parseEnum returns the stored form of a validated enum value, or an error if v is not a string.
func parseEnum(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%v is not the name of an enum value", v)
	}
	return strings.ToLower(s), nil
}
