package app

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// settingErrors returns the error of settings that cannot be parsed, by the names of their variables
// and with what to write. It contains no values, because one may have a key.
func settingErrors(err error) error {
	parsing, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return fmt.Errorf("read settings: %w", err)
	}
	var all []error
	for _, one := range parsing.Errors {
		if of, ok := errors.AsType[env.ParseError](one); ok {
			one = describeSetting(of.Name)
		}
		all = append(all, one)
	}
	return errors.Join(all...)
}

// describeSetting says how the setting of a field of Config is written.
func describeSetting(name string) error {
	field, ok := reflect.TypeFor[Config]().FieldByName(name)
	if !ok {
		return fmt.Errorf("the setting %s cannot be read", name)
	}
	written := "as docs/settings.md says"
	kind := field.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch {
	case kind == reflect.TypeFor[time.Duration]():
		written = "a duration with its unit, such as 30s, 5m or 24h"
	case kind == reflect.TypeFor[[]netip.Prefix]():
		written = "networks with commas between them, such as 10.0.0.0/8,fd00::/8"
	case kind == reflect.TypeFor[modelServers]():
		written = `a list in JSON, such as [{"base_url": "https://models.example/v1", "model": "name"}]`
	case kind.Kind() == reflect.Int:
		written = "a whole number, such as " + field.Tag.Get("envDefault")
	case kind.Kind() == reflect.Float64:
		written = "a number, such as 2.5"
	case kind.Kind() == reflect.Bool:
		written = "true or false"
	}
	return fmt.Errorf("%s is %s", field.Tag.Get("env"), written)
}

// validateAddresses returns an error for an address with a scheme that its setting does not have.
func (c Config) validateAddresses() error {
	web := []string{"http", "https"}
	for _, s := range []struct {
		name, value, otherwise string
		schemes                []string
	}{
		{"DATABASE_URL", c.Database, "SQLite in ROSTRUM_DATA_DIR", []string{"postgres", "postgresql"}},
		{"REDIS_URL", c.Redis, "an embedded Redis", []string{"redis", "rediss", "unix"}},
		{"ROSTRUM_PUBLIC_URL", c.PublicURL, "the listen address", web},
		{"LLM_BASE_URL", c.LLMBaseURL, "the offline engine", web},
		{"OIDC_ISSUER", c.OIDCIssuer, "sign-in by password alone", web},
		{"ROSTRUM_MAIL_URL", c.MailURL, "no mails", []string{"smtp", "smtps"}},
	} {
		scheme, _, isURL := strings.Cut(s.value, "://")
		isFile := s.name == "DATABASE_URL" && !isURL // a path of a SQLite file
		if s.value == "" || isFile || isURL && slices.Contains(s.schemes, strings.ToLower(scheme)) {
			continue
		}
		return fmt.Errorf("%s begins with %s://; leave it empty for %s", s.name, strings.Join(s.schemes, ":// or "),
			s.otherwise)
	}
	return nil
}
