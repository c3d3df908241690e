package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"rostrum/errs"
)

func TestCheckForm(t *testing.T) {
	t.Parallel()
	singleField := func(f Field) Form { return Form{Fields: []Field{f}} }
	many := Form{}
	for i := range maxFields + 1 {
		many.Fields = append(many.Fields, Field{Name: fmt.Sprintf("f%d", i), Label: "a"})
	}
	for name, c := range map[string]struct {
		form    Form
		pointer string // of the only invalid field; empty: the form is valid
	}{
		"every_type":                {contactForm, ""},
		"as many fields as allowed": {Form{Fields: many.Fields[:maxFields]}, ""},
		"no_fields":                 {Form{}, "#/form/fields"},
		"too_many_fields":           {many, "#/form/fields"},
		"no_name":                   {singleField(Field{Label: "a"}), "#/form/fields/0/name"},
		"an_unsafe_name":            {singleField(Field{Name: `a"b`, Label: "a"}), "#/form/fields/0/name"},
		"a_prototype":               {singleField(Field{Name: "__proto__", Label: "a"}), "#/form/fields/0/name"},
		"a_long_name": {singleField(Field{Name: strings.Repeat("a", 65), Label: "a"}),
			"#/form/fields/0/name"},
		"the_honeypot": {singleField(Field{Name: Honeypot, Label: "a"}), "#/form/fields/0/name"},
		"the_session":  {singleField(Field{Name: "Session_ID", Label: "a"}), "#/form/fields/0/name"},
		"a_name_twice": {Form{Fields: []Field{{Name: "a", Label: "a"}, {Name: "A", Label: "b"}}},
			"#/form/fields/1/name"},
		"no_label": {singleField(Field{Name: "a", Label: " "}), "#/form/fields/0/label"},
		"a_long_label": {singleField(Field{Name: "a", Label: strings.Repeat("a", 201)}),
			"#/form/fields/0/label"},
		"an_unknown_type": {singleField(Field{Name: "a", Label: "a", Type: "file"}), "#/form/fields/0/type"},
		"a_type_that_is_hidden": {singleField(Field{Name: "a", Label: "a", Type: "hidden"}),
			"#/form/fields/0/type"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(fieldPointers(CheckForm(c.form)), " "); got != c.pointer {
				t.Errorf("the invalid fields are %q, want %q", got, c.pointer)
			}
		})
	}
	if got := fieldPointers(CheckForm(Form{}, "input")); len(got) != 1 || got[0] != "#/input/form/fields" {
		t.Errorf("below a path the pointers are %v", got)
	}
}

func fieldPointers(err error) []string {
	if err == nil {
		return nil
	}
	var out []string
	for _, field := range errs.From(err).Fields {
		out = append(out, field.Pointer)
	}
	return out
}

const urlencoded = "application/x-www-form-urlencoded"

func readForm(t testing.TB, media, body string, form *Form) (Submission, error) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	if r.Header.Del("Content-Type"); media != "" {
		r.Header.Set("Content-Type", media)
	}
	return ReadForm(httptest.NewRecorder(), r, form)
}

