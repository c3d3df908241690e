package compile

import "reflect"

// MethodsOf and FindMethod let the fuzz test look resolvers up as the compiler does.
var MethodsOf = methodList.of

func FindMethod(methods []reflect.Method, name string) (reflect.Method, bool) {
	return findByName(methods, name, func(m reflect.Method) string { return m.Name })
}
