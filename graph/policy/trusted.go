package policy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// Request is an operation as a client sends it: by its text, by the name or hash of a stored
// operation, by the id or hash of one that its workspace has registered, or by the hash of a
// persisted text.
type Request struct {
	graphql.RawParams
	DocumentID    string  `json:"documentId"`
	ID            LooseID `json:"id"` // DocumentID as some clients name it; ignored beside a text
	isRegistered  bool    // its text is registered, and the request is counted
	HasEmptyQuery bool    `json:"-"` // its query is an empty text, which is well-formed and cannot be parsed
}

// LooseID is an id as a text. Another JSON value is ignored, as unknown members are.
type LooseID string

// UnmarshalJSON implements json.Unmarshaler; it returns no error.
func (id *LooseID) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*string)(id)) != nil {
		*id = ""
	}
	return nil
}

// documents holds the stored operations. Clients may name them in documentId instead of sending
// text.
type documents struct {
	byID  map[string]string // by name and by hash
	texts map[string]bool
	kept  map[string]bool // texts, and also texts of this process's operations
}

// StoreDocuments makes operations available by name and by the SHA-256 of their text, in
// hexadecimal. The internal texts are operations of this process; clients cannot name them. The
// analyses of both are kept. Call it before the first request.
func (p *Policy) StoreDocuments(operations map[string]string, internal []string) {
	p.documents = documents{make(map[string]string, 2*len(operations)), make(map[string]bool, len(operations)),
		make(map[string]bool, len(operations)+len(internal))}
	for name, text := range operations {
		p.documents.trust(text)
		p.documents.byID[name], p.documents.kept[text] = text, true
	}
	for _, text := range internal {
		p.documents.kept[text] = true
	}
}

// TrustDocuments makes the texts of a client available like stored operations, by their SHA-256 and
// as text. Call it after StoreDocuments and before the first request.
func (p *Policy) TrustDocuments(texts []string) {
	for _, text := range texts {
		p.documents.trust(text)
	}
}

// trust makes a text available by its hash and as text.
func (d documents) trust(text string) { d.byID[hashText(text)], d.texts[text] = text, true }

// find returns a document by its name or hash. "sha256:" may precede the hash, as the GraphQL over
// HTTP working group writes it.
func (d documents) find(id string) (string, bool) {
	text, ok := d.byID[strings.TrimPrefix(id, "sha256:")]
	return text, ok
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// ResolveDocument sets the text of a request without one. Before the text is parsed, it returns an
// error if there is none or the policy does not trust it.
func (p *Policy) ResolveDocument(ctx context.Context, q *Request) error {
	hash, err := persistedHash(q.Extensions)
	if err == nil {
		err = p.limits.checkLength(q.Query)
	}
	switch {
	case err != nil:
		return err
	case q.DocumentID != "" && q.Query != "":
		return errs.New(errs.BadRequest, "send either documentId or query")
	case q.DocumentID != "":
		return p.resolveID(ctx, q, q.DocumentID)
	case q.ID != "" && q.Query == "" && hash == "":
		return p.resolveID(ctx, q, string(q.ID))
	case hash != "":
		err = p.resolvePersisted(ctx, q, hash)
	case q.Query == "" && !q.HasEmptyQuery:
		err = errs.New(errs.BadRequest, "query is missing: send the operation's text, or documentId")
	}
	if err != nil {
		return err
	}
	return p.checkTrust(ctx, q)
}

// resolveID sets the text that an id names. Those that the workspace has registered come first, so
// that a new stored operation takes no name from them.
func (p *Policy) resolveID(ctx context.Context, q *Request, id string) error {
	text, found, err := p.findRegistered(ctx, q, id)
	if err == nil && !found {
		text, found = p.documents.find(id)
	}
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.DocumentNotTrusted,
			"documentId is neither the name nor the SHA-256 of a stored operation, nor the id of a registered one")
	}
	q.Query = text
	return nil
}

// checkTrust returns an error if only stored and registered operations may run and the text is none.
// A text that only introspects may run unless the schema is hidden.
func (p *Policy) checkTrust(ctx context.Context, q *Request) error {
	trust := p.config.Trust
	registered, err := p.registers(ctx, q)
	switch {
	case err != nil && trust == model.TrustedDocumentsEnforce && !p.documents.texts[q.Query]:
		return err
	case registered, trust != model.TrustedDocumentsLog && trust != model.TrustedDocumentsEnforce, p.documents.texts[q.Query]:
		return nil
	case trust == model.TrustedDocumentsLog:
		p.logUntrusted(ctx, q)
		return nil
	case !p.config.HideSchema && p.onlyIntrospects(q.Query):
		return nil
	}
	return errs.New(errs.DocumentNotTrusted, "only stored and registered operations run here: send documentId with the name, id or SHA-256 of one")
}

// onlyIntrospects reports whether every root field of the text is an introspection field.
func (p *Policy) onlyIntrospects(text string) bool {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, p.limits.Tokens)
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

// loggedDocuments is the number of texts that are remembered to log each of them once.
const loggedDocuments = 10_000

// logUntrusted logs once that an authenticated client sent a text that is not stored. It logs only
// the hash, because the text may hold the client's data.
func (p *Policy) logUntrusted(ctx context.Context, q *Request) {
	principal, err := principal.From(ctx)
	if err != nil {
		return // an anonymous client can only introspect
	}
	hash := hashText(q.Query)
	if known, _ := p.untrusted.ContainsOrAdd(hash, struct{}{}); known {
		return
	}
	p.config.Logger.WarnContext(ctx, "graph: ran an operation that is not stored", "sha256", hash, "bytes",
		len(q.Query),
		"operation", q.OperationName[:min(len(q.OperationName), 100)], "workspace", principal.WorkspaceID, "key",
		principal.KeyID)
}
