// Package dbtest gives tests databases and Redis namespaces of their own. It does not import the
// app, so that the tests of a package build quickly.
package dbtest
