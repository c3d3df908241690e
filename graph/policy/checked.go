package policy

import "context"

type inputCheckedKey struct{}

// WithCheckedInput returns a context that skips the check of input. Package rest uses it, because
// it has validated the variables against the same schema directives in the OpenAPI document.
func WithCheckedInput(ctx context.Context) context.Context {
	return context.WithValue(ctx, inputCheckedKey{}, true)
}

func isInputChecked(ctx context.Context) bool {
	checked, _ := ctx.Value(inputCheckedKey{}).(bool)
	return checked
}
