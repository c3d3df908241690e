package transport

import (
	"net/http"

	"rostrum/graph/incremental"
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
	spec   incremental.Format // of operations with @defer
}

func (a acceptedFormats) any() bool { return a.json != "" || a.stream || a.mixed }

// specParameter names the draft of incremental delivery that a client reads: a parameter of its media
// type, or on a socket one of the operation's extensions.
const specParameter = "incrementalspec"

// specOf returns the format of the draft with the name. Clients that name none read that of 2022.
func specOf(name any) incremental.Format {
	if name == "v0.2" {
		return incremental.SpecV02
	}
	return incremental.Spec2022
}

// parseAccept returns the formats that the request accepts. A wildcard or no header means plain
// JSON.
func parseAccept(header http.Header) acceptedFormats {
	ranges := web.ParseAccept(header)
	formats := acceptedFormats{stream: ranges.Names(typeStream), mixed: ranges.Names(typeMixed)}
	var best float64
	for _, r := range ranges {
		media := r.Type
		switch media {
		case typeStream, typeMixed:
			if r.Quality > 0 {
				formats.spec = max(formats.spec, specOf(r.Params[specParameter]))
			}
			continue
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
