package policy

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// maxPersisted is the size in bytes up to which a text is persisted. A longer text runs, but must
// be sent with each request.
const maxPersisted = 100 << 10

var sha256Hex = regexp.MustCompile(`^[0-9a-f]{64}$`)

// persistedHash returns the hash of the automatic persisted queries extension, version 1; empty
// without it. It may have the prefix that GraphQL Code Generator gives it, sha256:.
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
	if hash = strings.TrimPrefix(strings.ToLower(hash), "sha256:"); !sha256Hex.MatchString(hash) {
		return "", errs.New(errs.BadRequest, "extensions.persistedQuery.sha256Hash must be a SHA-256 in hexadecimal")
	}
	return hash, nil
}

// resolvePersisted sets the text of a hash, or persists the text that came with the hash. It does
// not persist texts of anonymous clients. If only stored operations may run, the hash must be one
// of theirs.
func (p *Policy) resolvePersisted(ctx context.Context, q *Request, hash string) error {
	if q.Query == "" {
		var found bool
		var err error
		if q.Query, found, err = p.findPersisted(ctx, q, hash); err != nil {
			return err
		}
		if !found {
			return p.missingError()
		}
		return nil
	}
	if hashText(q.Query) != hash {
		return errs.New(errs.BadRequest, "extensions.persistedQuery.sha256Hash is not the SHA-256 of query")
	}
	if _, err := principal.From(ctx); err == nil && p.persistsTexts() && len(q.Query) <= maxPersisted {
		p.config.Persisted.Add(ctx, hash, q.Query)
	}
	return nil
}

func (p *Policy) findPersisted(ctx context.Context, q *Request, hash string) (string, bool, error) {
	// checkTrust counts the request of a registered operation, so it is only looked up if it is needed.
	if text, ok := p.documents.find(hash); ok {
		return text, true, nil
	}
	if p.persistsTexts() {
		if text, ok := p.config.Persisted.Get(ctx, hash); ok && hashText(text) == hash { // texts from Redis are not trusted
			return text, true, nil
		}
	}
	return p.findRegistered(ctx, q, hash)
}

func (p *Policy) persistsTexts() bool {
	return p.config.Persisted != nil && p.config.Trust != model.TrustedDocumentsEnforce
}

// missingError returns the error that makes a client send the text or stop sending hashes. Clients
// recognize its message.
func (p *Policy) missingError() error {
	switch {
	case p.config.Trust == model.TrustedDocumentsEnforce:
		return errs.New(errs.DocumentNotTrusted, "the hash is not the SHA-256 of a stored or registered operation")
	case p.config.Persisted == nil:
		return errs.New(errs.PersistedQueryNotSupported, "PersistedQueryNotSupported")
	}
	return errs.New(errs.PersistedQueryNotFound, "PersistedQueryNotFound")
}
