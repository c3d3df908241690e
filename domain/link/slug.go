package link

import (
	"crypto/rand"
	"regexp"
	"slices"
	"strings"

	"rostrum/model"
)

// slugAlphabet excludes characters that are easily confused: 0 and o, 1, i and l.
const slugAlphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// slugLength is the length of generated slugs; with 8·10¹⁴ values they cannot be enumerated.
const slugLength = 10

// newSlug returns a random slug.
func newSlug() string {
	raw := make([]byte, 0, slugLength)
	var random [32]byte
	for len(raw) < slugLength {
		_, _ = rand.Read(random[:]) // never fails
		for _, b := range random {
			if b &= 31; int(b) < len(slugAlphabet) && len(raw) < slugLength {
				raw = append(raw, slugAlphabet[b])
			}
		}
	}
	return string(raw)
}

var slugPattern = regexp.MustCompile(model.SlugPattern)

// reservedSlugs are words that a path of this server or its operator may need.
var reservedSlugs = []string{
	"abuse", "account", "admin", "api", "app", "assets", "auth", "billing", "contact", "dashboard", "docs", "favicon",
	"graphql", "health",
	"healthz", "help", "imprint", "index", "l", "legal", "link", "links", "login", "logout", "metrics", "null",
	"openapi", "playground",
	"privacy", "public", "readyz", "redoc", "robots", "root", "rostrum", "security", "settings", "signin", "signup",
	"sitemap", "static",
	"status", "support", "system", "terms", "undefined", "webhook", "webhooks", "well-known", "www",
}

// CheckSlug returns the reason why a slug is invalid, or an empty string.
func CheckSlug(slug string) string {
	switch {
	case !slugPattern.MatchString(slug):
		return model.SlugRule
	case slices.Contains(reservedSlugs, strings.ToLower(slug)):
		return "is a reserved word"
	}
	return ""
}
