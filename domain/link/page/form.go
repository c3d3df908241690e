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

// Field is an input of a form.
type Field struct {
	// a letter, then letters, digits, _ and -; at most 64 bytes; the key in Submission.Data
	Name     string `json:"name"`
	Label    string `json:"label"` // at most 200 bytes
	Type     string `json:"type"`  // one of FieldTypes; empty is text
	Required bool   `json:"required"`
}

// FieldTypes are the input types of HTML that a form may use.
var FieldTypes = []string{"text", "email", "tel", "url", "number", "textarea", "checkbox", "date"}

const (
	// Honeypot is the name of a hidden input that only programs fill.
	Honeypot = "rostrum_extra"
	// sessionField is the hidden input with the viewer's session.
	sessionField = "session_id"

	maxFields = 50  // inputs of a form
	maxLabel  = 200 // bytes
)

var fieldName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)

// CheckForm returns errs.ValidationFailed that names every invalid form/fields/N/… below the given
// path: no or over 50 fields, invalid, reserved (session_id, rostrum_…) or duplicate names, empty
// or overlong labels, and unknown types.
func CheckForm(f Form, at ...any) error {
	at = append(slices.Clone(at), "form", "fields")
	switch {
	case len(f.Fields) == 0:
		return errs.Invalid(errs.BodyField("missing", "needs at least one field", at...))
	case len(f.Fields) > maxFields:
		return errs.Invalid(errs.BodyField("too_long", "has more than "+strconv.Itoa(maxFields)+" fields", at...))
	}
	var invalid errs.FieldErrors
	for i, field := range f.Fields {
		wrong := func(member, kind, msg string) {
			invalid.Body(kind, msg, append(slices.Clone(at), i, member)...)
		}
		field.checkDefinition(wrong)
		if slices.ContainsFunc(f.Fields[:i], func(other Field) bool {
			return strings.EqualFold(other.Name, field.Name)
		}) {
			wrong("name", "value_error", "is the name of an earlier field")
		}
	}
	return invalid.Err()
}

// checkDefinition reports the errors of a field, without those that involve other fields.
func (f Field) checkDefinition(wrong func(member, kind, msg string)) {
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

// checkValue returns the error of a submitted value; both results are empty for a valid or an
// absent optional value.
func (f Field) checkValue(sent any) (kind, msg string) {
	value := strings.TrimSpace(textOf(sent))
	if value == "" || f.Type == "checkbox" && slices.Contains([]string{"false", "0", "off", "no"},
		strings.ToLower(value)) {
		if f.Required {
			return "missing", "is required"
		}
		return "", ""
	}
	if check, ok := valueChecks[f.Type]; ok && !check.holds(value) {
		return "value_error", check.msg
	}
	return "", ""
}

// valueChecks validate the types with a fixed format. Telephone numbers have too many formats to be
// checked.
var valueChecks = map[string]struct {
	holds func(string) bool
	msg   string
}{
	"email":  {isEmail, "is not an email address"},
	"url":    {isAddress, "is not an http or https address"},
	"number": {isNumber, "is not a number"},
	"date":   {isDate, "is not a date such as 2026-01-31"},
}

// isEmail reports whether s is an address without a display name (RFC 5322), within the length
// limit of RFC 5321.
func isEmail(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && len(s) <= 254 && !strings.HasSuffix(s, "]")
}

func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// numberPattern is a floating-point number of HTML, without infinities.
var numberPattern = regexp.MustCompile(`^-?(\d+(\.\d+)?|\.\d+)([eE][-+]?\d{1,3})?$`)

func isNumber(s string) bool { return numberPattern.MatchString(s) }

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
