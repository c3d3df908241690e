package page

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"rostrum/errs"
)

// Submission is what somebody sent by a form.
type Submission struct {
	Email     string         // the valid address in the first field of type email, else in a field named email
	Name      string         // the field name or full_name, else first_name and last_name
	Data      map[string]any // every field by its name: a text, or a list of them where it was sent more than once; from JSON as it was
	SessionID string         // the page's session, from the field session_id; empty when none was sent
	Spam      bool           // the honeypot was filled: answer as if it was stored, and store nothing
}

const (
	maxSent  = 200 // fields of a submission
	maxName  = 200 // bytes of a field's name
	maxToken = 200 // bytes of a session's id
)

// ReadForm reads a submission: urlencoded, multipart without files, or a JSON object whose members are texts, numbers, booleans,
// null and lists of these. Fields that the form does not have are kept; without a form only a field named email is checked. It
// fails with too_large over 256 KB, unsupported_media_type, malformed_json or bad_request, and with validation_failed naming every
// field that is missing or wrong; the Submission then holds what was sent, so that the page can show it again.
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
		return s, errs.Invalid(errs.BodyField("value_error", "is no session", sessionField))
	}
	s.SessionID = session
	if err := s.check(form); err != nil {
		return s, err
	}
	s.Email, s.Name = emailOf(form, data), nameOf(data)
	return s, nil
}

// check holds the submission to its form.
func (s Submission) check(form *Form) error {
	var bad []errs.Field
	for _, field := range fieldsOf(form) {
		if kind, msg := field.problem(s.Data[field.Name]); msg != "" {
			bad = append(bad, errs.BodyField(kind, msg, field.Name))
		}
	}
	if len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}

// fieldsOf are the fields to check: the form's, and email where the form does not have it.
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
		return value // the form has it as a text
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

// textOf gives a sent value as a text: a list's parts are joined by commas, null is nothing.
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

// checkNames refuses more fields, and longer names, than a form has.
func checkNames(data map[string]any) error {
	if len(data) > maxSent {
		return errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("has more than %d fields", maxSent)))
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if len(name) > maxName {
			return errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("is the beginning of a name of more than %d bytes", maxName), clip(name, 40)))
		}
	}
	return nil
}
