package operation

import (
	"cmp"
	"crypto/md5"  //nolint:gosec // Relay's ids, which are compared and not trusted
	"crypto/sha1" //nolint:gosec // ids of the client preset, which are compared and not trusted
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"rostrum/errs"
)

// apolloFormat is the member format of Apollo's manifests.
const apolloFormat = "apollo-persisted-query-manifest"

// maxKey is the length of an id in a manifest, in bytes.
const maxKey = 200

// entry is an operation of a manifest.
type entry struct {
	key, text  string
	name, kind string // as the manifest says; empty if it does not
	path       []any  // of the text in the manifest
}

// readManifest returns the operations of a manifest by key. It returns errs.ValidationFailed if it
// is none, and for an id that looks like a hash of the text and is not.
func readManifest(raw json.RawMessage) ([]entry, error) {
	members := gjson.ParseBytes(raw)
	if !members.IsObject() || !json.Valid(raw) {
		return nil, invalidManifest("type_error", "is not an object")
	}
	read := readTexts
	if members.Get("format").Exists() {
		read = readApollo
	}
	entries, err := read(members)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(x, y entry) int { return cmp.Compare(x.key, y.key) })
	return entries, checkKeys(entries)
}

// readApollo reads the manifest that Apollo's tool writes.
func readApollo(members gjson.Result) ([]entry, error) {
	var manifest struct {
		Format     string
		Version    int
		Operations []struct{ ID, Name, Type, Body string }
	}
	if err := json.Unmarshal([]byte(members.Raw), &manifest); err != nil || manifest.Format != apolloFormat || manifest.Version != 1 {
		return nil, invalidManifest("value_error", "has a format that is not known: "+apolloFormat+
			" of version 1 is, and an object of texts by id")
	}
	entries := make([]entry, len(manifest.Operations))
	for i, op := range manifest.Operations {
		entries[i] = entry{keyOf(op.ID), op.Body, op.Name, op.Type, []any{"manifest", "operations", i}}
	}
	return entries, nil
}

// readTexts reads an object of texts by id.
func readTexts(members gjson.Result) (entries []entry, err error) {
	members.ForEach(func(id, text gjson.Result) bool {
		if text.Type != gjson.String {
			err = errs.Invalid(errs.BodyField("type_error", "is not the text of an operation", "manifest", id.String()))
			return false
		}
		entries = append(entries, entry{key: keyOf(id.String()), text: text.String(), path: []any{"manifest", id.String()}})
		return true
	})
	return entries, err
}

// keyOf returns the id by which clients name an operation; hashes are in lower case.
func keyOf(id string) string {
	id = strings.TrimPrefix(id, hashPrefix)
	if lower := strings.ToLower(id); hashHex.MatchString(lower) {
		return lower
	}
	return id
}

func invalidManifest(kind, message string) error {
	return errs.Invalid(errs.BodyField(kind, message, "manifest"))
}

// checkKeys returns an error for ids that cannot name one text each.
func checkKeys(entries []entry) error {
	var invalid errs.FieldErrors
	if len(entries) == 0 {
		invalid.Body("empty", "has no operations", "manifest")
	}
	for i, e := range entries {
		switch kind, is := claimedHash(e.key, e.text); {
		case e.key == "" || len(e.key) > maxKey:
			invalid.Body("string_too_long", fmt.Sprintf("needs an id of 1 to %d bytes", maxKey), e.path...)
		case strings.ContainsFunc(e.key, unicode.IsControl):
			invalid.Body("value_error", "has an id with a control character", e.path...)
		case i > 0 && entries[i-1].key == e.key:
			invalid.Body("conflict", "has the id of another operation: "+e.key, e.path...)
		case kind != "" && is != e.key:
			invalid.Body("value_error", fmt.Sprintf("has the id %s, which is not the %s of its text: that is %s", e.key, kind, is),
				e.path...)
		}
	}
	return invalid.Err()
}

// hashHex matches the hashes that tools use as ids: MD5, SHA-1 and SHA-256.
var hashHex = regexp.MustCompile(`^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$`)

// claimedHash returns the hash that an id has the form of, and the text's; none for another id.
func claimedHash(key, text string) (kind, hash string) {
	if !hashHex.MatchString(key) {
		return "", ""
	}
	switch len(key) {
	case 2 * md5.Size:
		sum := md5.Sum([]byte(text)) //nolint:gosec // see the import
		return "MD5", hex.EncodeToString(sum[:])
	case 2 * sha1.Size:
		sum := sha1.Sum([]byte(text)) //nolint:gosec // see the import
		return "SHA-1", hex.EncodeToString(sum[:])
	case 2 * sha256.Size:
		return "SHA-256", hashOf(text)
	}
	return "", ""
}

// hashPrefix may precede a SHA-256, as the GraphQL over HTTP working group writes it.
const hashPrefix = "sha256:"

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
