package transport

import (
	"net/http"

	"rostrum/platform/web"
)

// The media types of requests and responses.
const (
	typeJSON     = "application/json"
	typeResponse = "application/graphql-response+json"
	typeStream   = "text/event-stream"
	typeMixed    = "multipart/mixed"
	typeForm     = "multipart/form-data"
)

// acceptedFormats holds the response formats that a client accepts.
type acceptedFormats struct {
	json   string // the media type of a response in one piece; empty when the client accepts none
	stream bool
	mixed  bool
}

func (a acceptedFormats) any() bool { return a.json != "" || a.stream || a.mixed }

// parseAccept returns the formats that the request accepts. A wildcard or no header means plain
// JSON.
func parseAccept(header http.Header) acceptedFormats {
	ranges := web.ParseAccept(header)
	formats := acceptedFormats{stream: ranges.Names(typeStream), mixed: ranges.Names(typeMixed)}
	var best float64
	for _, r := range ranges {
		media := r.Type
		switch media {
		case "*/*", "application/*", typeJSON:
			media = typeJSON
		case typeResponse:
		default:
			continue
		}
		if r.Quality > best {
			formats.json, best = media, r.Quality
		}
	}
	return formats
}
