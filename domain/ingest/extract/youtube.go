package extract

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/kkdai/youtube/v2"

	"rostrum/model"
	"rostrum/platform/fetch"
)

var (
	videoName = regexp.MustCompile(`^[\w-]{11}$`)
	videoPath = regexp.MustCompile(`^/(?:shorts|embed|live|v)/([\w-]{11})/?$`)
)

// IsYouTube reports whether an address is a YouTube video, whose captions are read instead of the
// page.
func IsYouTube(rawURL string) bool {
	_, ok := videoID(rawURL)
	return ok
}

// videoID returns the id of the video in a YouTube address.
func videoID(rawURL string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(rawURL))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	id := ""
	switch strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") {
	case "youtu.be":
		id = strings.Trim(u.Path, "/")
	case "youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com":
		if u.Path == "/watch" {
			id = u.Query().Get("v")
		} else if m := videoPath.FindStringSubmatch(u.Path); m != nil {
			id = m[1]
		}
	}
	return id, videoName.MatchString(id)
}

func (x *Extractor) extractYouTube(ctx context.Context, id string) (*Result, error) {
	if x.config.HTTP == nil {
		return nil, unsupportedContent("this server does not read videos; supply the text", nil)
	}
	client := &youtube.Client{HTTPClient: x.config.HTTP}
	video, err := client.GetVideoContext(ctx, id)
	if err != nil {
		return nil, videoFailure(err)
	}
	track := bestTrack(video.CaptionTracks)
	if track == nil {
		return nil, newFailure(model.ProcessingErrorCodeNoText,
			"the video has no captions; supply its text, or a recording to transcribe")
	}
	text, err := x.fetchCaptions(ctx, track.BaseURL)
	if err != nil {
		return nil, videoFailure(err)
	}
	r := &Result{ContentType: "youtube", Title: video.Title, Author: video.Author, Language: track.LanguageCode,
		Content: text}
	r.Meta = Meta{Host: "youtube.com", SiteName: "YouTube", Publisher: video.Author}
	if !video.PublishDate.IsZero() {
		r.Published = &video.PublishDate
	}
	return r, nil
}

// bestTrack prefers written captions to recognized ones. The first track of a kind is in the
// video's own language.
func bestTrack(tracks []youtube.CaptionTrack) *youtube.CaptionTrack {
	for i := range tracks {
		if tracks[i].Kind != "asr" {
			return &tracks[i]
		}
	}
	if len(tracks) > 0 {
		return &tracks[0]
	}
	return nil
}

func (x *Extractor) fetchCaptions(ctx context.Context, address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	query := u.Query()
	query.Set("fmt", "json3")
	u.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", err
	}
	resp, err := x.config.HTTP.Do(request)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", youtube.ErrUnexpectedStatusCode(resp.StatusCode)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	return timedText(body)
}

// captionEvent is an event of a json3 caption file. Times are in milliseconds.
type captionEvent struct {
	Start    int `json:"tStartMs"`
	Duration int `json:"dDurationMs"`
	Segments []struct {
		Text string `json:"utf8"`
	} `json:"segs"`
}

const (
	captionPause     = 2500 // milliseconds of silence that start a paragraph
	captionParagraph = 700  // code points from which the end of a sentence ends the paragraph
)

// timedText joins captions to paragraphs at silences and sentence ends. It returns an error if the
// file is not valid json3.
func timedText(body []byte) (string, error) {
	var file struct{ Events []captionEvent }
	if len(body) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(body, &file); err != nil {
		return "", err
	}
	var out, paragraph strings.Builder
	end := 0
	for _, event := range file.Events {
		var text strings.Builder
		for _, segment := range event.Segments {
			text.WriteString(segment.Text)
		}
		words := oneLine(text.String())
		if words == "" {
			continue
		}
		long := utf8.RuneCountInString(paragraph.String()) > captionParagraph && endsSentence(paragraph.String())
		if paragraph.Len() > 0 && (long || event.Start-end > captionPause) {
			out.WriteString(paragraph.String() + "\n\n")
			paragraph.Reset()
		}
		if paragraph.Len() > 0 {
			paragraph.WriteByte(' ')
		}
		paragraph.WriteString(words)
		end = event.Start + event.Duration
	}
	return out.String() + paragraph.String(), nil
}

func videoFailure(err error) *Failure {
	if f, ok := errors.AsType[*fetch.Error](err); ok {
		return &Failure{Code: f.Code(), Message: f.Message(), Retryable: f.Retryable(), Cause: err}
	}
	var status youtube.ErrUnexpectedStatusCode
	var playability *youtube.ErrPlayabiltyStatus
	var network interface{ Timeout() bool }
	switch {
	case errors.Is(err, youtube.ErrVideoPrivate), errors.Is(err, youtube.ErrLoginRequired):
		return &Failure{Code: model.ProcessingErrorCodeLoginWall,
			Message: "the video is private or asks to sign in; supply its text", Cause: err}
	case errors.As(err, &playability):
		return &Failure{Code: model.ProcessingErrorCodeNoText, Message: "the video cannot be played; supply its text",
			Cause: err}
	case errors.As(err, &status):
		return &Failure{Code: model.ProcessingErrorCodeHttpStatus,
			Message: "YouTube refused the request; try again later", Retryable: status >= 500 || status == 429,
			Cause: err}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return &Failure{Code: model.ProcessingErrorCodeTimeout,
			Message: "YouTube did not answer in time; try again later", Retryable: true, Cause: err}
	}
	return &Failure{Code: model.ProcessingErrorCodeNoText,
		Message: "the video's captions could not be read; supply its text", Retryable: true, Cause: err}
}
