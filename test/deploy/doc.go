// Package deploy tests the files of deploy/ with which other machines run the program: units, the
// Debian package, containers, the proxy. What needs a program that is not installed is skipped.
package deploy
