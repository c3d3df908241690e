package graph

import (
	"mime"
	"strconv"
	"strings"
)

// The media types of the graph's requests and answers.
const (
	typeJSON     = "application/json"
	typeResponse = "application/graphql-response+json"
	typeStream   = "text/event-stream"
	typeMixed    = "multipart/mixed"
	typeForm     = "multipart/form-data"
)

// accept is which forms of an answer a caller reads.
type accept struct {
	json   string // the media type to answer with in one piece; empty when the caller reads none
	stream bool
	mixed  bool
}

func (a accept) any() bool { return a.json != "" || a.stream || a.mixed }

// accepts reads Accept headers; without one, and for wildcards, the answer is plain JSON.
func accepts(headers []string) accept {
	header := strings.Join(headers, ",")
	if header == "" {
		return accept{json: typeJSON}
	}
	var out accept
	var best float64
	for part := range strings.SplitSeq(header, ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		weight := quality(params)
		if err != nil || weight == 0 {
			continue
		}
		switch media {
		case "*/*", "application/*", typeJSON:
			media = typeJSON
			fallthrough
		case typeResponse:
			if weight > best {
				out.json, best = media, weight
			}
		case typeStream:
			out.stream = true
		case typeMixed:
			out.mixed = true
		}
	}
	return out
}

func quality(params map[string]string) float64 {
	q, given := params["q"]
	if !given {
		return 1
	}
	weight, err := strconv.ParseFloat(q, 64)
	if err != nil {
		return 0
	}
	return weight
}

// mediaType reads a Content-Type; a character set other than UTF-8 makes it unreadable.
func mediaType(header string) string {
	media, params, err := mime.ParseMediaType(header)
	if charset := params["charset"]; err != nil || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return ""
	}
	return media
}
