// Package page makes hosted pages: their HTML, their forms, the script that reports from them, and the notices in the same look.
package page

import (
	"bytes"
	"cmp"
	_ "embed" // page.html
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"rostrum/errs"
)

// Page is what a hosted page shows.
type Page struct {
	Title     string
	Body      string      // HTML of the owner's; Render cleans it again, so that a stricter Clean holds for what is stored
	Form      *Form       // nil: the page has none
	SessionID string      // the viewer's session, which the script and the form name
	Slug      string      // the link's, for the addresses that the page reports to
	Lang      string      // BCP-47; empty: en
	Sent      *Submission // what a refused form held, to show again with Problem
	Problem   error       // why the form was refused: an errs.Error of ReadForm or of the room
}

// Policy is the Content-Security-Policy of every page and notice: scripts and styles are files of this server, nothing is inline,
// images come over https, and what the page sends goes to this server.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// SetHeaders gives an answer the headers of a page: its type, Policy, and that no cache keeps it, because it names a session. The
// Referrer-Policy leaves the origin in a posted form, without which a browser sends "Origin: null".
func SetHeaders(header http.Header) {
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", Policy)
	header.Set("Cache-Control", "private, no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
}

//go:embed page.html
var templateText string

var templates = template.Must(template.New("").Parse(templateText))

// view is what the template of a page is filled with.
type view struct {
	Title, SessionID, Slug, Lang, Honeypot string
	Style, Script                          string
	Body                                   template.HTML
	Form                                   bool
	Problem                                string
	Inputs                                 []input
	Words                                  words
}

// Render writes the page as HTML. It works without JavaScript; the form posts to /api/public/links/{slug}/submissions. Nothing is
// written when it fails.
func Render(w io.Writer, p Page) error {
	lang, words := wordsOf(p.Lang)
	v := view{
		Title: p.Title, SessionID: p.SessionID, Slug: p.Slug, Lang: lang, Honeypot: Honeypot, Style: style.path, Script: script.path,
		Body: template.HTML(Clean(p.Body)), //nolint:gosec // Clean leaves nothing that runs
		Form: p.Form != nil, Words: words,
	}
	if p.Form != nil {
		v.Inputs, v.Problem = inputsOf(p, words)
	}
	return execute(w, "page", v)
}

func execute(w io.Writer, name string, data any) error {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, data); err != nil {
		return fmt.Errorf("render the %s: %w", name, err)
	}
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("write the %s: %w", name, err)
	}
	return nil
}

// input is a field as the page shows it.
type input struct {
	Field
	ID, Value, Problem, Autocomplete, RequiredWord string
}

// inputsOf gives the form's fields with what was sent and what is wrong with it, and the sentence above them.
func inputsOf(p Page, words words) (inputs []input, problem string) {
	wrong := map[string]errs.Field{}
	if p.Problem != nil {
		failure := errs.From(p.Problem)
		for _, field := range failure.Fields {
			wrong[strings.TrimPrefix(field.Pointer, "#/")] = field
		}
		problem = failure.Message
	}
	for _, field := range p.Form.Fields {
		field.Type = cmp.Or(field.Type, "text")
		in := input{Field: field, ID: "rostrum-" + field.Name, Autocomplete: autocomplete(field), RequiredWord: words.Required}
		if p.Sent != nil {
			in.Value = textOf(p.Sent.Data[field.Name])
		}
		if bad, ok := wrong[field.Name]; ok {
			in.Problem = words.problem(field, bad)
			problem = words.Wrong
		}
		inputs = append(inputs, in)
	}
	return inputs, problem
}

// autocomplete is what browsers and password managers know the field by, in the words of the HTML standard.
func autocomplete(field Field) string {
	switch name := strings.ToLower(field.Name); {
	case field.Type == "email", field.Type == "tel", field.Type == "url":
		return field.Type
	case name == "name", name == "full_name":
		return "name"
	case name == "first_name":
		return "given-name"
	case name == "last_name":
		return "family-name"
	case name == "company", name == "organization", name == "organisation":
		return "organization"
	}
	return ""
}

// Notice is a small page without anything of the owner's.
type Notice string

// The notices: after a form without JavaScript, of a paused or removed link, and of an address that names no link.
const (
	Thanks   Notice = "thanks"
	Gone     Notice = "gone"
	NotFound Notice = "not_found"
)

// RenderNotice writes a notice as HTML; lang is BCP-47, empty for en.
func RenderNotice(w io.Writer, n Notice, lang string) error {
	lang, words := wordsOf(lang)
	text, ok := words.Notices[n]
	if !ok {
		return fmt.Errorf("render the notice: %q is none", n)
	}
	return execute(w, "notice", struct{ Lang, Title, Text, Style string }{lang, text.Title, text.Text, style.path})
}
