package rostrum

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"
)

const (
	// longestSilence is three times the interval of the gateway's comments on an idle stream.
	longestSilence = 45 * time.Second
	// largestEvent is the size up to which an event is read.
	largestEvent = 16 << 20
	// streamTries is how often in a row a lost stream is opened again, which takes two minutes.
	streamTries = 15
)

// Subscribe follows a subscription, whose data has the type T, and goes on after its last event when
// the connection was lost. Its events need cursor or position, and the subscription a variable
// after, for none to be missed. The last error ends it.
func Subscribe[T any](ctx context.Context, c *Client, query string, variables map[string]any) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		s := stream{client: c, query: query, variables: maps.Clone(variables)}
		err := s.follow(ctx, func(text json.RawMessage) (bool, error) {
			data := new(T)
			if err := json.Unmarshal(text, data); err != nil {
				return false, &Error{Code: "bad_answer", Message: err.Error(), Status: http.StatusOK, cause: err}
			}
			return yield(data, nil), nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// stream is a subscription; its variables hold the position of the last event.
type stream struct {
	client    *Client
	query     string
	variables map[string]any
}

// follow calls handle with the data of each event until handle returns false or the stream is
// complete.
func (s *stream) follow(ctx context.Context, handle handler) error {
	for tries := 1; ; tries++ {
		seen, more, pause, err := s.read(ctx, handle)
		if err == nil && !more {
			return nil
		}
		if seen {
			tries = 1
		}
		pause = max(pause, backoff(tries))
		var failed *Error
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !errors.As(err, &failed) || !failed.IsPassing() || tries > streamTries || pause > longestPause {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// handler takes the data of an event, and returns false to end the stream.
type handler func(json.RawMessage) (bool, error)

// read opens a connection and reads it. It reports whether it had an event, whether there may be
// more, and how long the gateway asks to wait.
func (s *stream) read(ctx context.Context, handle handler) (seen, more bool, pause time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silent := time.AfterFunc(longestSilence, cancel)
	defer silent.Stop()
	text, err := json.Marshal(map[string]any{"query": s.query, "variables": s.variables})
	if err != nil {
		return false, false, 0, err
	}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	response, err := s.client.send(ctx, header, bytes.NewReader(text))
	if err != nil {
		return false, true, 0, networkError(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		refusal, _ := io.ReadAll(io.LimitReader(response.Body, largestEvent))
		_, failed := errorOf(response.StatusCode, refusal)
		return false, true, retryAfter(response), failed
	}
	seen, more, err = s.readEvents(activeReader{response.Body, silent}, handle)
	return seen, more, 0, err
}

func (s *stream) readEvents(from io.Reader, handle handler) (seen, more bool, err error) {
	for event, err := range sse.Read(from, &sse.ReadConfig{MaxEventSize: largestEvent}) {
		switch {
		case err != nil:
			return seen, true, networkError(err)
		case event.Type == "complete":
			return seen, false, nil
		}
		told, failed := errorOf(http.StatusOK, []byte(event.Data))
		if failed != nil {
			return seen, true, failed
		}
		seen = true
		s.move(told.Data)
		if more, err := handle(told.Data); err != nil || !more {
			return seen, false, err
		}
	}
	return seen, true, networkError(io.ErrUnexpectedEOF)
}

// move remembers the position of an event.
func (s *stream) move(data json.RawMessage) {
	var events map[string]struct {
		Cursor   *string
		Position *int
	}
	if json.Unmarshal(data, &events) != nil {
		return
	}
	for _, event := range events {
		if event.Cursor != nil {
			s.set(*event.Cursor)
		} else if event.Position != nil {
			s.set(*event.Position)
		}
	}
}

func (s *stream) set(position any) {
	if s.variables == nil {
		s.variables = map[string]any{}
	}
	s.variables["after"] = position
}

// activeReader starts the timer again whenever bytes come.
type activeReader struct {
	io.Reader
	silent *time.Timer
}

func (r activeReader) Read(buffer []byte) (int, error) {
	n, err := r.Reader.Read(buffer)
	if n > 0 {
		r.silent.Reset(longestSilence)
	}
	return n, err
}
