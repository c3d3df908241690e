package persona

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/language"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
)

// Limits of a persona's lists.
const (
	maxEntries     = 50
	maxSourceBytes = 100_000 // bytes of all external sources together, and of a feedback's metadata
)

// checkInput returns every invalid field as one error. The schema has validated their types.
func (s *Service) checkInput(ctx context.Context, workspaceID string, in api.UpdatePersonaInput) error {
	var invalid errs.FieldErrors
	s.checkAvatar(&invalid, strings.TrimSpace(optional.ValueOr(in.AvatarURL.Value(), "")))
	checkSources(&invalid, in.ExternalSources.Value())
	checkLanguage(&invalid, "responseLanguage", in.ResponseLanguage.Value())
	if len(in.SocialLinks.Value()) > maxEntries {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", maxEntries), "socialLinks")
	}
	for i, link := range in.SocialLinks.Value() {
		if msg := s.addressProblem(link.URL); msg != "" {
			invalid.Body("value_error", msg, "socialLinks", i, "url")
		}
	}
	if err := s.checkDocuments(ctx, &invalid, workspaceID, "writingSampleDocumentIds",
		in.WritingSampleDocumentIds.Value()); err != nil {
		return err
	}
	if id := in.SourcePersonaID.Value(); id != nil {
		if _, err := s.byID(ctx, workspaceID, *id, []string{"id"}); errs.Is(err, errs.NotFound) {
			invalid.Body("unknown_id", "names no persona of this workspace", "sourcePersonaId")
		} else if err != nil {
			return err
		}
	}
	return invalid.Err()
}

// checkDocuments adds an error for each id that is no document of the workspace.
func (s *Service) checkDocuments(ctx context.Context, invalid *errs.FieldErrors, workspaceID, field string,
	ids []string) error {
	if len(ids) > maxEntries {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", maxEntries), field)
		return nil
	}
	known, err := s.knownDocuments(ctx, workspaceID, ids)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if !known[id] {
			invalid.Body("unknown_id", "names no document of this workspace", field, i)
		}
	}
	return nil
}

func (s *Service) knownDocuments(ctx context.Context, workspaceID string, ids []string) (map[string]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	docs, err := s.documents.ByIDs(ctx, workspaceID, ids, "id")
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(docs))
	for _, doc := range docs {
		known[doc.ID] = true
	}
	return known, nil
}

// addressProblem returns the reason for rejecting an address, or "" if it is valid.
func (s *Service) addressProblem(address string) string {
	_, err := s.addresses.CheckURL(address)
	if err == nil {
		return ""
	}
	if failure, ok := errors.AsType[*fetch.Error](err); ok && failure.Kind == fetch.Blocked {
		return "must not be a private or reserved address"
	}
	return "must be an http or https address without user name and password"
}

func checkSources(invalid *errs.FieldErrors, sources []json.RawMessage) {
	total := 0
	for i, source := range sources {
		total += len(source)
		if !isObject(source) {
			invalid.Body("dict_type", "must be an object", "externalSources", i)
		}
	}
	if len(sources) > maxEntries || total > maxSourceBytes {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries and %d KB", maxEntries, maxSourceBytes/1000),
			"externalSources")
	}
}

func isObject(raw json.RawMessage) bool {
	return strings.HasPrefix(strings.TrimSpace(string(raw)), "{")
}

// checkLanguage adds an error unless the tag is a BCP-47 tag of registered subtags other than und.
func checkLanguage(invalid *errs.FieldErrors, field string, tag *string) {
	if tag == nil {
		return
	}
	if parsed, err := language.Parse(*tag); err != nil || parsed == language.Und {
		invalid.Body("language_tag", "must be a BCP-47 language tag such as en or pt-BR", field)
	}
}
