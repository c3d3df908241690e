package integration

import (
	"strings"
	"testing"

	"rostrum/test/kit"
)

// countedEdges are operations whose statements must not grow with rows, by what they follow.
var countedEdges = map[string]string{
	"comms filters": `{ commsFilters { filters tags(first: 9) { totalCount nodes { name hiddenCount workspace { name } examples(first: 9) { totalCount nodes { title document { title } } } } } } }`,
	"values":        `{ autoTags { nodes { filterTag { name hiddenCount } values(first: 9) { totalCount nodes { value documentCount } } } } }`,
	"workspace":     `{ workspace { commsFilterTags(first: 9) { nodes { name } } } viewer { workspaces(first: 9) { totalCount nodes { name workspace { name } } } } linkableTags(first: 9) { nodes { name } } documents(first: 50) { nodes { hiddenBy { name filterTag { name hiddenCount } } } } }`,
	"voices":        `{ executiveVoices { voices(first: 50) { totalCount nodes { executiveName workspace { name } executive { name } persona { name executive { name } } } } } }`,
	"jobs":          `{ jobs(first: 50) { nodes { draft { title } personas { name } } } }`,
	"drafts":        `{ drafts(first: 50) { nodes { title personas { name } job { status } jobs(first: 3) { totalCount nodes { note status } } } } }`,
	"interactions":  `{ workspace { interactions(first: 50) { nodes { inputContent job { status } } } } }`,
	"summaries":     `{ audienceSummaries(first: 50) { nodes { category reactions(first: 3) { totalCount nodes { text persona { name } } } } } }`,
	"themes":        `{ audienceSummaries(first: 20) { nodes { report { topThemes { theme reactions { persona { name } } } topActions { reactions { text } } topRisks { reactions { text } } } quotes { reaction { text } document { title } } } } }`,
}

// TestEdges_counted checks that the edges of summaries, filters, voices, drafts and jobs take no
// more SQL statements for more rows.
func TestEdges_counted(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		rows := newScreenRows(t, a, a.OpenDB(t), "Mark")
		counts := map[string][]int64{}
		for _, more := range []int{5, 45} {
			for range more {
				rows.add()
			}
			for name, query := range countedEdges {
				n, text := runCounted(t, a, query, nil)
				if !strings.Contains(text, "Mark") {
					t.Errorf("%s: there is no row in %s", name, text)
				}
				counts[name] = append(counts[name], n)
			}
		}
		for name, n := range counts {
			if n[0] != n[1] {
				t.Errorf("%s: %d statements with 5 rows and %d with 50", name, n[0], n[1])
			}
		}
		t.Log("statements", counts)
	})
}
