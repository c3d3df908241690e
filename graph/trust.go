package graph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"rostrum/errs"
	"rostrum/model"
)

// stored are the operations that front ends may name in documentId instead of sending their text.
type stored struct {
	byID  map[string]string // by name and by hash
	texts map[string]bool
}

// Store makes operations known under their names and the SHA-256 of their texts, in hexadecimal. It is called before anything is served.
func (s *Server) Store(operations map[string]string) {
	s.stored = stored{make(map[string]string, 2*len(operations)), make(map[string]bool, len(operations))}
	for name, text := range operations {
		s.stored.byID[name], s.stored.byID[textHash(text)] = text, text
		s.stored.texts[text] = true
	}
}

// find takes a name, a hash, or a hash behind "sha256:" as the GraphQL over HTTP working group writes it.
func (d stored) find(id string) (string, bool) {
	text, ok := d.byID[strings.TrimPrefix(id, "sha256:")]
	return text, ok
}

func textHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// resolve finds the text of an operation that was sent without one, and refuses a text that may not run before it is parsed.
func (s *Server) resolve(ctx context.Context, q *request) error {
	hash, err := persistedHash(q.Extensions)
	switch {
	case err != nil:
		return err
	case q.DocumentID != "" && q.Query != "":
		return errs.New(errs.BadRequest, "send either documentId or query")
	case q.DocumentID != "":
		text, ok := s.stored.find(q.DocumentID)
		if !ok {
			return errs.New(errs.DocumentNotTrusted, "documentId is neither the name nor the SHA-256 of a stored operation")
		}
		q.Query = text
		return nil
	case hash != "":
		err = s.recall(ctx, q, hash)
	case q.Query == "":
		err = errs.New(errs.BadRequest, "query is missing: send the operation's text, or documentId")
	}
	if err != nil {
		return err
	}
	return s.trusted(ctx, q)
}

// trusted judges a text. What asks for the schema alone may run where the schema is shown.
func (s *Server) trusted(ctx context.Context, q *request) error {
	switch {
	case s.trust != model.TrustedDocumentsLog && s.trust != model.TrustedDocumentsEnforce, s.stored.texts[q.Query]:
		return nil
	case s.trust == model.TrustedDocumentsLog:
		s.note(ctx, q)
		return nil
	case !s.hideSchema && s.introspective(q.Query):
		return nil
	}
	return errs.New(errs.DocumentNotTrusted, "only stored operations run here: send documentId with the name or SHA-256 of one")
}

// introspective reports whether every root field of the text asks about the schema.
func (s *Server) introspective(text string) bool {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, s.limits.Tokens)
	if err != nil {
		return false
	}
	for _, op := range doc.Operations {
		for _, selection := range op.SelectionSet {
			if f, ok := selection.(*ast.Field); !ok || !strings.HasPrefix(f.Name, "__") || op.Operation != ast.Query {
				return false
			}
		}
	}
	return true
}

// remembered is how many texts the log does not repeat.
const remembered = 10_000

func newUntrusted() *lru.Cache[string, struct{}] {
	cache, err := lru.New[string, struct{}](remembered)
	if err != nil {
		panic(err) // only a size below one fails
	}
	return cache
}

// note logs once that a caller sent a text that is not stored; by its hash, since values of the caller's may stand in it.
func (s *Server) note(ctx context.Context, q *request) {
	caller, err := model.PrincipalFrom(ctx)
	if err != nil {
		return // nothing but the schema is shown to nobody
	}
	hash := textHash(q.Query)
	if known, _ := s.untrusted.ContainsOrAdd(hash, struct{}{}); known {
		return
	}
	s.log.WarnContext(ctx, "graph: a document that is not stored was run", "sha256", hash, "bytes", len(q.Query),
		"operation", q.OperationName[:min(len(q.OperationName), 100)], "workspace", caller.WorkspaceID, "key", caller.KeyID)
}
