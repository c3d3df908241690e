// Package export writes content as a PDF, DOCX, HTML, Markdown or plain text file. The caller loads
// remote images.
//
// Limits: a file has at most 200,000 table cells and 64 MiB, is written in time linear in its
// input, and stops with its context (buffer.go).
//
// To add a font: asset/font/package.json; without its package, a PDF shows boxes and a warning
// names the characters.
package export
