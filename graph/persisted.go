package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/model"
)

// persistable is how many bytes a text may have that is kept by its hash; a longer one runs and is sent again the next time.
const persistable = 100 << 10

var hexHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// persistedHash reads the extension of automatic persisted queries, version 1; empty when it was not sent.
func persistedHash(extensions map[string]any) (string, error) {
	given, ok := extensions["persistedQuery"]
	if !ok || given == nil {
		return "", nil
	}
	members, _ := given.(map[string]any)
	if version, _ := members["version"].(json.Number); version != "1" {
		return "", errs.New(errs.BadRequest, "extensions.persistedQuery.version must be 1")
	}
	hash, _ := members["sha256Hash"].(string)
	if hash = strings.ToLower(hash); !hexHash.MatchString(hash) {
		return "", errs.New(errs.BadRequest, "extensions.persistedQuery.sha256Hash must be a SHA-256 in hexadecimal")
	}
	return hash, nil
}

// recall finds the text of a hash, or keeps the text that came with it. Where only stored operations run the hash can only be one of
// theirs. What nobody signed for is not kept.
func (s *Server) recall(ctx context.Context, q *request, hash string) error {
	if q.Query == "" {
		var found bool
		if q.Query, found = s.byHash(ctx, hash); !found {
			return s.forgotten()
		}
		return nil
	}
	if textHash(q.Query) != hash {
		return errs.New(errs.BadRequest, "extensions.persistedQuery.sha256Hash is not the SHA-256 of query")
	}
	if _, err := model.PrincipalFrom(ctx); err == nil && s.persists() && len(q.Query) <= persistable {
		s.persisted.Add(ctx, hash, q.Query)
	}
	return nil
}

func (s *Server) byHash(ctx context.Context, hash string) (string, bool) {
	if text, ok := s.stored.find(hash); ok || !s.persists() {
		return text, ok
	}
	text, ok := s.persisted.Get(ctx, hash)
	return text, ok && textHash(text) == hash // Redis is no place to trust a text from
}

func (s *Server) persists() bool {
	return s.persisted != nil && s.trust != model.TrustedDocumentsEnforce
}

// forgotten tells a client to send the text, or that it need not.
func (s *Server) forgotten() error {
	switch {
	case s.trust == model.TrustedDocumentsEnforce:
		return errs.New(errs.DocumentNotTrusted, "the hash is not the SHA-256 of a stored operation")
	case s.persisted == nil:
		return protocolError(persistedNotSupported, "PersistedQueryNotSupported")
	}
	return protocolError(persistedNotFound, "PersistedQueryNotFound")
}

func protocolError(code, message string) error {
	return &gqlerror.Error{Err: fmt.Errorf("%s", message), Message: message, Extensions: map[string]any{"code": code}}
}
