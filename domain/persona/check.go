package persona

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/language"

	"rostrum/errs"
	"rostrum/fetch"
	"rostrum/model"
)

// The most that a persona holds of each list.
const (
	maxListed      = 50
	maxSourceBytes = 100_000 // of all external sources together, and of a note's metadata
)

// faults collects the bad fields of one request.
type faults []errs.Field

func (f *faults) add(kind, msg string, path ...any) {
	*f = append(*f, errs.BodyField(kind, msg, path...))
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return errs.Invalid(f...)
}

// check names every field that cannot be taken, in all but the shape, which the schema has checked.
func (s *Service) check(ctx context.Context, workspaceID string, in model.UpdatePersonaInput) error {
	var bad faults
	s.checkAvatar(&bad, strings.TrimSpace(model.ValueOr(in.AvatarURL.Value(), "")))
	checkSources(&bad, in.ExternalSources.Value())
	checkLanguage(&bad, "responseLanguage", in.ResponseLanguage.Value())
	if len(in.SocialLinks.Value()) > maxListed {
		bad.add("too_long", fmt.Sprintf("must have at most %d entries", maxListed), "socialLinks")
	}
	for i, link := range in.SocialLinks.Value() {
		if msg := s.refused(link.URL); msg != "" {
			bad.add("value_error", msg, "socialLinks", i, "url")
		}
	}
	if err := s.checkDocuments(ctx, &bad, workspaceID, "writingSampleDocumentIds", in.WritingSampleDocumentIds.Value()); err != nil {
		return err
	}
	if id := in.SourcePersonaID.Value(); id != nil {
		if _, err := s.byID(ctx, workspaceID, *id, []string{"id"}); errs.Is(err, errs.NotFound) {
			bad.add("unknown_id", "names no persona of this workspace", "sourcePersonaId")
		} else if err != nil {
			return err
		}
	}
	return bad.err()
}

// checkDocuments names each id that is none of the workspace's documents.
func (s *Service) checkDocuments(ctx context.Context, bad *faults, workspaceID, field string, ids []string) error {
	if len(ids) > maxListed {
		bad.add("too_long", fmt.Sprintf("must have at most %d entries", maxListed), field)
		return nil
	}
	known, err := s.known(ctx, workspaceID, ids)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if !known[id] {
			bad.add("unknown_id", "names no document of this workspace", field, i)
		}
	}
	return nil
}

func (s *Service) known(ctx context.Context, workspaceID string, ids []string) (map[string]bool, error) {
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

// refused says why an address is not taken; it is empty for a good one.
func (s *Service) refused(address string) string {
	_, err := s.addresses.CheckURL(address)
	if err == nil {
		return ""
	}
	if failure, ok := errors.AsType[*fetch.Error](err); ok && failure.Kind == fetch.Blocked {
		return "must not be a private or reserved address"
	}
	return "must be an http or https address without user name and password"
}

func checkSources(bad *faults, sources []json.RawMessage) {
	total := 0
	for i, source := range sources {
		total += len(source)
		if !isObject(source) {
			bad.add("dict_type", "must be an object", "externalSources", i)
		}
	}
	if len(sources) > maxListed || total > maxSourceBytes {
		bad.add("too_long", fmt.Sprintf("must have at most %d entries and %d KB", maxListed, maxSourceBytes/1000), "externalSources")
	}
}

func isObject(raw json.RawMessage) bool {
	return strings.HasPrefix(strings.TrimSpace(string(raw)), "{")
}

// checkLanguage refuses what is not a well-formed BCP-47 tag of registered parts, and the tag for no language.
func checkLanguage(bad *faults, field string, tag *string) {
	if tag == nil {
		return
	}
	if parsed, err := language.Parse(*tag); err != nil || parsed == language.Und {
		bad.add("language_tag", "must be a BCP-47 language tag such as en or pt-BR", field)
	}
}
