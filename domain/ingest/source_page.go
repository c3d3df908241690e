package ingest

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

const (
	// previewedGroups is the number of beginnings of addresses that a preview of a page shows, with
	// previewedEntries links of each.
	previewedGroups = 10
	// previewedLinks is the number of links that would come in that a preview of a page shows.
	previewedLinks = 50
	// maxFolders is how many folders of an address, from the first one, are compared.
	maxFolders = 6
)

// linksUnder returns the links that begin with the prefix and go on.
func linksUnder(links []extract.FeedEntry, prefix string) []extract.FeedEntry {
	return slices.DeleteFunc(links, func(e extract.FeedEntry) bool {
		return !strings.HasPrefix(e.URL, prefix) || e.URL == prefix
	})
}

// parseListing reads what a source lists. A page that has no link that begins with the prefix is
// errs.NotFound, unless a poll before had some.
func parseListing(src *model.Source, source extract.Source) (*extract.Listing, error) {
	if src.LinkPrefix == nil {
		return extract.ParseFeed(source)
	}
	page, err := extract.ReadPage(source)
	if err != nil {
		return nil, err
	}
	page.Entries = linksUnder(page.Entries, *src.LinkPrefix)
	if len(page.Entries) == 0 && !src.IsKnown {
		return nil, errs.New(errs.NotFound, "no link on the page begins with %s; preview the address to see its links, which "+
			"a script may add only in a browser", *src.LinkPrefix)
	}
	return page, nil
}

// checkLinkPrefix normalizes the beginning of the links of a page as those are, and notes an invalid
// one.
func (s *Service) checkLinkPrefix(invalid *errs.FieldErrors, src *model.Source) {
	isPage := src.Kind == model.SourceKindPage
	switch {
	case isPage && src.LinkPrefix == nil:
		invalid.Body("missing", "is required for a page", "linkPrefix")
	case !isPage && src.LinkPrefix != nil:
		invalid.Body("not_allowed", "must be absent: only a page has it", "linkPrefix")
	case isPage:
		prefix, err := s.normalAddress(*src.LinkPrefix)
		if err != nil {
			invalid.Body("bad_url", refusalOf(err).Message, "linkPrefix")
		}
		src.LinkPrefix = &prefix
	}
}

// normalAddress returns an address, or the beginning of addresses, in the spelling of the links of a
// page.
func (s *Service) normalAddress(text string) (string, error) {
	address, err := s.fetch.CheckURL(text)
	if err != nil {
		return "", err
	}
	return extract.NormalAddress(address), nil
}

// spelled returns an address in the spelling of the links of a page, and an invalid one without white
// space at its ends.
func (s *Service) spelled(text string) string {
	if normal, err := s.normalAddress(text); err == nil {
		return normal
	}
	return strings.TrimSpace(text)
}

// linkGroups returns beginnings that links of a page share, the one with the most links first, of
// two the longer one, and those of whole hosts last. The first one is a proposal if it is a folder. A folder whose links are
// all in a longer one is left out. Links to the page with another query count for its host only.
func linkGroups(page string, links []extract.FeedEntry) []*api.SourceLinkGroup {
	page, _, _ = strings.Cut(page, "?")
	found := map[string]*api.SourceLinkGroup{}
	groups := []*api.SourceLinkGroup{}
	for _, link := range links {
		folders := foldersOf(link.URL)
		if own, _, _ := strings.Cut(link.URL, "?"); own == page {
			folders = folders[:min(len(folders), 1)]
		}
		for _, folder := range folders {
			group := found[folder]
			if group == nil {
				group = &api.SourceLinkGroup{LinkPrefix: folder, Links: []*api.SourceLink{}}
				found[folder], groups = group, append(groups, group)
			}
			if group.LinkCount++; group.LinkCount <= previewedEntries {
				group.Links = append(group.Links, &api.SourceLink{URL: link.URL, Title: optional.NonEmpty(link.Title)})
			}
		}
	}
	for _, group := range groups {
		if parent := found[parentOf(group.LinkPrefix)]; parent != nil && parent.LinkCount == group.LinkCount {
			delete(found, parent.LinkPrefix)
		}
	}
	groups = slices.DeleteFunc(groups, func(g *api.SourceLinkGroup) bool {
		return g.LinkCount < 2 || found[g.LinkPrefix] != g
	})
	slices.SortStableFunc(groups, func(a, b *api.SourceLinkGroup) int {
		return cmp.Or(hostRank(a)-hostRank(b), b.LinkCount-a.LinkCount, len(b.LinkPrefix)-len(a.LinkPrefix))
	})
	if len(groups) > 0 {
		groups[0].IsProposed = hostRank(groups[0]) == 0
	}
	return groups[:min(len(groups), previewedGroups)]
}

// hostRank returns 1 for the beginning of a whole host and 0 for a folder.
func hostRank(group *api.SourceLinkGroup) int {
	if parentOf(group.LinkPrefix) == "" {
		return 1
	}
	return 0
}

// parentOf returns the folder that a folder is in, or "" for a whole host.
func parentOf(folder string) string {
	up := folder[:strings.LastIndexByte(strings.TrimSuffix(folder, "/"), '/')+1]
	if strings.HasSuffix(up, "://") {
		return ""
	}
	return up
}

// foldersOf returns the folders that an address is in, the host's first. A folder named by a number
// only, such as a year, ends them, because later links are in another one.
func foldersOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	folder := u.Scheme + "://" + u.Host + "/"
	folders := []string{folder}
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	for _, part := range parts[:min(len(parts)-1, maxFolders)] {
		if strings.Trim(part, "0123456789") == "" {
			break
		}
		folder += part + "/"
		folders = append(folders, folder)
	}
	return folders
}
