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
	Sources   []string // ids of the drafts and documents that it was made from
}

// Embargoed is a text under embargo.
type Embargoed struct {
	Kind, ID  string // for the warning
	Prints    []Print
	Addresses []string // of its source
	Until     time.Time
}

// Warnings returns for each material a warning per text under embargo that it leads to, was made
// from, or has the title or a sentence of.
func Warnings(materials []Material, texts []Embargoed) [][]string {
	out := make([][]string, len(materials))
	index := indexPrints(texts)
	for i, m := range materials {
		out[i] = []string{}
		quoted := index.find(m.Text)
		for j, t := range texts {
			if quoted[j] || t.isAddressed(m.Addresses) || slices.Contains(m.Sources, t.ID) {
				out[i] = append(out[i], fmt.Sprintf("%s %s is under embargo until %s", t.Kind, t.ID,
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
