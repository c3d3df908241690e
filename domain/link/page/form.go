package page

import (
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rostrum/errs"
)

// Form is the form of a page.
type Form struct {
	Fields []Field `json:"fields"`
}

// Field is one input of a form.
type Field struct {
	Name     string `json:"name"`  // a letter, then letters, digits, _ and -; at most 64 bytes; the key in Submission.Data
	Label    string `json:"label"` // at most 200 bytes
	Type     string `json:"type"`  // one of FieldTypes; empty is text
	Required bool   `json:"required"`
}

// FieldTypes are the kinds of input, as HTML names them.
var FieldTypes = []string{"text", "email", "tel", "url", "number", "textarea", "checkbox", "date"}

const (
	// Honeypot is the name of an input that no person sees; what fills it is a program.
	Honeypot = "rostrum_extra"
	// sessionField is the hidden input that carries the viewer's session.
	sessionField = "session_id"

	maxFields = 50  // inputs of a form
	maxLabel  = 200 // bytes
)

var fieldName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)

// CheckForm fails with validation_failed when a form cannot be shown, naming every form/fields/N/… that is wrong below the path
// that is given: no or over 50 fields, names that are unsafe, reserved (session_id, rostrum_…) or twice there, empty or overlong
// labels, unknown types.
func CheckForm(f Form, at ...any) error {
	at = append(slices.Clone(at), "form", "fields")
	switch {
	case len(f.Fields) == 0:
		return errs.Invalid(errs.BodyField("missing", "needs at least one field", at...))
	case len(f.Fields) > maxFields:
		return errs.Invalid(errs.BodyField("too_long", "has more than "+strconv.Itoa(maxFields)+" fields", at...))
	}
	var bad []errs.Field
	for i, field := range f.Fields {
		wrong := func(member, kind, msg string) {
			bad = append(bad, errs.BodyField(kind, msg, append(slices.Clone(at), i, member)...))
		}
		field.check(wrong)
		if slices.ContainsFunc(f.Fields[:i], func(other Field) bool { return strings.EqualFold(other.Name, field.Name) }) {
			wrong("name", "value_error", "is the name of an earlier field")
		}
	}
	if len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}

// check tells what is wrong with a field by itself.
func (f Field) check(wrong func(member, kind, msg string)) {
	lower := strings.ToLower(f.Name)
	switch {
	case !fieldName.MatchString(f.Name):
		wrong("name", "value_error", "must be a letter, followed by at most 63 letters, digits, _ and -")
	case lower == sessionField || strings.HasPrefix(lower, "rostrum_"):
		wrong("name", "value_error", "is reserved")
	}
	switch {
	case strings.TrimSpace(f.Label) == "":
		wrong("label", "missing", "is required")
	case len(f.Label) > maxLabel:
		wrong("label", "too_long", "is longer than "+strconv.Itoa(maxLabel)+" bytes")
	}
	if f.Type != "" && !slices.Contains(FieldTypes, f.Type) {
		wrong("type", "enum", "must be one of "+strings.Join(FieldTypes, ", "))
	}
}

// problem says what is wrong with a value that was sent for the field, and nothing of one that is right or absent and not required.
func (f Field) problem(sent any) (kind, msg string) {
	value := strings.TrimSpace(textOf(sent))
	if value == "" || f.Type == "checkbox" && slices.Contains([]string{"false", "0", "off", "no"}, strings.ToLower(value)) {
		if f.Required {
			return "missing", "is required"
		}
		return "", ""
	}
	if check, ok := checks[f.Type]; ok && !check.holds(value) {
		return "value_error", check.msg
	}
	return "", ""
}

// checks are the types whose values have a form of their own. Telephone numbers are written in too many ways to be checked.
var checks = map[string]struct {
	holds func(string) bool
	msg   string
}{
	"email":  {isEmail, "is not an email address"},
	"url":    {isAddress, "is not an http or https address"},
	"number": {isNumber, "is not a number"},
	"date":   {isDate, "is not a date such as 2026-01-31"},
}

// isEmail takes an address alone, without a name beside it, as RFC 5322 writes it and RFC 5321 bounds it.
func isEmail(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && len(s) <= 254 && !strings.HasSuffix(s, "]")
}

func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// number is how HTML writes a number; infinities are none.
var number = regexp.MustCompile(`^-?(\d+(\.\d+)?|\.\d+)([eE][-+]?\d{1,3})?$`)

func isNumber(s string) bool { return number.MatchString(s) }

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
