package extract

import (
	"testing"
	"time"
)

// TestText_published takes the date of a page only from what dates the article.
func TestText_published(t *testing.T) {
	t.Parallel()
	when := func(attributes string) string { return "<time " + attributes + " datetime=2026-03-02>2 March</time>" }
	body := func(dateline, after string) string {
		return "<main><article><h1>Harbour days</h1>" + dateline + articleText + "</article>" + after + "</main>"
	}
	teaser := `<article><h3><a href=/b>The old crane is taken down in spring</a></h3><time datetime=2026-03-05>5 March</time></article>`
	comment := `<div class=comments><p>Ada, <time datetime=2026-03-06>6 March</time></p><p>I have used the ferry for thirty years and never once saw it leave in time, whatever the timetable says about it, and I doubt that it will.</p></div>`
	for name, c := range map[string]struct{ body, want string }{
		"below the title":        {body("<p>By Ana Brito, "+when("")+"</p>", ""), "2026-03-02"},
		"in a header":            {"<header><h1>Harbour days</h1>" + when("") + "</header><main><article>" + articleText + "</article></main>", "2026-03-02"},
		"below the text":         {body("", "<p>"+when("itemprop=datePublished")+"</p>"), "2026-03-02"},
		"first a change":         {body("<time class=updated datetime=2026-03-09>9</time> "+when("class=published"), ""), "2026-03-02"},
		"only a change":          {body("<time itemprop=dateModified datetime=2026-03-09>9 March</time>", ""), ""},
		"a teaser":               {body("", teaser+teaser), ""},
		"a teaser and a date":    {teaser + body(when(""), teaser), "2026-03-02"},
		"a comment":              {body("", comment), ""},
		"a list of news":         {body("", "<ul><li><a href=/a>Tram is late again</a> <time datetime=2026-03-07>7</time></li><li><a href=/b>Why the bakers of the coast hoard rye, and who sells it</a> <time datetime=2026-03-08>8</time></li><li><a href=/c>Pool closed on Monday for repair of a pump, says the council</a></li></ul>"), ""},
		"an event of the text":   {body("", "<p>The bridge was opened on <time datetime=1968-05-03>3 May 1968</time> by the mayor and two hundred people of the town, who had waited for it for eleven years, and it was closed again.</p>"), ""},
		"the year of the rights": {body("", "") + "<footer><p>© 2019 Harbour Post</p></footer>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := extractText(t, New(Config{}), htmlPage("<title>Harbour days</title>", c.body))
			day := ""
			if got.Published != nil {
				day = got.Published.Format(time.DateOnly)
			}
			if day != c.want {
				t.Errorf("published %q, want %q", day, c.want)
			}
		})
	}
}
