package party

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
)

const (
	maxIntroductions = 20  // occurrences of a name that are read
	maxIntroduction  = 200 // bytes after a name
)

var (
	// introduction matches the names that a text adds to a full name: (“Kestrel”), (the "Company"
	// or "Kestrel"), (hereinafter “Kestrel”).
	introduction = regexp.MustCompile(`^,?\s*\(([^()\n]*["“”„«][^()\n]*)\)`)
	quotedName   = regexp.MustCompile(`["“”„«]\s*([^"“”„«»]{2,60}?)\s*["“”»]`)
	titleWord    = regexp.MustCompile(`^(?i:mr|mrs|ms|miss|dr|prof|sir|dame|lord|lady|herr|frau|m|mme|señora?|the|der|die|das|le|la|el)\.?$`)
)

// RecordIntroduced adds the aliases that a changed document introduces with its company's or
// executive's full name, as in Kestrel Foods plc (“Kestrel”). It adds no alias that another party
// has or that a person removed.
func (s *Service) RecordIntroduced(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if after == nil || after.Content == nil {
		return nil
	}
	if before == nil {
		before = new(model.Document)
	}
	isSame := func(a, b *string) bool { return optional.ValueOr(a, "") == optional.ValueOr(b, "") }
	sameText := isSame(before.Content, after.Content)
	for _, one := range []struct {
		kind     model.PartyKind
		name, id *string
		same     bool
	}{
		{model.PartyKindCompany, after.Company, after.CompanyID, sameText && isSame(before.CompanyID, after.CompanyID)},
		{model.PartyKindExecutive, after.Executive, after.ExecutiveID, sameText &&
			isSame(before.ExecutiveID, after.ExecutiveID)},
	} {
		if one.same || one.id == nil || one.name == nil {
			continue
		}
		if err := s.addIntroduced(ctx, tx, after.WorkspaceID, one.kind, *one.id,
			introducedNames(*after.Content, *one.name)); err != nil {
			return err
		}
	}
	return nil
}

// addIntroduced stores aliases that a text introduces, up to the limit of a party's aliases.
func (s *Service) addIntroduced(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, id string,
	names []string) error {
	if len(names) == 0 {
		return nil
	}
	known, err := countAliases(ctx, tx, workspaceID, kind, id)
	if err != nil {
		return err
	}
	removed, err := removedKeys(ctx, tx, kind, id)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(removed, model.NameKey(name)) })
	for _, name := range names[:max(0, min(len(names), maxAliases+1-known))] {
		if err := insertAlias(ctx, tx, workspaceID, kind, id, name, model.AliasSourceText); err != nil {
			return err
		}
	}
	return nil
}

// introducedNames returns the aliases directly after a full name: parts of the name, with or
// without a title, or its initials. It leaves out words such as “the Company”, because they mean
// another party in each text.
func introducedNames(text, full string) (names []string) {
	rest := text
	for range maxIntroductions {
		at := strings.Index(rest, full)
		if at < 0 || full == "" {
			return names
		}
		rest = rest[at+len(full):]
		m := introduction.FindStringSubmatch(rest[:min(len(rest), maxIntroduction)])
		if m == nil {
			continue
		}
		for _, quoted := range quotedName.FindAllStringSubmatch(m[1], 3) {
			if isPartOfName(quoted[1], full) && !slices.Contains(names, quoted[1]) {
				names = append(names, quoted[1])
			}
		}
	}
	return names
}

// isPartOfName reports whether an alias has only words of the name and titles, or is its initials.
func isPartOfName(alias, full string) bool {
	words := strings.Fields(model.NameKey(full))
	var initials strings.Builder
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		initials.WriteRune(first)
	}
	key := model.NameKey(alias)
	if key == model.NameKey(full) {
		return false
	}
	parts := slices.DeleteFunc(strings.Fields(key), titleWord.MatchString)
	isKnown := func(part string) bool { return slices.Contains(words, part) }
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool { return !isKnown(part) }) ||
		utf8.RuneCountInString(key) > 1 && strings.HasPrefix(initials.String(), key)
}
