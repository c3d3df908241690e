package model

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

type lowerEnums struct{}

// WithLowerEnums makes every enum of the answer leave in lower case, as REST's closed sets are written.
func WithLowerEnums(ctx context.Context) context.Context {
	return context.WithValue(ctx, lowerEnums{}, true)
}

// LowerEnums reports whether enums leave in lower case; compiled selections ask it once per operation.
func LowerEnums(ctx context.Context) bool {
	lower, _ := ctx.Value(lowerEnums{}).(bool)
	return lower
}

// writeEnum is the one marshaler of closed sets, which are stored in lower case.
func writeEnum(ctx context.Context, w io.Writer, stored string) error {
	if !LowerEnums(ctx) {
		stored = strings.ToUpper(stored)
	}
	_, err := io.WriteString(w, strconv.Quote(stored))
	return err
}

// readEnum gives the stored form of a value that the schema has already found to be one of the set.
func readEnum(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%v is not the name of an enum value", v)
	}
	return strings.ToLower(s), nil
}