func TestReadForm(t *testing.T) {
	t.Parallel()
	ask := &Form{Fields: []Field{{Name: "email", Label: "Email", Type: "email", Required: true},
		{Name: "ok", Label: "Yes", Type: "checkbox"}}}
	for name, c := range map[string]struct {
		media, body string
		form        *Form
		want        Submission
	}{
		"urlencoded": {urlencoded, "email=ines%40example.org&name=Ines+Okafor&session_id=ses_1&other=x", ask,
			Submission{Email: "ines@example.org", Name: "Ines Okafor", SessionID: "ses_1",
				Data: map[string]any{"email": "ines@example.org", "name": "Ines Okafor", "other": "x"}}},
		"a_charset": {urlencoded + "; charset=UTF-8", "a=%C3%A4", nil, Submission{Data: map[string]any{"a": "ä"}}},
		"json": {"application/json", `{"email":"ines@example.org","first_name":"Ines","last_name":"Okafor","n":12345678901234567890,"ok":true,"none":null,"list":["a",1]}`, ask,
			Submission{Email: "ines@example.org", Name: "Ines Okafor",
				Data: map[string]any{"email": "ines@example.org", "first_name": "Ines", "last_name": "Okafor",
					"n": json.Number("12345678901234567890"), "ok": true, "none": nil,
					"list": []any{"a", json.Number("1")}}}},
		"sent_more_than_once": {urlencoded, "a=1&a=2", nil,
			Submission{Data: map[string]any{"a": []any{"1", "2"}}}},
		"another_field_of_type": {urlencoded, "mail=a%40example.org",
			&Form{Fields: []Field{{Name: "mail", Type: "email"}}},
			Submission{Email: "a@example.org", Data: map[string]any{"mail": "a@example.org"}}},
		"spaces_around": {urlencoded, "email=+a%40example.org+", nil,
			Submission{Email: "a@example.org", Data: map[string]any{"email": " a@example.org "}}},
		"nothing_sent":        {urlencoded, "", nil, Submission{Data: map[string]any{}}},
		"no_name_for_a_value": {urlencoded, "=x", nil, Submission{Data: map[string]any{}}},
		"characters that cannot be stored": {urlencoded, "a=b%00c%FF", nil,
			Submission{Data: map[string]any{"a": "bc\uFFFD"}}},
		"the_honeypot_left_empty": {urlencoded, Honeypot + "=&a=1", nil,
			Submission{Data: map[string]any{"a": "1"}}},
		"the_honeypot_filled": {urlencoded, Honeypot + "=x&email=nonsense", ask,
			Submission{Spam: true, Data: map[string]any{"email": "nonsense"}}},
		"a_text_that_is_a_mailbox": {urlencoded, "email=a%40example.org",
			&Form{Fields: []Field{{Name: "email"}}},
			Submission{Email: "a@example.org", Data: map[string]any{"email": "a@example.org"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readForm(t, c.media, c.body, c.form)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("it is\n%#v, %v, want\n%#v", got, err, c.want)
			}
		})
	}
}

func TestReadFormRefuses(t *testing.T) {
	t.Parallel()
	form := &Form{Fields: []Field{
		{Name: "email", Type: "email", Required: true}, {Name: "ok", Type: "checkbox", Required: true},
		{Name: "site", Type: "url"}, {Name: "n", Type: "number"}, {Name: "day", Type: "date"},
	}}
	right := "email=a%40example.org&ok=yes"
	tooMany := strings.Builder{}
	for i := range maxSent + 1 {
		fmt.Fprintf(&tooMany, "f%d=x&", i)
	}
	for name, c := range map[string]struct {
		media, body string
		code        errs.Code
		pointers    string
	}{
		"nothing":    {urlencoded, "", errs.ValidationFailed, "#/email #/ok"},
		"blank":      {urlencoded, "email=+&ok=yes", errs.ValidationFailed, "#/email"},
		"no_address": {urlencoded, "email=ines&ok=yes", errs.ValidationFailed, "#/email"},
		"a_name_and_an_address": {urlencoded, "email=Ines+%3Ca%40example.org%3E&ok=yes", errs.ValidationFailed,
			"#/email"},
		"two_addresses": {urlencoded, "email=a%40example.org&email=b%40example.org&ok=yes",
			errs.ValidationFailed, "#/email"},
		"a_header_in_an_address": {urlencoded, "email=a%40example.org%0aBcc:b%40example.org&ok=yes",
			errs.ValidationFailed, "#/email"},
		"a_script_for_a_site": {urlencoded, right + "&site=javascript:alert(1)", errs.ValidationFailed, "#/site"},
		"no_number":           {urlencoded, right + "&n=many", errs.ValidationFailed, "#/n"},
		"no_day":              {urlencoded, right + "&day=2026-02-30", errs.ValidationFailed, "#/day"},
		"consent_denied": {"application/json", `{"email":"a@example.org","ok":false}`, errs.ValidationFailed,
			"#/ok"},
		"a_session_that_is_none": {"application/json", `{"session_id":1}`, errs.ValidationFailed, "#/session_id"},
		"an_object_in_a_field":   {"application/json", `{"a":{"b":1}}`, errs.ValidationFailed, "#/a"},
		"a_list_in_a_list":       {"application/json", `{"a":[["b"]]}`, errs.ValidationFailed, "#/a"},
		"a_list":                 {"application/json", `[]`, errs.ValidationFailed, "#"},
		"half_an_object":         {"application/json", `{"a":`, errs.MalformedJSON, ""},
		"two_objects":            {"application/json", `{}{}`, errs.MalformedJSON, ""},
		"too_many_fields":        {urlencoded, tooMany.String(), errs.ValidationFailed, "#"},
		"a_long_name": {urlencoded, strings.Repeat("a", 300) + "=1", errs.ValidationFailed,
			"#/" + strings.Repeat("a", 40)},
		"a_broken_escape": {urlencoded, "a=%zz", errs.BadRequest, ""},
		"no_boundary":     {"multipart/form-data", "x", errs.BadRequest, ""},
		"another_type":    {"text/plain", "a=1", errs.UnsupportedMediaType, ""},
		"no_type":         {"", "a=1", errs.UnsupportedMediaType, ""},
		"too_large":       {urlencoded, "a=" + strings.Repeat("x", maxBody), errs.TooLarge, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readForm(t, c.media, c.body, form)
			if !errs.Is(err, c.code) || strings.Join(fieldPointers(err), " ") != c.pointers {
				t.Errorf("the error is %v, %v; want %s, %s", err, fieldPointers(err), c.code, c.pointers)
			}
		})
	}
}

