// Package value reads the values of typed tags: numbers, booleans, dates, names and lists, in
// English, German, French and Spanish.
package value
