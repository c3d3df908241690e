package cli

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/tmaxmax/go-sse"
)

type tailCommand struct {
	access
	Event []string `help:"Only events of this type, such as document.ready; may be repeated."`
	After string   `help:"Begin after the event with this id, instead of now."`
}

// newestEvent reads where the feed of events ends.
const newestEvent = `query NewestEvent { events(last: 1) { nodes { id } } }`

func (c tailCommand) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	after := c.After
	if after == "" {
		if after, err = connection.newestEvent(ctx); err != nil {
			return err
		}
	}
	query := url.Values{"types": c.Event}
	return connection.follow(ctx, "/api/v1/events?"+query.Encode(), after, func(event sse.Event) (bool, error) {
		if c.JSON {
			return true, printAnswer(streams.Out, []byte(event.Data))
		}
		return true, printEvent(streams, event)
	})
}

// newestEvent returns the id of the newest event, or nothing when there is none. A stream that
// begins after it loses no event, even if its connection is lost before the first one.
func (c *Connection) newestEvent(ctx context.Context) (string, error) {
	var data struct {
		Events struct{ Nodes []struct{ ID string } }
	}
	_, err := c.query(ctx, newestEvent, nil, &data)
	switch {
	case isUntrusted(err):
		return c.lastEvent(ctx)
	case err != nil || len(data.Events.Nodes) == 0:
		return "", err
	}
	return data.Events.Nodes[0].ID, nil
}

// lastEvent is newestEvent for a gateway that runs stored operations only: it reads the feed to its
// end.
func (c *Connection) lastEvent(ctx context.Context) (string, error) {
	const most = 1000
	query := url.Values{"first": {strconv.Itoa(most)}}
	for {
		var page struct {
			Events []struct{}
			Next   string `json:"next_cursor"`
		}
		if _, err := c.get(ctx, "/api/v1/events?"+query.Encode(), &page); err != nil {
			return "", err
		}
		if len(page.Events) < most {
			return page.Next, nil
		}
		query.Set("after", page.Next)
	}
}

func printEvent(streams Streams, event sse.Event) error {
	var told struct {
		Event     string
		Timestamp string
		Link      *struct{ Title string }
		Data      json.RawMessage
	}
	if err := json.Unmarshal([]byte(event.Data), &told); err != nil {
		return refused("an event is not Rostrum's: %v", err)
	}
	if told.Event == "stale" {
		return printText(streams.Err, "Events before the next one were dropped.\n")
	}
	about := ""
	if told.Link != nil {
		about = told.Link.Title
	}
	return printText(streams.Out, "%s\t%s\t%s\t%s\n", told.Timestamp, told.Event, oneLine(about), told.Data)
}