func TestReadFormOfWhatIsAsLargeAsItMayBe(t *testing.T) {
	t.Parallel()
	if _, err := readForm(t, urlencoded, "a="+strings.Repeat("x", maxBody-2), nil); err != nil {
		t.Error(err)
	}
}

func TestReadFormKeepsWhatWasRefused(t *testing.T) {
	t.Parallel()
	got, err := readForm(t, urlencoded, "email=ines&name=Ines", &contactForm)
	if err == nil || got.Data["name"] != "Ines" || got.Data["email"] != "ines" {
		t.Errorf("it is %v, %v", got, err)
	}
}

func TestReadFormMultipart(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	if err := parts.WriteField("a", "1\r\n2"); err != nil {
		t.Fatal(err)
	}
	plain := body.String()
	got, err := readForm(t, parts.FormDataContentType(), plain+"\r\n--"+parts.Boundary()+"--\r\n", nil)
	if err != nil || got.Data["a"] != "1\r\n2" {
		t.Errorf("it is %v, %v", got, err)
	}
	if _, err := readForm(t, parts.FormDataContentType(), plain, nil); !errs.Is(err, errs.BadRequest) {
		t.Errorf("half a form returns %v", err)
	}
	file, err := parts.CreateFormFile("cv", "cv.pdf")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(file, "%PDF")
	parts.Close()
	if _, err := readForm(t, parts.FormDataContentType(), body.String(), nil); strings.Join(fieldPointers(err),
		" ") != "#/cv" {
		t.Errorf("a file returns %v", err)
	}
}

func FuzzReadForm(f *testing.F) {
	f.Add(urlencoded, "email=a%40b.c&a=1&a=2&=x&session_id=s")
	f.Add("application/json", `{"a":[1,"b",null,{"c":[]}],"email":"x","rostrum_extra":"y"}`)
	f.Add("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n")
	f.Add("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x\"\r\n\r\n1\r\n--b--\r\n")
	f.Fuzz(func(t *testing.T, media, body string) {
		s, err := readForm(t, media, body, &contactForm)
		if err != nil && errs.From(err).Code == errs.Internal {
			t.Errorf("%q returns an internal error: %v", body, err)
		}
		if _, ok := s.Data[Honeypot]; ok || len(s.Data) > maxSent {
			t.Errorf("the data is %v", s.Data)
		}
		if text, err := json.Marshal(s.Data); err != nil || strings.Contains(string(text), `\u0000`) {
			t.Errorf("the data cannot be stored: %s, %v", text, err)
		}
		if s.Email != "" && !isEmail(s.Email) || !utf8.ValidString(s.Name+s.SessionID) {
			t.Errorf("%+v", s)
		}
	})
}
