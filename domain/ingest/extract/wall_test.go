package extract

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rostrum/model"
)

// articleText is an article of about 2,700 letters, as the body of a page that must be extracted.
var articleText = func() string {
	var b strings.Builder
	for i := range 9 {
		fmt.Fprintf(&b, "<p>Paragraph %d of the report says that the turbines in the strait were lowered to the sea bed during slack water, and that engineers watched the cables for three nights before the first current was fed into the island's grid. The harbour master called the work quiet, careful and a little dull.</p>\n", i)
	}
	return b.String()
}()

func htmlPage(head, body string) Source {
	return Source{Body: []byte("<!doctype html><html lang=en><head>" + head + "</head><body>" + body +
		"</body></html>"), URL: "https://example.com/a", MediaType: "text/html; charset=utf-8"}
}

func wantCode(t *testing.T, source Source, code model.ProcessingErrorCode) {
	t.Helper()
	result, err := New(Config{}).Text(t.Context(), source)
	failure, ok := errors.AsType[*Failure](err)
	if !ok {
		t.Fatalf("got %v and %v, want %s", result, err, code)
	}
	if failure.Code != code || failure.Message == "" {
		t.Fatalf("got %v, want %s", failure, code)
	}
}

func TestText_walls(t *testing.T) {
	t.Parallel()
	const (
		captcha = model.ProcessingErrorCodeCaptcha
		consent = model.ProcessingErrorCodeConsentWall
		login   = model.ProcessingErrorCodeLoginWall
		paywall = model.ProcessingErrorCodePaywall
		shell   = model.ProcessingErrorCodeEmptyAppShell
		noText  = model.ProcessingErrorCodeNoText
	)
	teaser := "<article><h1>The quiet turbines</h1><p>When the first current came ashore, nobody on the quay looked up from the nets, although it had taken eleven winters and two bankruptcies to bring it there.</p>"
	for name, c := range map[string]struct {
		head, body string
		code       model.ProcessingErrorCode
	}{
		"cloudflare": {`<title>Just a moment...</title>`,
			`<div class="main-wrapper"><h1>example.com</h1><h2>Checking if the site connection is secure</h2><form id="challenge-form"></form></div><script>window._cf_chl_opt={cvId:'3'}</script><noscript>Enable JavaScript and cookies to continue</noscript>`, captcha},
		"datadome": {`<title>example.com</title>`,
			`<p id="cmsg">Please enable JS and disable any ad blocker</p><script src="https://ct.captcha-delivery.com/c.js"></script>`, captcha},
		"perimeterx": {`<title>Access to this page has been denied</title>`,
			`<h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1><div id="px-captcha"></div>`,
			captcha},
		"recaptcha": {`<title>Security check</title>`,
			`<h1>Please verify you are human</h1><p>Our systems have detected unusual traffic from your network.</p><form><div class="g-recaptcha"></div><button>Submit</button></form><script src="https://www.google.com/recaptcha/api.js"></script>`, captcha},
		"captcha in German": {`<title>Sicherheitsüberprüfung</title>`,
			`<p>Bitte bestätigen Sie, dass Sie kein Roboter sind.</p><div class="h-captcha"></div>`, captcha},
		"captcha in Japanese": {`<title>確認</title>`, `<p>私はロボットではありません</p><div class="g-recaptcha"></div>`, captcha},
		"consent": {`<title>Before you continue</title>`,
			`<main><h1>Before you continue</h1><p>We use cookies and data to deliver and maintain our services, and to measure audience engagement.</p><p>If you choose to accept all, we will also use them to show personalised content.</p><form action="/save"><button>Reject all</button><button>Accept all</button></form></main>`, consent},
		"consent in German": {`<title>Zustimmung</title>`,
			`<div class="sp_message"><h2>Willkommen</h2><p>Mit Werbung weiterlesen: Wir und unsere 172 Partner verwenden Cookies und verarbeiten personenbezogene Daten.</p><button>Akzeptieren und weiter</button><a href="/pur">PUR-Abo</a></div>`, consent},
		"consent in French": {`<title>Consentement</title>`,
			`<div><p>Avec votre consentement, nous et nos 840 partenaires utilisons des cookies pour stocker et accéder à des données personnelles.</p><button>Tout accepter</button></div>`, consent},
		"login": {`<title>Log in | Example</title>`,
			`<main><h1>Log in to continue</h1><form><input type=email><input type=password><button>Log in</button></form><p>Don't have an account? <a href=/join>Join</a></p></main>`, login},
		"login in Spanish": {`<title>Iniciar sesión</title>`,
			`<main><h1>Inicia sesión para continuar</h1><form><input name=u><input type=password><a href=/x>¿Olvidaste tu contraseña?</a></form></main>`, login},
		"members only": {`<title>Example</title>`,
			`<main><h1>Members area</h1><p>You must be logged in to view this page.</p><a href=/login>Log in</a></main>`, login},
		"paywall": {`<title>The quiet turbines</title><script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":"False","headline":"The quiet turbines"}</script>`, teaser + `</article><div class=gate><h2>Subscribe to continue reading</h2><p>Already a subscriber? <a href=/l>Log in</a></p><p>From $1 a week</p></div>`, paywall},
		"paywall unmarked": {`<title>Die stillen Turbinen</title>`, strings.Replace(teaser, "quiet", "stillen", 1) +
			`<div><h3>Diesen Artikel weiterlesen mit dem Plus-Abo</h3><p>Jetzt abonnieren für 1 € im Monat</p></div></article>`, paywall},
		"shell": {`<title>App</title>`,
			`<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/main.js"></script>`, shell},
		"shell in Angular": {`<title>App</title>`, `<app-root>Loading...</app-root><script src="/main.js"></script>`,
			shell},
		"nothing": {`<title>Home</title>`, `<nav><a href=/a>A</a><a href=/b>B</a></nav><img src=x.png>`,
			noText},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, htmlPage(c.head, c.body), c.code) })
	}
}

