package extract

import (
	"strings"
	"testing"

	"rostrum/model"
)

// wantText checks that the text of a page contains the lines of in and none of out.
func wantText(t *testing.T, body string, in, out []string) *Result {
	t.Helper()
	got := extractText(t, New(Config{}), htmlPage("<title>Harbour days</title>", body))
	for _, want := range in {
		if !strings.Contains(got.Content, want) {
			t.Errorf("%q is missing in\n%s", want, got.Content)
		}
	}
	for _, frame := range out {
		if strings.Contains(got.Content, frame) {
			t.Errorf("%q is not part of the text\n%s", frame, got.Content)
		}
	}
	return got
}

func TestText_accordions_are_open(t *testing.T) {
	t.Parallel()
	panel := func(hide, question, answer string) string {
		return `<div class="item"><h3><button aria-expanded="false">` + question + `</button></h3><div class="panel" ` +
			hide + `><p>` + answer + `</p></div></div>`
	}
	body := "<main><h1>Harbour days</h1><div class=accordion>" +
		panel("", "When does the ferry leave?", "The ferry leaves at nine and at noon on every day of the week, except when the swell is higher than two metres.") +
		panel("hidden", "May I bring a dog?", "Dogs travel free of charge on the upper deck as long as they stay on a lead and away from the nets.") +
		panel(`style="display: none"`, "Where do I pay?",
			"You pay on board, in coins or by card, once the ferry has passed the outer mole and the crew comes round.") +
		`</div></main><header><button aria-expanded=false>Menu</button><div hidden><p>A drawer of the site that stays closed, with a sentence in it.</p></div></header>`
	wantText(t, body, []string{"When does the ferry", "nine and at noon", "May I bring a dog?", "on the upper deck",
		"Where do I pay?", "the outer mole"}, []string{"A drawer"})
}

func TestText_tables_for_layout_are_read_like_text(t *testing.T) {
	t.Parallel()
	cell := "The harbour office writes to its friends once a month. This time the letter is about the old crane, which will be taken down in spring because its foot has rusted through."
	for name, body := range map[string]string{
		"paragraphs in a cell": "<table><tr><td><p>" + cell +
			"</p><p>A second paragraph thanks those who gave money for the new crane.</p></td></tr></table>",
		"breaks in a cell": "<table><tr><td width=90>&nbsp;</td><td>" + cell +
			"<br><br>A second paragraph thanks those who gave money for the new crane.</td></tr></table>",
		"nested tables": "<table role=presentation><tr><td><table><tr><td>" + cell +
			"</td></tr><tr><td>A second paragraph thanks those who gave money for the new crane.</td></tr></table></td></tr></table>",
	} {
		t.Run(name, func(t *testing.T) {
			wantText(t, body, []string{cell, "A second paragraph thanks"}, []string{" | "})
		})
	}
}

func TestText_posts_without_sidebars(t *testing.T) {
	t.Parallel()
	post := func(name, text string) string {
		return "<tr><td>" + name + "<br>Posts: 12</td><td><div>" + text + "</div></td></tr>"
	}
	body := "<table>" + post("marlin", "Has anybody repaired the wooden rudder of a small boat with epoxy, and did it hold for longer than one winter in the harbour?") +
		post("tern", "It held for six winters here. Dry the wood for a month first, or the resin will come off in plates as soon as it freezes.") + "</table>"
	wantText(t, body, []string{"wooden rudder", "six winters"}, []string{"marlin", "Posts: 12"})
}

func TestText_frame_is_left_out(t *testing.T) {
	t.Parallel()
	body := "<main><h1>Harbour days</h1><p class=lead>A short sentence that sums up what the report says.</p><p>Twelve readings</p>" + articleText +
		"<div class=box><form><b>Morning letter</b></form><p>All the news of the coast at seven, in your inbox.</p></div><p>The last paragraph of the report stands below a box and says that the cables were dry.</p>" +
		"<h2>References</h2><ol><li>Adair (2004), Walls as habitat</li></ol></main><div><p><a href=/a>About the site</a> | <a href=/b>Contact the site</a></p><p>Copying is not allowed</p></div>"
	wantText(t, body, []string{"sums up what", "the cables were dry"},
		[]string{"Twelve readings", "Morning letter", "in your inbox", "Adair", "Contact the site"})
}

