package rest_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-chi/chi/v5"

	"rostrum/errs"
	"rostrum/model"
)

func TestStream(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Run("frames contain position, kind and the job", func(t *testing.T) {
		got := s.do(t, "GET", "/api/v1/jobs/job_1/events", "", "Accept: text/event-stream")
		wantStatus(t, got, 200)
		if media := got.Header.Get("Content-Type"); media != "text/event-stream" {
			t.Errorf("the media type is %s", media)
		}
		frames := strings.Split(strings.TrimSpace(got.body), "\n\n")
		if len(frames) != 3 || frames[0] != "retry: 1000" {
			t.Fatalf("the frames are %q", frames)
		}
		for i, start := range []string{
			"id: 4\nevent: snapshot\ndata: {\"id\":\"job_1\",", "id: 5\nevent: end\ndata: {\"id\":\"job_1\",",
		} {
			if !strings.HasPrefix(frames[i+1], start) {
				t.Errorf("frame %d is %q", i+1, frames[i+1])
			}
		}
		if !strings.Contains(frames[2], `"status":"completed"`) || strings.Contains(frames[2], `"position"`) {
			t.Errorf("the last frame is %q", frames[2])
		}
	})
	t.Run("Accept */* returns the stream", func(t *testing.T) {
		got := s.do(t, "GET", "/api/v1/jobs/job_1/events", "", "Accept: */*")
		if got.Header.Get("Content-Type") != "text/event-stream" ||
			!slices.Contains(got.Header.Values("Vary"), "Accept") {
			t.Errorf("the headers are %v", got.Header)
		}
	})
	t.Run("Last-Event-ID overrides the parameter", func(t *testing.T) {
		s.do(t, "GET", "/api/v1/jobs/job_1/events?after=2", "")
		if *s.graph.after != 2 {
			t.Errorf("the stream resumes after %d", *s.graph.after)
		}
		s.do(t, "GET", "/api/v1/jobs/job_1/events?after=2", "", "Last-Event-ID: 3")
		if *s.graph.after != 3 {
			t.Errorf("the stream resumes after %d", *s.graph.after)
		}
		s.do(t, "GET", "/api/v1/jobs/job_1/events", "")
		if s.graph.after != nil {
			t.Errorf("the stream resumes after %d", *s.graph.after)
		}
	})
	t.Run("an invalid position is rejected", func(t *testing.T) {
		for _, position := range []string{"x", "-1"} {
			p := wantProblem(t, s.do(t, "GET", "/api/v1/jobs/job_1/events", "", "Last-Event-ID: "+position), 422,
				"validation_failed")
			if !strings.HasPrefix(p.fields(), `#/Last-Event-ID ["header","Last-Event-ID"]`) {
				t.Errorf("the field errors are %s", p.fields())
			}
		}
	})
}

func TestStreamOfASilentJob(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.graph.events = func(ctx context.Context, _ chan<- *model.JobEvent) { <-ctx.Done() }
	ctx, leave := context.WithTimeout(t.Context(), 30*time.Second)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/api/v1/jobs/job_1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-API-Key", goodKey)
	response, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	line, err := bufio.NewReader(response.Body).ReadString('\n')
	if err != nil || line != "retry: 1000\n" {
		t.Fatalf("the stream opens with %q, %v", line, err)
	}
	leave()
	select {
	case <-s.graph.ended:
	case <-time.After(30 * time.Second):
		t.Error("the subscription outlives its client")
	}
}

func TestStreamStaysAwake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		graph := &graphCalls{ended: make(chan struct{})}
		graph.events = func(ctx context.Context, _ chan<- *model.JobEvent) { <-ctx.Done() }
		router := chi.NewRouter()
		if err := newAdapter(t, graph).Mount(router); err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithTimeout(t.Context(), 40*time.Second)
		defer leave()
		r := httptest.NewRequestWithContext(ctx, "GET", "/api/v1/jobs/job_1/events", nil)
		r.Header.Set("X-API-Key", goodKey)
		w := httptest.NewRecorder()
		router.ServeHTTP(w, r)
		if got := strings.Count(w.Body.String(), ": still here\n\n"); got != 2 {
			t.Errorf("in 40 silent seconds there are %d keep-alives: %q", got, w.Body)
		}
	})
}

// TestStreamEndsWithItsKey revokes a key while its stream is silent.
func TestStreamEndsWithItsKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		graph := &graphCalls{ended: make(chan struct{})}
		graph.events = func(ctx context.Context, _ chan<- *model.JobEvent) { <-ctx.Done() }
		revoked := time.Now().Add(20 * time.Second)
		graph.lost = func(context.Context) error {
			if time.Now().Before(revoked) {
				return nil
			}
			return errs.New(errs.KeyRevoked, "this key was revoked")
		}
		router := chi.NewRouter()
		if err := newAdapter(t, graph).Mount(router); err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/api/v1/jobs/job_1/events", nil)
		r.Header.Set("X-API-Key", goodKey)
		w := httptest.NewRecorder()
		router.ServeHTTP(w, r)
		if late := time.Since(revoked); late < 0 || late > 20*time.Second {
			t.Errorf("the stream ended %s after its key", late)
		}
		if !strings.Contains(w.Body.String(), "event: error\ndata: {\"code\":\"key_revoked\"") {
			t.Errorf("the stream ended with %q", w.Body)
		}
		<-graph.ended
	})
}

func TestStreamOutlivesWriteDeadline(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const deadline = 300 * time.Millisecond
	s.Config.WriteTimeout = deadline
	s.graph.events = func(ctx context.Context, out chan<- *model.JobEvent) {
		out <- &model.JobEvent{Position: 1, Kind: model.JobEventKindSnapshot, State: job()}
		select {
		case <-time.After(2 * deadline):
		case <-ctx.Done():
		}
		out <- &model.JobEvent{Position: 2, Kind: model.JobEventKindEnd, State: job()}
	}
	restarted := restartServer(t, s)
	got := restarted.do(t, "GET", "/api/v1/jobs/job_1/events", "")
	if !strings.Contains(got.body, "id: 2\nevent: end\n") {
		t.Errorf("the stream is incomplete: %q", got.body)
	}
}

func TestStreamThatFailsLater(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.graph.events = func(_ context.Context, out chan<- *model.JobEvent) {
		out <- &model.JobEvent{Position: 1, Kind: model.JobEventKindSnapshot, State: job()}
		out <- nil
	}
	got := s.do(t, "GET", "/api/v1/jobs/job_1/events", "")
	wantStatus(t, got, 200)
	_, last, found := strings.Cut(got.body, "event: error\ndata: ")
	if !found || !strings.Contains(last, `"code":"`+string(errs.Internal)+`"`) {
		t.Errorf("the failure is not in the stream: %q", got.body)
	}
}
