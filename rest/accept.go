package rest

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// accepted picks the operation whose media type the caller likes best (RFC 9110, section 12.5.1); the earlier one of equals, nil when none is acceptable.
func accepted(r *http.Request, operations []*operation) *operation {
	header := strings.Join(r.Header.Values("Accept"), ",")
	if header == "" || operations[0].isFile() { // a file's type is known only when it is made
		return operations[0]
	}
	var best *operation
	most := 0.0
	for _, op := range operations {
		if q := quality(header, op.media()); q > most {
			best, most = op, q
		}
	}
	return best
}

// quality is how much the Accept header likes the media type, from 0 to 1, by its most specific range.
func quality(header, media string) float64 {
	q, closest := 0.0, -1
	for item := range strings.SplitSeq(header, ",") {
		name, parameters, err := mime.ParseMediaType(item)
		if err != nil {
			continue
		}
		if fit := closeness(name, media); fit > closest {
			closest, q = fit, weight(parameters["q"])
		}
	}
	return q
}

// closeness is 2 for the type itself, 1 for its family, 0 for anything and -1 for another.
func closeness(pattern, media string) int {
	family, _, _ := strings.Cut(media, "/")
	switch pattern {
	case media:
		return 2
	case family + "/*":
		return 1
	case "*/*":
		return 0
	}
	return -1
}

func weight(q string) float64 {
	if q == "" {
		return 1
	}
	value, err := strconv.ParseFloat(q, 64)
	if err != nil || value < 0 || value > 1 {
		return 0
	}
	return value
}
