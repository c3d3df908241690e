package cli

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
)

type reactCommand struct {
	access
	Document string   `arg:"" help:"The document's id."`
	Persona  []string `help:"A persona by id or exact name; may be repeated. All active personas of the audience when neither this nor a category is given."`
	Category []string `help:"An audience category, whose active personas react; may be repeated."`
}

// persona is a persona of the workspace.
type persona struct {
	ID         string
	Name       string
	IsActive   bool `json:"is_active"`
	InAudience bool `json:"include_in_audience"`
}

func (c reactCommand) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	var all struct{ Personas []persona }
	if _, err := connection.get(ctx, "/api/v1/personas?summary=true", &all); err != nil {
		return err
	}
	chosen, err := c.choose(all.Personas)
	if err != nil {
		return err
	}
	body := map[string]any{"document_id": c.Document, "persona_ids": chosen, "categories": c.Category}
	var started struct {
		JobID string `json:"job_id"`
	}
	answer, err := connection.post(ctx, "/api/v1/personas/reactions/async", body, &started)
	if err == nil && c.JSON {
		err = printAnswer(streams.Out, answer)
	}
	if err != nil {
		return err
	}
	ended, err := watchJob(ctx, connection, streams, started.JobID, "reactions", c.JSON)
	if err != nil {
		return err
	}
	if err := ended.failure(); err != nil {
		return err
	}
	return c.printReactions(ctx, connection, streams, all.Personas, chosen)
}

// choose returns the ids of the personas that are to react.
func (c reactCommand) choose(all []persona) ([]string, error) {
	ids := []string{}
	if len(c.Persona) == 0 && len(c.Category) == 0 {
		for _, p := range all {
			if p.IsActive && p.InAudience {
				ids = append(ids, p.ID)
			}
		}
	}
	for _, wanted := range c.Persona {
		at := slices.IndexFunc(all, func(p persona) bool { return p.ID == wanted || p.Name == wanted })
		if at < 0 {
			return nil, refused("there is no persona with the id or name %s", wanted)
		}
		ids = append(ids, all[at].ID)
	}
	return ids, nil
}

// mostReactions is the largest page of reactions.
const mostReactions = 100

// printReactions prints the reactions of the chosen personas, and with a category all of them.
func (c reactCommand) printReactions(ctx context.Context, connection *Connection, streams Streams, all []persona,
	chosen []string) error {
	var page struct {
		Reactions []struct {
			PersonaID    string `json:"persona_id"`
			Status       string
			Rating       *float64
			Sentiment    string
			Text         string
			ErrorMessage string `json:"error_message"`
		}
	}
	answer, err := connection.get(ctx, "/api/v1/documents/"+url.PathEscape(c.Document)+"/reactions?per_page="+
		strconv.Itoa(mostReactions), &page)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	for _, r := range page.Reactions {
		if len(c.Category) == 0 && !slices.Contains(chosen, r.PersonaID) {
			continue
		}
		name, rating := r.PersonaID, "-"
		if r.Rating != nil {
			rating = strconv.FormatFloat(*r.Rating, 'g', -1, 64)
		}
		if at := slices.IndexFunc(all, func(p persona) bool { return p.ID == r.PersonaID }); at >= 0 {
			name = all[at].Name
		}
		if err := printText(streams.Out, "%s\t%s\t%s\n    %s\n", oneLine(name), cmp.Or(r.Sentiment, "-"), rating,
			oneLine(r.Text+r.ErrorMessage)); err != nil {
			return err
		}
	}
	return nil
}