func TestText_short_texts_under_a_banner(t *testing.T) {
	t.Parallel()
	banner := `<div style="position:fixed"><p>We and our 214 partners store cookies on your device. You can change your choice at any time.</p><button>Accept all</button></div>`
	notice := "<h1>Pool closed</h1><p>The pool is closed on Monday because a pump has to be replaced. Season tickets are valid for one day longer.</p>"
	wantText(t, notice+banner, []string{"The pool is closed"}, []string{"partners"})
	links := strings.Repeat("<a href=/x>Photo</a> <a href=/y>Album</a> ", 6)
	wantCode(t, htmlPage("<title>Photos</title>", "<nav>"+links+"</nav>"+banner), model.ProcessingErrorCodeNoText)
	wantCode(t, htmlPage("<title>Courier</title>", banner), model.ProcessingErrorCodeConsentWall)
}

func TestText_pages_that_contain_only_links(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"directory":       "<h1>Index of /pub</h1><pre><a href=/>Parent Directory</a>\n<a href=a>tides-old.csv</a>  14-Nov-2023 10:00  1.2M\n<a href=b>tides-new.csv</a>  14-Nov-2024 10:00  1.4M\n</pre>",
		"directory table": "<h1>Index of /pub</h1><table><tr><th><a href=x>Name</a></th><th>Size</th></tr><tr><td><a href=a>tides-old.csv</a></td><td>1M</td></tr><tr><td><a href=b>tides-new.csv</a></td><td>1M</td></tr></table>",
		"archive":         "<main><h1>Archive</h1><ul><li>2 May <a href=/a>The tram is late again</a></li><li>3 May <a href=/b>Why bakers hoard rye</a></li></ul></main>",
	} {
		t.Run(name, func(t *testing.T) {
			wantCode(t, htmlPage("<title>Index of /pub</title>", body), model.ProcessingErrorCodeNoText)
		})
	}
}

func TestText_account_prompts_are_not_paywalls(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"profile": "<main><h1>Joan Ek</h1><p>Harbour master</p><h2>Join to view full profile</h2><p>Sign up to see who you know and read the full profile.</p><button>Agree &amp; Join</button></main>",
		"photos":  "<main><h1>anna</h1><p>120 posts</p><p>Sign up to see photos and videos from anna.</p><a href=/l>Log in</a></main>",
	} {
		t.Run(name, func(t *testing.T) {
			wantCode(t, htmlPage("<title>Network</title>", body), model.ProcessingErrorCodeLoginWall)
		})
	}
}

func TestText_captchas_in_Japanese_and_Chinese(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"<p>お手数ですが、下に表示されている文字を入力してください。</p><form><input name=c></form>",
		"<p>为保障安全，请先完成验证</p><div>请按住滑块，拖动到最右边</div>",
	} {
		wantCode(t, htmlPage("<title>-</title>", body), model.ProcessingErrorCodeCaptcha)
	}
}

func TestText_title_and_author(t *testing.T) {
	t.Parallel()
	body := "<h1>The late tram <small>3 May 2024</small></h1><div><i class=icon-user></i> Ana Brito</div>" + articleText
	got := extractText(t, New(Config{}), htmlPage("<title>The late tram :: Harbour Post Opinion</title>", body))
	if got.Title != "The late tram" || got.Author != "Ana Brito" {
		t.Errorf("title %q, author %q", got.Title, got.Author)
	}
	got = extractText(t, New(Config{}), htmlPage(`<title>The late tram</title><meta name=citation_author content="A. B. Brito">`, body))
	if got.Author != "A. B. Brito" {
		t.Errorf("author %q", got.Author)
	}
}
