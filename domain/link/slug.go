package link

import (
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
)

// alphabet leaves out what is read for something else: 0 and o, 1, i and l.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// slugLength makes a slug one of 8·10¹⁴, too many to try.
const slugLength = 10

// newSlug makes up a slug that nobody can guess.
func newSlug() string {
	raw := make([]byte, 0, slugLength)
	var random [32]byte
	for len(raw) < slugLength {
		_, _ = rand.Read(random[:]) // never fails
		for _, b := range random {
			if b &= 31; int(b) < len(alphabet) && len(raw) < slugLength {
				raw = append(raw, alphabet[b])
			}
		}
	}
	return string(raw)
}

var goodSlug = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$`)

// reserved are words that an address of this server or of its operator may need.
var reserved = []string{
	"abuse", "account", "admin", "api", "app", "assets", "auth", "billing", "contact", "dashboard", "docs", "favicon", "graphql", "health",
	"healthz", "help", "imprint", "index", "l", "legal", "link", "links", "login", "logout", "metrics", "null", "openapi", "playground",
	"privacy", "public", "readyz", "redoc", "robots", "root", "rostrum", "security", "settings", "signin", "signup", "sitemap", "static",
	"status", "support", "system", "terms", "undefined", "webhook", "webhooks", "well-known", "www",
}

// checkSlug says what keeps a slug from being chosen; it is empty for a good one.
func checkSlug(slug string) string {
	switch {
	case !goodSlug.MatchString(slug):
		return "must have 1 to 64 letters of a to z, digits, - and _, and begin and end with a letter or digit"
	case slices.Contains(reserved, strings.ToLower(slug)):
		return "is a reserved word"
	}
	return ""
}
