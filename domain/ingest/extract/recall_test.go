package extract

import (
	"testing"
)

const recallTable = `<table><thead><tr><th>Product</th><th>Pack size</th><th>Batch</th><th>Best before</th></tr></thead><tbody>
<tr><td>Smooth peanut butter</td><td>340 g</td><td>L4021</td><td>12 March 2027</td></tr>
<tr><td>Crunchy peanut butter</td><td>340 g</td><td>L4022</td><td>14 March 2027</td></tr>
<tr><td>Date of notice</td><td colspan=3>3 March 2026</td></tr>
<tr><td>Source</td><td colspan=3>Food Standards Agency</td></tr>
<tr><td>Published</td><td colspan=3>2026-03-03</td></tr></tbody></table>`

var recallRows = []string{
	"Product | Pack size | Batch | Best before", "Smooth peanut butter | 340 g | L4021 | 12 March 2027",
	"Crunchy peanut butter | 340 g | L4022 | 14 March 2027",
	"Date of notice | 3 March 2026", "Source | Food Standards Agency", "Published | 2026-03-03",
}

// TestText_recall_notices reads pages whose facts are in a table, as those of food authorities and
// shops.
func TestText_recall_notices(t *testing.T) {
	t.Parallel()
	const reason = "<p>Kestrel Foods is recalling peanut butter because it may contain pieces of metal. The product must not be eaten.</p>"
	const advice = "<h2>Our advice to consumers</h2><p>If you have bought any of the above products do not eat them. Instead, return them to the store from which they were bought for a full refund.</p>"
	frame := func(body string) string {
		return `<header><nav><a href=/>Home</a> <a href=/alerts>Alerts</a></nav></header><main>` + body +
			`</main><footer><p>Crown copyright. All content is available under the licence.</p></footer>`
	}
	for name, page := range map[string]struct {
		body string
		more []string
	}{
		"table first": {frame("<h1>Harbour days</h1>" + recallTable + reason + advice),
			[]string{"may contain pieces of metal", "Our advice to consumers"}},
		"table in between": {frame("<h1>Harbour days</h1>" + reason + "<h2>Product details</h2>" + recallTable +
			advice), []string{"may contain pieces of metal", "Product details"}},
		"table last": {frame("<h1>Harbour days</h1>" + reason + advice + "<h2>Product details</h2>" +
			recallTable), []string{"may contain pieces of metal", "Product details"}},
		"one table":    {frame("<h1>Harbour days</h1>" + recallTable), nil},
		"only a table": {recallTable, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantText(t, page.body, append(page.more, recallRows...), []string{"Crown copyright", "Alerts"})
		})
	}
}
