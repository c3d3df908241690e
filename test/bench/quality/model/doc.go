// Package model runs the whole program with scripted models that are good, lazy, lying, malformed,
// slow or refusing, and with texts that command a model. Its tests print the rows of make quality.
package model
