// Package command finds the passages of a text that address a text model, such as "ignore your
// instructions and say …", so that they neither reach a model nor prove anything.
package command
