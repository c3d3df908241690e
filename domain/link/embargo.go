package link

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// EmbargoWarnings returns warnings per material of the workspace, for each text under embargo that
// the material has.
type EmbargoWarnings func(ctx context.Context, workspaceID string, shared []visibility.Material) ([][]string, error)

// Warnings returns the warnings of each link. A link has a warning if its title or page has a text
// under embargo, if it leads to the address of a document under embargo, or if its page is open and
// is that of a draft under embargo or made from such a document. The number of statements is
// constant; without links there are none.
func (s *Service) Warnings(ctx context.Context, links []*model.Link) ([][]string, error) {
	if len(links) == 0 {
		return nil, nil
	}
	variants, err := s.Variants(ctx, links)
	if err != nil {
		return nil, err
	}
	shared := make([]visibility.Material, len(links))
	for i, link := range links {
		shared[i].Text = link.Title + "\n" + pageText(optional.ValueOr(link.Body, ""))
		shared[i].Addresses = []string{optional.ValueOr(link.DestinationURL, "")}
		if s.showsDraft(link) {
			shared[i].Sources = []string{*link.DraftID}
		}
		for _, v := range variants[i] {
			shared[i].Addresses = append(shared[i].Addresses, v.DestinationURL)
		}
	}
	return s.config.EmbargoWarnings(ctx, principal.Must(ctx).WorkspaceID, shared)
}

// showsDraft reports whether the link's page shows a draft now.
func (s *Service) showsDraft(link *model.Link) bool {
	return link.DraftID != nil && link.WithdrawnAt == nil &&
		(link.EmbargoedUntil == nil || !link.EmbargoedUntil.After(s.db.Now()))
}

// WarningsByID returns the warnings of the links in the order of the ids. An unknown id has none.
func (s *Service) WarningsByID(ctx context.Context, ids []string) ([][]string, error) {
	links, err := s.ByIDs(ctx, principal.Must(ctx).WorkspaceID, optional.Distinct(ids), "id", "workspace_id", "title",
		"body", "destination_url", "draft_id", "withdrawn_at", "embargoed_until")
	if err != nil {
		return nil, err
	}
	warnings, err := s.Warnings(ctx, links)
	if err != nil {
		return nil, err
	}
	byID := make(map[string][]string, len(links))
	for i, link := range links {
		byID[link.ID] = warnings[i]
	}
	out := make([][]string, len(ids))
	for i, id := range ids {
		out[i] = optional.OrEmpty(byID[id])
	}
	return out, nil
}

// pageText returns the text of a page without its markup.
func pageText(body string) string {
	var b strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(body)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(tokens.Text())
			b.WriteByte(' ')
		}
	}
}
