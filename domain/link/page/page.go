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
	"rostrum/model"
)

// Page is the content of a hosted page.
type Page struct {
	Title string
	// the owner's HTML; Render cleans it again, so that a stricter Clean also applies to stored bodies
	Body      string
	Form      *Form       // nil for no form
	SessionID string      // the viewer's session, sent by the script and the form
	Slug      string      // the link's slug, used in the URLs of reports
	Lang      string      // BCP 47 tag; empty is en
	Sent      *Submission // the values of an invalid submission, shown with Problem
	Problem   error       // the errs.Error of an invalid submission
	Preview   bool        // without the script and without the address that the form is sent to

	Brand *model.Brand // of the owner; nil for none
	Meta  *Meta        // nil for a page that programs are told nothing about
}

// Policy is the Content-Security-Policy of every page and notice: scripts and styles only from
// files of this server, images of this server and over https, and requests only to this server.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// SetHeaders sets the headers of a page: its type, Policy, and no caching, because it contains a
// session. The Referrer-Policy keeps the origin in a submitted form, as browsers would otherwise
// send "Origin: null".
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

// pageView is the data of the page template.
type pageView struct {
	headView
	SessionID, Slug, Honeypot, Script string
	Body                              template.HTML
	Form                              bool
	Problem                           string
	Inputs                            []formInput
	Words                             pageTexts
}

// Render writes the page as HTML. It works without JavaScript; the form posts to
// /api/public/links/{slug}/submissions. If it returns an error of the template, nothing was
// written.
func Render(w io.Writer, p Page) error {
	head, texts := newHead(p.Title, p.Lang, p.Brand)
	head.Meta = p.Meta
	v := pageView{
		headView: head, SessionID: p.SessionID, Slug: p.Slug, Honeypot: Honeypot, Script: scriptAsset.path,
		Body: template.HTML(cleanStored(p.Body)), //nolint:gosec // Clean leaves nothing that runs
		Form: p.Form != nil, Words: texts,
	}
	if p.Preview {
		v.Script = ""
	}
	if p.Form != nil {
		v.Inputs, v.Problem = inputsOf(p, texts)
	}
	return writeTemplate(w, "page", v)
}

func writeTemplate(w io.Writer, name string, data any) error {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, data); err != nil {
		return fmt.Errorf("render the %s: %w", name, err)
	}
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("write the %s: %w", name, err)
	}
	return nil
}

// formInput is a field as the page shows it.
type formInput struct {
	Field
	ID, Value, Problem, Autocomplete, RequiredWord string
}

// inputsOf returns the form's fields with submitted values and their errors, and the message above
// them.
func inputsOf(p Page, texts pageTexts) (inputs []formInput, problem string) {
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
		in := formInput{Field: field, ID: "rostrum-" + field.Name, Autocomplete: autocompleteOf(field),
			RequiredWord: texts.Required}
		if p.Sent != nil {
			in.Value = textOf(p.Sent.Data[field.Name])
		}
		if fieldErr, ok := wrong[field.Name]; ok {
			in.Problem = texts.fieldMessage(field, fieldErr)
			problem = texts.Wrong
		}
		inputs = append(inputs, in)
	}
	return inputs, problem
}

// autocompleteOf returns the autocomplete attribute of a field.
func autocompleteOf(field Field) string {
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

// Notice is a small page without content of the owner.
type Notice string

// Notices: after a form without JavaScript, for a paused or deleted link, for an unknown address,
// for the page of a draft that was withdrawn (with the reason) or is under embargo (with its end), and
// for a link that has ended.
const (
	Thanks    Notice = "thanks"
	Gone      Notice = "gone"
	NotFound  Notice = "not_found"
	Withdrawn Notice = "withdrawn"
	Embargoed Notice = "embargoed"
	Ended     Notice = "ended"
)

// noticeView is the data of the notice's template.
type noticeView struct {
	headView
	Text, Detail string
}

// RenderNotice writes a notice as HTML, with the detail as text below it; lang is a BCP 47 tag and
// empty for en. The brand is nil if the notice shows none. It returns an error for an unknown notice.
func RenderNotice(w io.Writer, n Notice, lang, detail string, brand *model.Brand) error {
	head, texts := newHead("", lang, brand)
	text, ok := texts.Notices[n]
	if !ok {
		return fmt.Errorf("render the notice: %q is none", n)
	}
	head.Title = text.Title
	return writeTemplate(w, "notice", noticeView{head, text.Text, detail})
}
