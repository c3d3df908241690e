package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"
)

const (
	// mediaStream is the media type of server-sent events.
	mediaStream = "text/event-stream"
	// longestSilence is three times the interval of the gateway's comments on an idle stream.
	longestSilence = 45 * time.Second
	// largestEvent is the size up to which an event is read; a job's result may be long.
	largestEvent = 16 << 20
	// mostTries is how often in a row a lost stream is opened again, which takes two minutes.
	mostTries = 12
	// longestWait is the longest time between two tries.
	longestWait = 15 * time.Second
)

// follow calls handle with each event after the one with the given id, until handle returns false.
// It opens a lost stream again after the last event.
func (c *Connection) follow(ctx context.Context, path, last string, handle func(sse.Event) (bool, error)) error {
	wait := time.Second
	for tries, wasOpen := 0, false; ; {
		opened, more, err := c.readStream(ctx, path, &last, handle)
		if opened {
			tries, wasOpen, wait = 0, true, time.Second
		}
		if tries++; err != nil && (!isPassing(err) || !wasOpen || tries > mostTries) {
			return err
		}
		if !more {
			return nil
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, longestWait)
	}
}

// readStream reads a stream until it ends, or handle returns false. It reports whether it was opened,
// and whether there may be more events.
func (c *Connection) readStream(ctx context.Context, path string, last *string,
	handle func(sse.Event) (bool, error)) (opened, more bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := time.AfterFunc(longestSilence, func() { cancel(errSilent) })
	defer silent.Stop()
	response, err := c.send(ctx, request{method: http.MethodGet, path: path, accept: mediaStream, lastEvent: *last})
	if err != nil {
		return false, true, silence(ctx, c.url, err)
	}
	defer response.Body.Close()
	if media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); media != mediaStream {
		return false, false, refused("the answer of %s is not Rostrum's: it is %s and no stream of events; a proxy may have sent it",
			c.url, cmp.Or(media, "of no type"))
	}
	body := activeReader{response.Body, silent}
	for event, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: largestEvent}) {
		if err != nil {
			return true, true, silence(ctx, c.url, unreached(ctx, c.url, err))
		}
		if event.Type == "error" {
			return true, true, problemFailure(0, []byte(event.Data))
		}
		if more, err := handle(event); err != nil || !more {
			return true, false, err
		}
		if event.LastEventID != "" {
			*last = event.LastEventID
		}
	}
	return true, true, nil
}

// errSilent is why a stream was given up on which nothing came.
var errSilent = errors.New("nothing came for too long")

// silence returns the failure of a silent stream instead of that of an interruption.
func silence(ctx context.Context, address string, err error) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		return unreached(context.WithoutCancel(ctx), address, errSilent)
	}
	return err
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
