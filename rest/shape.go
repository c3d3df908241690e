package rest

// Shape describes the route of a stored operation.
type Shape struct {
	Method, Path string
	Status       int    // of a success
	Wrap, Unwrap string // position of the body in the root field's value; see @rest in the schema
	// Text is the operation as the executor runs it, with what only REST uses.
	Text string
	// Reshape returns the value of the root field as REST writes it.
	Reshape func(value []byte) []byte
}

// Shapes returns the shape of every stored operation by its name.
func (a *Adapter) Shapes() map[string]Shape {
	shapes := make(map[string]Shape, len(a.operations))
	for _, op := range a.operations {
		shapes[op.name] = Shape{op.rule.Method, op.rule.Path, op.rule.Status, op.rule.Wrap, op.rule.Unwrap, op.text,
			op.reshaping.reshape}
	}
	return shapes
}
