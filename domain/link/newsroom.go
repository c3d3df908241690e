package link

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

const (
	// newsPerPage is the number of texts on a page of a newsroom and in its feed.
	newsPerPage = 20
	// maxNewsPage is the last page of a newsroom that is read.
	maxNewsPage = 500
)

// ServeNewsroom serves GET and HEAD of /newsroom/{slug}, a page of the published texts of a workspace,
// and of its feed. Reading it is no open of a link. Every request reads the database, because a text
// appears in the second in which its embargo ends.
func (s *Service) ServeNewsroom(w http.ResponseWriter, r *http.Request) {
	slug, name, isFile := strings.Cut(strings.TrimPrefix(r.URL.Path, model.NewsroomPath), "/")
	number := newsPageNumber(r)
	if !slugPattern.MatchString(slug) || number == 0 || isFile && (name != page.FeedName || number > 1) {
		s.writeNotice(w, r, stateNone, &linkTarget{})
		return
	}
	shown, err := s.readNewsroom(r, slug, number)
	switch {
	case errs.Is(err, errs.NotFound):
		s.writeNotice(w, r, stateNone, &linkTarget{})
	case err != nil:
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
	case isFile:
		s.serveFeed(w, r, shown)
	default:
		page.SetHeaders(w.Header())
		w.Header().Add("Vary", "Accept-Language")
		if r.Method != http.MethodHead {
			_ = page.RenderNewsroom(w, shown)
		}
	}
}

// newsPageNumber returns the number of the page that a request asks for, or 0 for one that cannot be.
func newsPageNumber(r *http.Request) int {
	asked := r.URL.Query().Get("page")
	if asked == "" {
		return 1
	}
	number, err := strconv.Atoi(asked)
	if err != nil || number < 1 || number > maxNewsPage {
		return 0
	}
	return number
}

// readNewsroom returns a page of a newsroom. It returns errs.NotFound for an unknown slug, and for a
// page after the last.
func (s *Service) readNewsroom(r *http.Request, slug string, number int) (page.Newsroom, error) {
	brand, err := s.config.BrandOfNewsroom(r.Context(), slug)
	if err != nil {
		return page.Newsroom{}, err
	}
	links, err := s.readNews(r.Context(), brand.WorkspaceID, number)
	if err != nil {
		return page.Newsroom{}, err
	}
	if len(links) == 0 && number > 1 {
		return page.Newsroom{}, errs.New(errs.NotFound, "the newsroom has fewer pages")
	}
	shown := page.Newsroom{Brand: brand, URL: s.config.PublicURL + model.NewsroomPath + *brand.NewsroomSlug,
		Lang: page.PreferredLanguage(r.Header.Get("Accept-Language")), Number: number}
	if len(links) > newsPerPage {
		links, shown.HasOlder = links[:newsPerPage], number < maxNewsPage
	}
	for _, link := range links {
		shown.News = append(shown.News, s.newsOf(link))
	}
	return shown, nil
}

func (s *Service) newsOf(link *model.Link) page.News {
	one := page.News{Title: link.Title, Summary: page.Summary(optional.ValueOr(link.Body, "")),
		URL: s.shortURL(link.Slug), Lang: optional.ValueOr(link.Language, ""), PublishedAt: *link.PublishedAt,
		UpdatedAt: link.UpdatedAt}
	if one.UpdatedAt.Before(one.PublishedAt) {
		one.UpdatedAt = one.PublishedAt
	}
	return one
}

// readNews returns the pages of drafts that everybody can read now, newest first, and one more than a
// page of the newsroom has. A page with a password or with a number of opens is not for everybody.
func (s *Service) readNews(ctx context.Context, workspaceID string, number int) ([]*model.Link, error) {
	now, links := s.db.Now(), []*model.Link{}
	err := s.db.NewSelect().Model(&links).Column("slug", "title", "language", "published_at", "updated_at").
		ColumnExpr("substr(body, 1, ?) AS body", page.SummarySource).
		Where("workspace_id = ? AND kind = ? AND draft_id IS NOT NULL", workspaceID, model.LinkKindPage).
		Where("published_at <= ? AND (embargoed_until IS NULL OR embargoed_until <= ?)", now, now).
		Where("is_active AND withdrawn_at IS NULL AND password_hash IS NULL AND max_opens IS NULL").
		Where("(expires_at IS NULL OR expires_at > ?)", now).
		OrderExpr("published_at DESC, id DESC").Limit(newsPerPage + 1).Offset(int64(number-1) * newsPerPage).Scan(ctx)
	return links, dbx.Err(err)
}

// serveFeed serves the Atom feed of a newsroom. A reader that has it already gets 304.
func (s *Service) serveFeed(w http.ResponseWriter, r *http.Request, shown page.Newsroom) {
	logo := ""
	if shown.Brand.Logo != nil {
		logo = s.config.PublicURL + shown.Brand.Logo.Path()
	}
	body, err := page.Feed(shown, logo)
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	sum := sha256.Sum256(body)
	header := w.Header()
	header.Set("Content-Type", "application/atom+xml; charset=utf-8")
	header.Set("Content-Security-Policy", page.Policy)
	header.Set("Cache-Control", "public, no-cache")
	header.Add("Vary", "Accept-Language")
	header.Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
	header.Set("Last-Modified", shown.LastChange().Format(http.TimeFormat))
	// Without a time, as a text that was withdrawn leaves no later one behind.
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// metaOf returns what programs are told about an open page; nil for one with a password.
func (s *Service) metaOf(link *model.Link, shown page.Page) *page.Meta {
	if link.HasPassword() {
		return nil
	}
	meta := &page.Meta{URL: s.shortURL(link.Slug), Description: page.Summary(shown.Body), PublishedAt: link.PublishedAt}
	if shown.Brand != nil {
		meta.SiteName = optional.ValueOr(shown.Brand.Name, "")
		if shown.Brand.Logo != nil {
			meta.Image = s.config.PublicURL + shown.Brand.Logo.Path()
		}
	}
	return meta
}
