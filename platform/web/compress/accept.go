package compress

import (
	"net/http"
	"strconv"
	"strings"
)

// acceptEncoding is the result of negotiation: the coding to use, nil for none, and whether the
// body may also be sent uncompressed.
type acceptEncoding struct {
	best     *contentCoding
	identity bool
	weights  map[string]float64 // nil when the request has no Accept-Encoding
}

// accepts reports whether the client accepts a coding.
func (a acceptEncoding) accepts(coding *contentCoding) bool {
	q, _ := a.weightOf(coding.name)
	return q > 0
}

// weightOf returns the weight of a coding, and false when neither its name nor * is listed.
func (a acceptEncoding) weightOf(name string) (float64, bool) {
	if q, ok := a.weights[name]; ok {
		return q, true
	}
	q, ok := a.weights["*"]
	return q, ok
}

// negotiate parses Accept-Encoding (RFC 9110, section 12.5.3). Of codings with equal weight it
// selects the first of codings; a coding with a lower weight than identity is not used. Malformed
// items are ignored.
func negotiate(header http.Header) acceptEncoding {
	lines, sent := header["Accept-Encoding"]
	if !sent {
		return acceptEncoding{identity: true}
	}
	a := acceptEncoding{weights: parseWeights(lines)}
	identity, listed := a.weightOf("identity")
	a.identity = identity > 0 || !listed
	highest := 0.0
	for _, coding := range codings {
		if q, _ := a.weightOf(coding.name); q > highest && (q >= identity || !listed) {
			a.best, highest = coding, q
		}
	}
	return a
}

// parseWeights returns the weights of the codings that the header lines list.
func parseWeights(lines []string) map[string]float64 {
	weights := map[string]float64{}
	for _, line := range lines {
		for item := range strings.SplitSeq(line, ",") {
			name, parameter, _ := strings.Cut(item, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			q, ok := parseWeight(parameter)
			if name == "x-gzip" {
				name = "gzip" // the two are equivalent (RFC 9110, section 8.4.1.3)
			}
			if name != "" && ok {
				weights[name] = q
			}
		}
	}
	return weights
}

// parseWeight parses a parameter such as q=0.5; an empty one is 1.
func parseWeight(parameter string) (float64, bool) {
	parameter = strings.TrimSpace(parameter)
	if parameter == "" {
		return 1, true
	}
	name, value, _ := strings.Cut(parameter, "=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return q, err == nil && strings.EqualFold(strings.TrimSpace(name), "q") && q >= 0 && q <= 1
}
