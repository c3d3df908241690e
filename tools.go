//go:build tools

// Package main's tools pin the generators that make gen runs.
package main

import _ "github.com/99designs/gqlgen"
