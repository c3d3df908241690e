package agent

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"rostrum/model"
)

// MetadataPath is the path of the description of the server as a resource that needs a token (RFC
// 9728). Clients also ask for it without the server's path.
const (
	MetadataPath     = RootMetadataPath + Path
	RootMetadataPath = "/.well-known/oauth-protected-resource"
)

// Metadata returns the description. It names no authorization server, because there is none: keys
// are made in the gateway.
func Metadata(publicURL string) ([]byte, error) {
	return json.Marshal(oauthex.ProtectedResourceMetadata{
		Resource: publicURL + Path, ResourceName: "Rostrum", ResourceDocumentation: publicURL + "/llms.txt",
		ScopesSupported:        []string{string(model.ScopeRead), string(model.ScopeWrite), string(model.ScopeAdmin)},
		BearerMethodsSupported: []string{"header"},
	})
}

// challenge returns the WWW-Authenticate header of a 401 (RFC 6750 and 9728).
func (s *Server) challenge(r *http.Request) string {
	parts := []string{`resource_metadata="` + s.config.PublicURL + MetadataPath + `"`,
		`scope="` + string(model.ScopeRead) + `"`}
	if r.Header.Get("Authorization") != "" {
		parts = append(parts, `error="invalid_token"`)
	}
	return "Bearer " + strings.Join(parts, ", ")
}
