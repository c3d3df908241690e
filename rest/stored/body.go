package stored

import (
	"bytes"
	"errors"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// errNullRoot is returned when the root field is null.
var errNullRoot = errs.New(errs.NotFound, "no resource with this id in the workspace")

var errNotAnswered = errors.New("the executor's answer is not the operation's one root field")

// RootValue returns the root field's value in the executor's data as REST writes it. It returns
// errs.NotFound for a null that means so.
func (op *Operation) RootValue(data []byte) ([]byte, error) {
	value, ok := cutMember(data, op.rootPrefix)
	switch {
	case !ok:
		return nil, errNotAnswered
	case op.missing404 && string(value) == "null":
		return nil, errNullRoot
	}
	return op.Reshape(value), nil
}

// ResponseBody returns the body of a success with the executor's data.
func (op *Operation) ResponseBody(data []byte) ([]byte, error) {
	value, err := op.RootValue(data)
	if err != nil {
		return nil, err
	}
	if op.memberPrefix != "" {
		var ok bool
		if value, ok = cutMember(value, op.memberPrefix); !ok {
			return nil, errNotAnswered
		}
	}
	if op.Rule.Wrap != "" {
		value = bytes.Join([][]byte{[]byte(`{"` + op.Rule.Wrap + `":`), value, {'}'}}, nil)
	}
	return value, nil
}

// Reshape returns the value of the root field as REST writes it.
func (op *Operation) Reshape(value []byte) []byte { return op.reshaping.reshape(value) }

// cutMember returns the value of an object's only member; the executor writes JSON without white
// space.
func cutMember(object []byte, before string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(object, []byte(before))
	if !ok {
		return nil, false
	}
	return bytes.CutSuffix(rest, []byte("}"))
}

// BodyType returns the type and the selection of a success's body, without the object that @rest
// wraps it in.
func (op *Operation) BodyType() (*ast.Type, ast.SelectionSet) {
	typ, set, present := valueType(op.Root.Definition), op.Root.SelectionSet, op.missing404
	if op.Rule.Unwrap != "" {
		only := Members(set).ForKey(op.Rule.Unwrap)
		typ, set = only.Type, only.Set
		present = op.Rule.Unwrap == op.Rule.When // the parameter that selects the operation selects the member
	}
	if present {
		typ = AlwaysPresent(typ)
	}
	return typ, set
}
