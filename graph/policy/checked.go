package policy

import "context"

type inputCheckedKey struct{}

// WithCheckedInput returns a context whose operations skip the check of their input, because the
// transport has validated the variables against the same schema directives. Package rest does so
// with the OpenAPI document.
func WithCheckedInput(ctx context.Context) context.Context {
	return context.WithValue(ctx, inputCheckedKey{}, true)
}

func isInputChecked(ctx context.Context) bool {
	checked, _ := ctx.Value(inputCheckedKey{}).(bool)
	return checked
}
