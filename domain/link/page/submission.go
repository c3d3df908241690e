package page

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"rostrum/errs"
)

// Submission is a submitted form.
type Submission struct {
	Email string // the valid address of the first field of type email, else of a field named email
	Name  string // the field name or full_name, else first_name and last_name
	// field values by name: a string, or a list if it was sent more than once; unchanged from JSON
	Data      map[string]any
	SessionID string // the session from the field session_id; may be empty
	Spam      bool   // the honeypot was filled: respond as if it was stored, and do not store it
}

const (
	maxSent  = 200 // fields of a submission
	maxName  = 200 // bytes of a field's name
	maxToken = 200 // bytes of a session's id
)

// ReadForm reads a submission: urlencoded, multipart without files, or a JSON object of strings,
// numbers, booleans, null and lists of these. Unknown fields are kept; without a form only a field
// named email is checked. It returns errs.TooLarge over 256 KB, errs.UnsupportedMediaType,
// errs.MalformedJSON or errs.BadRequest, and errs.ValidationFailed that names every invalid field;
// then the Submission holds the sent values, so that the page can show them again.
func ReadForm(w http.ResponseWriter, r *http.Request, form *Form) (Submission, error) {
	data, err := readFields(w, r)
	if err != nil {
		return Submission{}, err
	}
	s := Submission{Data: data, Spam: strings.TrimSpace(textOf(data[Honeypot])) != ""}
	session, isText := data[sessionField].(string)
	_, sent := data[sessionField]
	delete(data, Honeypot)
	delete(data, sessionField)
	if s.Spam {
		return s, nil
	}
	if sent && (!isText || len(session) > maxToken) {
		return s, errs.Invalid(errs.BodyField("value_error", "is not a session", sessionField))
	}
	s.SessionID = session
	if err := s.checkValues(form); err != nil {
		return s, err
	}
	s.Email, s.Name = emailOf(form, data), nameOf(data)
	return s, nil
}

// checkValues returns errs.ValidationFailed that names every invalid value.
func (s Submission) checkValues(form *Form) error {
	var invalid errs.FieldErrors
	for _, field := range fieldsOf(form) {
		if kind, msg := field.checkValue(s.Data[field.Name]); msg != "" {
			invalid.Body(kind, msg, field.Name)
		}
	}
	return invalid.Err()
}

// fieldsOf returns the fields to check: those of the form, and email if the form does not have it.
func fieldsOf(form *Form) []Field {
	email := Field{Name: "email", Type: "email"}
	if form == nil {
		return []Field{email}
	}
	if slices.ContainsFunc(form.Fields, func(f Field) bool { return f.Name == email.Name }) {
		return form.Fields
	}
	return append(slices.Clone(form.Fields), email)
}

func emailOf(form *Form, data map[string]any) string {
	for _, field := range fieldsOf(form) {
		if value := strings.TrimSpace(textOf(data[field.Name])); field.Type == "email" && value != "" {
			return value
		}
	}
	if value := strings.TrimSpace(textOf(data["email"])); isEmail(value) {
		return value // email is a text field of the form
	}
	return ""
}

func nameOf(data map[string]any) string {
	for _, key := range []string{"name", "full_name"} {
		if name := strings.TrimSpace(textOf(data[key])); name != "" {
			return name
		}
	}
	return strings.TrimSpace(textOf(data["first_name"]) + " " + textOf(data["last_name"]))
}

// textOf returns a value as text: lists are joined by commas, null is empty.
func textOf(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case []any:
		parts := make([]string, len(value))
		for i, part := range value {
			parts[i] = textOf(part)
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(value)
}

// checkNames returns an error for too many fields or an overlong name.
func checkNames(data map[string]any) error {
	if len(data) > maxSent {
		return errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("has more than %d fields", maxSent)))
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if len(name) > maxName {
			return errs.Invalid(errs.BodyField("too_long",
				fmt.Sprintf("starts a field name of more than %d bytes", maxName), truncateBytes(name, 40)))
		}
	}
	return nil
}
