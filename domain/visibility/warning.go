package visibility

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Material is published outside the workspace: by a link, an export or a webhook.
type Material struct {
	Addresses []string // destinations
	Text      string   // without markup
}

// Embargoed is a text under embargo.
type Embargoed struct {
	Name      string // the kind and the id, for the warning
	Prints    []Print
	Addresses []string // of its source
	Until     time.Time
}

// Warnings returns for each material a warning per text under embargo that it leads to, or has the
// title or a sentence of.
func Warnings(materials []Material, texts []Embargoed) [][]string {
	out := make([][]string, len(materials))
	index := indexPrints(texts)
	for i, m := range materials {
		out[i] = []string{}
		quoted := index.find(m.Text)
		for j, t := range texts {
			if quoted[j] || t.isAddressed(m.Addresses) {
				out[i] = append(out[i], fmt.Sprintf("%s is under embargo until %s", t.Name,
					t.Until.UTC().Format(time.RFC3339)))
			}
		}
	}
	return out
}

// isAddressed reports whether one of the addresses is an address of the text.
func (t Embargoed) isAddressed(addresses []string) bool {
	return slices.ContainsFunc(addresses, func(address string) bool {
		address = strings.TrimRight(address, "/")
		return address != "" && slices.ContainsFunc(t.Addresses,
			func(own string) bool { return strings.TrimRight(own, "/") == address })
	})
}