func TestText_pages_that_only_mention_a_wall_are_text(t *testing.T) {
	t.Parallel()
	free := `<title>Turbines</title><script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":true}</script>`
	for name, body := range map[string]string{
		"cookie banner": "<article><h1>Turbines</h1>" + articleText +
			`</article><div id="cookie-banner"><p>We use cookies to improve your experience. See our cookie policy.</p><button>Accept all</button></div>`,
		"cookie banner above": `<div class="cc"><p>We and our partners store and/or access information on a device.</p><button>Accept</button></div><main><h1>Turbines</h1>` + articleText + "</main>",
		"login link and form": `<header><a href=/login>Log in</a><form><input name=u><input type=password><button>Sign in</button></form></header><article><h1>Turbines</h1>` + articleText + "</article>",
		"subscribe box": "<article><h1>Turbines</h1>" + articleText +
			`</article><aside><h3>Subscribe to our newsletter</h3><button>Subscribe</button></aside>`,
		"captcha on its comments": "<article><h1>Turbines</h1>" + articleText +
			`</article><section id=comments><form><textarea></textarea><div class="g-recaptcha"></div></form></section><script src="https://www.google.com/recaptcha/api.js"></script>`,
		"about captchas":      "<article><h1>Verify you are human: how captchas work</h1><p>Everybody knows the line “Please verify you are human”, and the checkbox that says I'm not a robot beside it.</p>" + articleText + "</article>",
		"about paywalls":      "<article><h1>Subscribe to continue reading</h1><p>“Subscribe to continue reading” is the sentence that readers like least, publishers told us.</p>" + articleText + "</article>",
		"server-rendered app": `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"><main><h1>Turbines</h1>` + articleText + `</main></div><script src="/main.js"></script>`,
		"with a bot beacon": "<article><h1>Turbines</h1>" + articleText +
			`</article><script>var s='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			result, err := New(Config{}).Text(t.Context(), htmlPage(free, body))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(result.Content, "Paragraph 0 of") ||
				!strings.Contains(result.Content, "Paragraph 8 of") {
				t.Errorf("the text is incomplete: %s", result.Content)
			}
			for _, frame := range []string{"We use cookies", "our partners", "newsletter", "Sign in"} {
				if strings.Contains(result.Content, frame) {
					t.Errorf("%q is not part of the text", frame)
				}
			}
		})
	}
}
