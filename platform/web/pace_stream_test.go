package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// connectStreams serves the handler over HTTP/2 within the limits and returns a client with one
// connection.
func connectStreams(t *testing.T, handler http.HandlerFunc) *http.Client {
	t.Helper()
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	listener := &pipeListener{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: PaceStreams(PaceBodies(handler)), Protocols: protocols}
	go server.Serve(NewListener(listener))
	transport := &http.Transport{Protocols: protocols,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			client, end := net.Pipe()
			listener.conns <- end
			return client, nil
		}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		time.Sleep(2 * time.Hour) // of the bubble's clock: every goroutine ends
	})
	return &http.Client{Transport: transport}
}

// post sends a request and returns its response, whose body is still to be read.
func post(t *testing.T, client *http.Client, path string, body io.Reader) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	if response.ProtoMajor != 2 {
		t.Fatalf("the response has %s", response.Proto)
	}
	return response
}

func readAll(t *testing.T, response *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPaceStreams(t *testing.T) {
	large := func(ended chan<- error) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/small" {
				fmt.Fprint(w, "ok")
				return
			}
			_, err := w.Write(make([]byte, 5<<20)) // net/http's client receives 4 MB that nobody reads
			ended <- err
		}
	}
	t.Run("a stream that nobody reads is reset, and others of its connection are not", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan error, 1)
			client := connectStreams(t, large(ended))
			start := time.Now()
			stopped := post(t, client, "/large", nil)
			if text := readAll(t, post(t, client, "/small", nil)); text != "ok" {
				t.Errorf("another stream has %q", text)
			}
			if err := <-ended; err == nil || time.Since(start) > 20*time.Second {
				t.Errorf("%v after %s", err, time.Since(start))
			}
			if _, err := io.ReadAll(stopped.Body); err == nil {
				t.Error("the stream ends without an error")
			}
			if text := readAll(t, post(t, client, "/small", nil)); text != "ok" {
				t.Errorf("a later stream has %q", text)
			}
		})
	})
	t.Run("the rest that the server buffers is reset too", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connectStreams(t, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(make([]byte, 4<<20+100))
			})
			stopped := post(t, client, "/", nil)
			time.Sleep(time.Minute)
			if _, err := io.ReadAll(stopped.Body); err == nil {
				t.Error("the stream ends without an error")
			}
		})
	})
	t.Run("a slow client is not", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan error, 1)
			response := post(t, connectStreams(t, large(ended)), "/large", nil)
			for part := make([]byte, 2<<10); ; time.Sleep(time.Second) {
				if _, err := io.ReadFull(response.Body, part); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("an idle stream is not", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connectStreams(t, func(w http.ResponseWriter, _ *http.Request) {
				for range 2 {
					fmt.Fprint(w, "data\n")
					_ = http.NewResponseController(w).Flush()
					time.Sleep(time.Hour)
				}
			})
			if text := readAll(t, post(t, client, "/", nil)); text != "data\ndata\n" {
				t.Errorf("%q", text)
			}
		})
	})
}

func TestPaceBodies_streams(t *testing.T) {
	t.Run("a body of one byte per second is cut off after 10 seconds", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connectStreams(t, echoSize)
			body, sender := io.Pipe()
			go func() {
				for range 1000 {
					time.Sleep(time.Second)
					if _, err := sender.Write([]byte("x")); err != nil {
						return
					}
				}
			}()
			start := time.Now()
			response := post(t, client, "/", body)
			if text := readAll(t, response); response.StatusCode != http.StatusBadRequest ||
				!strings.Contains(text, "10 KB in 10 seconds") {
				t.Errorf("%d %s", response.StatusCode, text)
			}
			if took := time.Since(start); took > 11*time.Second {
				t.Errorf("the response came after %s", took)
			}
		})
	})
	t.Run("the handler's own time is not counted", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connectStreams(t, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(time.Minute)
				first := make([]byte, 2)
				_, err := io.ReadFull(r.Body, first)
				time.Sleep(time.Minute)
				rest, failed := io.ReadAll(r.Body)
				time.Sleep(time.Minute)
				fmt.Fprint(w, string(first), string(rest), err, failed, r.Context().Err())
			})
			if text := readAll(t, post(t, client, "/", strings.NewReader("12345"))); text != "12345<nil> <nil> <nil>" {
				t.Errorf("%q", text)
			}
		})
	})
}
