package coding

import (
	"net/http"
	"strconv"
	"strings"
)

// choice is what a request takes: the coding to use, nil for none, and whether an answer may also go out as it is.
type choice struct {
	best     *coding
	identity bool
	weights  map[string]float64 // nil when the request does not say
}

// takes reports whether an answer may be in that coding.
func (c choice) takes(of *coding) bool {
	q, _ := c.weight(of.name)
	return q > 0
}

// weight is how much a coding is wanted; false when nothing is said of it.
func (c choice) weight(name string) (float64, bool) {
	if q, ok := c.weights[name]; ok {
		return q, true
	}
	q, ok := c.weights["*"]
	return q, ok
}

// choose reads Accept-Encoding (RFC 9110, section 12.5.3). Among codings that are wanted alike it takes the first of ours; one that is
// wanted less than no coding is not used. What cannot be read is passed over.
func choose(header http.Header) choice {
	lines, asked := header["Accept-Encoding"]
	if !asked {
		return choice{identity: true}
	}
	c := choice{weights: weigh(lines)}
	plain, named := c.weight("identity")
	c.identity = plain > 0 || !named
	most := 0.0
	for _, one := range codings {
		if q, _ := c.weight(one.name); q > most && (q >= plain || !named) {
			c.best, most = one, q
		}
	}
	return c
}

// weigh lists the weights of what the lines name.
func weigh(lines []string) map[string]float64 {
	weights := map[string]float64{}
	for _, line := range lines {
		for item := range strings.SplitSeq(line, ",") {
			name, parameter, _ := strings.Cut(item, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			q, ok := weightOf(parameter)
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

// weightOf reads a weight; there is none in an empty parameter, which means 1.
func weightOf(parameter string) (float64, bool) {
	parameter = strings.TrimSpace(parameter)
	if parameter == "" {
		return 1, true
	}
	name, value, _ := strings.Cut(parameter, "=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return q, err == nil && strings.EqualFold(strings.TrimSpace(name), "q") && q >= 0 && q <= 1
}
