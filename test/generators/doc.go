// Package generators pins the generators of REST clients that TestGenerators of test/e2e runs, and
// what their output imports, and genqlient, which "make clients" runs.
package generators

import _ "github.com/oapi-codegen/runtime" // imported by what oapi-codegen writes
