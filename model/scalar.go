package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
)

// MarshalTime writes a time as RFC 3339 in UTC.
func MarshalTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		_, _ = io.WriteString(w, strconv.Quote(t.UTC().Format(time.RFC3339Nano)))
	})
}

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly}

// UnmarshalTime parses an ISO-8601 date or date-time; without a zone it is in UTC. It returns an
// error for other values, and for years other than 1 to 9999, because RFC 3339 cannot write them.
func UnmarshalTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, fmt.Errorf("%v is not a string with an ISO-8601 date or date-time", v)
	}
	for _, layout := range timeLayouts {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if t = t.UTC(); t.Year() < 1 || t.Year() > 9999 {
			return time.Time{}, fmt.Errorf("%q is not in the years 1 to 9999 of UTC", s)
		}
		return t.Truncate(time.Microsecond), nil
	}
	return time.Time{}, fmt.Errorf("%q is not an ISO-8601 date or date-time", s)
}

// MarshalString writes text as a JSON string.
func MarshalString(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalString parses text that both databases can store: no invalid UTF-8, no NUL characters.
func UnmarshalString(v any) (string, error) {
	s, err := graphql.UnmarshalString(v)
	if err != nil {
		return "", err
	}
	return s, checkText(s)
}

// MarshalID writes an id as a JSON string.
func MarshalID(s string) graphql.Marshaler { return graphql.MarshalID(s) }

// UnmarshalID parses an id. It returns the same errors as UnmarshalString.
func UnmarshalID(v any) (string, error) {
	s, err := graphql.UnmarshalID(v)
	if err != nil {
		return "", err
	}
	return s, checkText(s)
}

// MarshalURL writes an address as a JSON string.
func MarshalURL(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// localSchemes are the schemes of addresses that run a script or read a file where they are opened.
var localSchemes = []string{"javascript", "vbscript", "data", "blob", "file"}

// UnmarshalURL parses an absolute URL with a host and without user name or password. It accepts no
// address that runs a script or reads a file, for example "javascript://example.com/%0aalert(1)".
// Its errors say what is wrong.
func UnmarshalURL(v any) (string, error) {
	s, err := UnmarshalString(v)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(strings.TrimSpace(s))
	if escape, ok := errors.AsType[url.EscapeError](err); ok {
		return "", fmt.Errorf("has %q, which is no percent-encoding: write %%25 for a per cent sign", string(escape))
	}
	if err != nil || u.Scheme == "" || u.Hostname() == "" || u.User != nil ||
		slices.Contains(localSchemes, strings.ToLower(u.Scheme)) {
		return "", errNoAddress
	}
	if port := u.Port(); port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", fmt.Errorf("has the port %s: the highest is 65535", port)
		}
	}
	return strings.TrimSpace(s), nil
}

var errNoAddress = errors.New("must be a full address such as https://example.com/page, without user name and password")

func checkText(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("the text is not valid UTF-8")
	}
	if strings.ContainsRune(s, 0) {
		return fmt.Errorf("the text contains a NUL character")
	}
	return nil
}

// MarshalJSON writes a JSON value unchanged.
func MarshalJSON(raw json.RawMessage) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		if len(raw) == 0 {
			raw = json.RawMessage("null")
		}
		_, _ = w.Write(raw)
	})
}

// UnmarshalJSON encodes a JSON value. It returns an error for a file, a value that cannot be
// encoded, and a text with a NUL character.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	if err := checkTexts(v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// MarshalJSONObject writes a JSON value unchanged.
func MarshalJSONObject(raw json.RawMessage) graphql.Marshaler { return MarshalJSON(raw) }

// UnmarshalJSONObject is UnmarshalJSON for objects; it returns an error for any other value.
func UnmarshalJSONObject(v any) (json.RawMessage, error) {
	if _, ok := v.(map[string]any); !ok {
		return nil, fmt.Errorf("must be an object")
	}
	return UnmarshalJSON(v)
}

// checkTexts returns checkText's error for a text in a decoded JSON value, member names included,
// and an error for a file of a multipart form.
func checkTexts(v any) error {
	switch v := v.(type) {
	case graphql.Upload:
		return fmt.Errorf("must be JSON, not a file")
	case string:
		return checkText(v)
	case []any:
		for _, element := range v {
			if err := checkTexts(element); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, member := range v {
			if err := cmp.Or(checkText(name), checkTexts(member)); err != nil {
				return err
			}
		}
	}
	return nil
}
