package cli

import (
	"context"
	"net/url"
	"strconv"
)

type linksCommand struct {
	List   linksList   `cmd:"" default:"withargs" help:"List links: id, short address, opens, title (default)."`
	Create linksCreate `cmd:"" help:"Create a short link to an address, and print the short address."`
}

type linksList struct {
	access
	First int    `default:"20" help:"How many links at most."`
	Find  string `help:"Only links with this in title, slug or destination."`
}

// link is a short link.
type link struct {
	ID        string
	Title     string
	ShortURL  string `json:"short_url"`
	OpenCount int    `json:"open_count"`
}

func (c linksList) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	query := url.Values{"per_page": {strconv.Itoa(c.First)}}
	if c.Find != "" {
		query.Set("q", c.Find)
	}
	var page struct{ Links []link }
	answer, err := connection.get(ctx, "/api/v1/links?"+query.Encode(), &page)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	for _, l := range page.Links {
		if err := printText(streams.Out, "%s\t%s\t%d\t%s\n", l.ID, l.ShortURL, l.OpenCount, oneLine(l.Title)); err != nil {
			return err
		}
	}
	return nil
}

type linksCreate struct {
	access
	Destination string `arg:"" name:"address" help:"Where the link leads to."`
	Title       string `help:"The link's name; the address when absent."`
	Slug        string `help:"The last part of the short address; made up when absent."`
}

func (c linksCreate) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	body := map[string]string{"destination_url": c.Destination}
	for name, value := range map[string]string{"title": c.Title, "slug": c.Slug} {
		if value != "" {
			body[name] = value
		}
	}
	var made link
	answer, err := connection.post(ctx, "/api/v1/links", body, &made)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	return printText(streams.Out, "%s\n", made.ShortURL)
}
