package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// testSite serves one hosted page with its headers and files, and stores the reports of the page.
type testSite struct {
	*httptest.Server
	mu      sync.Mutex
	reports []string // "views {…}"
}

func newSite(t *testing.T, shown Page) *testSite {
	s := new(testSite)
	mux := http.NewServeMux()
	mux.Handle("GET "+StaticPath, Static())
	mux.HandleFunc("GET /l/{slug}", func(w http.ResponseWriter, _ *http.Request) {
		SetHeaders(w.Header())
		if err := Render(w, shown); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("POST /api/public/links/{slug}/{kind}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.PathValue("kind") == "submissions" {
			sent, err := ReadForm(w, r, shown.Form)
			s.reports = append(s.reports, fmt.Sprintf("submissions %v %s %v %t", sent.Data, sent.SessionID, err, sent.Spam))
			return
		}
		var message struct {
			SessionID string `json:"session_id"`
			Type      string `json:"type"`
			Value     string `json:"value"`
		}
		if err := json.NewDecoder(r.Body).Decode(&message); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("a report cannot be read: %v, %s", err, r.Header)
		}
		s.reports = append(s.reports, strings.TrimSpace(strings.Join([]string{r.PathValue("slug"), r.PathValue("kind"), message.SessionID, message.Type, message.Value}, " ")))
		w.WriteHeader(http.StatusAccepted)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// waitForReports waits until there are n reports, and then a moment for unexpected ones.
func (s *testSite) waitForReports(n int) []string {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		s.mu.Lock()
		enough := len(s.reports) >= n
		s.mu.Unlock()
		if enough {
			break
		}
	}
	time.Sleep(300 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.reports))
}

// openTab opens a tab of a headless Chromium; it skips the test if Chromium is not installed.
func openTab(t *testing.T) func(...chromedp.Action) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil && os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("no chromium: ", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("headless", "new"), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"), chromedp.WSURLReadTimeout(30*time.Second))
	browser, closeBrowser := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(closeBrowser)
	page, closeTab := chromedp.NewContext(browser, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(closeTab)
	return func(actions ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(page, actions...); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBeacon(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<p>Harbour plans.</p>", 200)
	shown := Page{Title: "Harbour", Slug: "harbour", SessionID: "ses_1", Body: `<button data-cta="Call  me"><b id="x">Call</b></button><button data-cta>Buy now</button>` + long}
	want := []string{
		"harbour conversions ses_1 cta_click Buy now", "harbour conversions ses_1 cta_click Call me", "harbour conversions ses_1 custom signed up",
		"harbour conversions ses_1 scroll_100 100", "harbour conversions ses_1 scroll_25 25", "harbour conversions ses_1 scroll_50 50",
		"harbour conversions ses_1 scroll_75 75", "harbour views ses_1",
	}
	for name, before := range map[string]string{
		"by_beacon":               "",
		"where_there_is_no_one":   "delete Navigator.prototype.sendBeacon",
		"where_the_queue_is_full": "Navigator.prototype.sendBeacon = function () { return false }",
	} {
		t.Run(name, func(t *testing.T) {
			s, do := newSite(t, shown), openTab(t)
			do(chromedp.ActionFunc(func(ctx context.Context) error {
				_, err := cdp.AddScriptToEvaluateOnNewDocument(before).Do(ctx)
				return err
			}), chromedp.Navigate(s.URL+"/l/harbour"))
			if got := s.waitForReports(1); !slices.Equal(got, []string{"harbour views ses_1"}) {
				t.Fatalf("after the page view the reports are %v", got)
			}
			do(chromedp.Click(`[data-cta] b`), chromedp.Click(`[data-cta] b`), chromedp.Click(`[data-cta=""]`),
				chromedp.Evaluate(`rostrum.convert("signed up"); rostrum.convert("signed up")`, nil),
				chromedp.Evaluate(`scrollTo(0, document.documentElement.scrollHeight)`, nil))
			if got := s.waitForReports(len(want)); !slices.Equal(got, want) {
				t.Errorf("the page reports\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestPageInABrowser checks the behavior that needs a browser: the policy allows the stylesheet, a short page reports no depth, and ReadForm
// accepts the submitted form, with the honeypot left empty.
func TestPageInABrowser(t *testing.T) {
	t.Parallel()
	s, do := newSite(t, Page{Title: "Ask", Slug: "ask", SessionID: "ses_1", Form: &Form{Fields: []Field{{Name: "email", Label: "Email", Type: "email", Required: true}}}}), openTab(t)
	var margin string
	do(chromedp.Navigate(s.URL+"/l/ask"), chromedp.Evaluate(`scrollBy(0, 10); getComputedStyle(document.body).margin`, &margin))
	if margin != "0px" {
		t.Errorf("the stylesheet does not apply: the margin is %s", margin)
	}
	do(chromedp.SendKeys(`#rostrum-email`, "ines@example.org"), chromedp.Click(`button[type=submit]`))
	want := []string{"ask views ses_1", "submissions map[email:ines@example.org] ses_1 <nil> false"}
	if got := s.waitForReports(2); !slices.Equal(got, want) {
		t.Errorf("the page reports %v, want %v", got, want)
	}
}
