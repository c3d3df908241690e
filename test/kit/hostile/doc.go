// Package hostile builds files that are ordinary or small and expensive to read, for tests of
// limits and of growth. All files are built by code, and the same arguments return the same bytes.
package hostile
