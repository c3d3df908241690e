package extract

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"rostrum/model"
)

// videoTransport returns responses of YouTube's player, watch page and captions, with the fields
// that are parsed.
type videoTransport map[string]string

func (v videoTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, status := v[r.URL.Path], http.StatusOK
	if body == "" {
		status = http.StatusNotFound
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
		Request: r}, nil
}

func TestText_youtube(t *testing.T) {
	t.Parallel()
	player := func(captions, status string) string {
		return `{"playabilityStatus":{"status":"` + status +
			`","reason":"This video is private","playableInEmbed":true},"videoDetails":{"videoId":"abcdefghijk","title":"Harbour Day","author":"Tidewall"},` +
			`"streamingData":{"formats":[{"itag":18,"mimeType":"video/mp4","bitrate":1}]},"captions":{"playerCaptionsTracklistRenderer":{"captionTracks":[` + captions + `]}},"microformat":{"playerMicroformatRenderer":{"publishDate":"2026-06-06T08:00:00Z"}}}`
	}
	tracks := `{"baseUrl":"https://www.youtube.com/api/timedtext?v=a&kind=asr","languageCode":"en","kind":"asr"},{"baseUrl":"https://www.youtube.com/api/timedtext?v=a","languageCode":"en-GB","kind":""}`
	get := func(captions, status string) (*Result, error) {
		answer := player(captions, status)
		site := videoTransport{"": "<html></html>", "/youtubei/v1/player": answer,
			"/watch":         "<script>var ytInitialPlayerResponse = " + answer + ";</script>",
			"/api/timedtext": `{"events":[{"tStartMs":0,"dDurationMs":1000,"segs":[{"utf8":"Good "},{"utf8":"morning."}]},{"tStartMs":1000,"segs":[{"utf8":"\n"}]},{"tStartMs":1200,"dDurationMs":800,"segs":[{"utf8":"Ten years ago"}]},{"tStartMs":9000,"segs":[{"utf8":"Thank you."}]}]}`}
		return New(Config{HTTP: &http.Client{Transport: site}}).
			Text(t.Context(), Source{URL: "https://youtu.be/abcdefghijk?t=3"})
	}
	got, err := get(tracks, "OK")
	if err != nil {
		t.Fatal(err)
	}
	if got.Content != "Good morning. Ten years ago\n\nThank you." || got.Title != "Harbour Day" ||
		got.Author != "Tidewall" || got.Language != "en-GB" || got.Published == nil {
		t.Errorf("got %+v", got)
	}
	for _, c := range []struct {
		captions, status string
		code             model.ProcessingErrorCode
	}{{"", "OK", model.ProcessingErrorCodeNoText}, {"", "LOGIN_REQUIRED", model.ProcessingErrorCodeLoginWall}} {
		if _, err := get(c.captions, c.status); err == nil || err.(*Failure).Code != c.code {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestIsYouTube(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		"https://www.youtube.com/watch?v=abcdefghijk&t=1": true, "https://youtu.be/abcdefghijk": true,
		"https://m.youtube.com/shorts/abcdefghijk": true, "https://www.youtube-nocookie.com/embed/abcdefghijk": true,
		"https://www.youtube.com/@tidewall": false, "https://www.youtube.com/watch": false,
		"https://example.com/watch?v=abcdefghijk": false, "https://youtube.com.example.com/watch?v=abcdefghijk": false,
	} {
		if IsYouTube(raw) != want {
			t.Errorf("%s is %t", raw, !want)
		}
	}
}
