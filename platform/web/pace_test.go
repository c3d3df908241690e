package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rostrum/errs"
	"rostrum/test/kit/poll"
)

// pipeListener accepts the server's ends of in-memory connections, whose deadlines use the clock of
// a synctest bubble.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	close(l.closed)
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// connect serves the handler within the limits and returns a client's connection.
func connect(t *testing.T, handler http.HandlerFunc) net.Conn {
	t.Helper()
	listener := &pipeListener{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: PaceBodies(handler)}
	go server.Serve(NewListener(listener))
	client, end := net.Pipe()
	listener.conns <- end
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Close()
		time.Sleep(2 * time.Hour) // of the bubble's clock: every goroutine ends
	})
	return client
}

// sendRequest sends the header of a request with a body of that size.
func sendRequest(t *testing.T, client net.Conn, size int) {
	t.Helper()
	if _, err := fmt.Fprintf(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size); err != nil {
		t.Fatal(err)
	}
}

// drip sends bytes at a rate until the size is reached or the connection fails.
func drip(client net.Conn, size, step int, every time.Duration) {
	for sent := 0; sent < size; sent += step {
		time.Sleep(every)
		if _, err := client.Write(make([]byte, step)); err != nil {
			return
		}
	}
}

// readStatus returns the status and body of the next response.
func readStatus(t *testing.T, client net.Conn) (int, string) {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// echoSize responds with the size of the body, or with the error of reading it.
func echoSize(w http.ResponseWriter, r *http.Request) {
	text, err := ReadBody(w, r, 1<<20)
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	fmt.Fprint(w, len(text))
}

func TestPaceBodies(t *testing.T) {
	t.Run("a body of one byte per second is cut off after 10 seconds", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connect(t, echoSize)
			start := time.Now()
			sendRequest(t, client, 1000)
			go drip(client, 1000, 1, time.Second)
			if status, text := readStatus(t, client); status != 400 || !strings.Contains(text, "10 KB in 10 seconds") {
				t.Errorf("%d %s", status, text)
			}
			if took := time.Since(start); took > 11*time.Second {
				t.Errorf("the response came after %s", took)
			}
		})
	})
	t.Run("a slow line that keeps the rate is not", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connect(t, echoSize)
			sendRequest(t, client, 400<<10)
			go drip(client, 400<<10, 2<<10, 1500*time.Millisecond)
			if status, text := readStatus(t, client); status != 200 || text != "409600" {
				t.Errorf("%d %s", status, text)
			}
		})
	})
	t.Run("the handler's own time is not counted, before and after the body", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connect(t, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(time.Minute)
				text, err := io.ReadAll(r.Body)
				select {
				case <-r.Context().Done():
				case <-time.After(time.Minute):
				}
				fmt.Fprint(w, len(text), err, r.Context().Err())
			})
			sendRequest(t, client, 5)
			go client.Write([]byte("12345"))
			if status, text := readStatus(t, client); status != 200 || text != "5 <nil> <nil>" {
				t.Errorf("%d %s", status, text)
			}
		})
	})
	t.Run("a connection whose body nobody reads is closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connect(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
			sendRequest(t, client, 1000)
			ended := make(chan time.Time, 1)
			start := time.Now()
			go func() {
				drip(client, 1000, 1, time.Second)
				ended <- time.Now()
			}()
			if status, _ := readStatus(t, client); status != 401 {
				t.Errorf("the status is %d", status)
			}
			if took := (<-ended).Sub(start); took > 30*time.Second {
				t.Errorf("the connection stayed open for %s", took)
			}
		})
	})
}

func TestWrites(t *testing.T) {
	large := func(ended chan<- error) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 4<<20))
			ended <- err
		}
	}
	t.Run("a client that stops reading is disconnected", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan error, 1)
			client := connect(t, large(ended))
			start := time.Now()
			sendRequest(t, client, 0)
			if _, err := io.ReadFull(client, make([]byte, 64<<10)); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) > 20*time.Second {
				t.Errorf("%v after %s", err, time.Since(start))
			}
		})
	})
	t.Run("a slow client is not", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan error, 1)
			client := connect(t, large(ended))
			sendRequest(t, client, 0)
			go func() {
				for part := make([]byte, 2<<10); ; time.Sleep(time.Second) {
					if _, err := io.ReadFull(client, part); err != nil {
						return
					}
				}
			}()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("an idle stream is not", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client := connect(t, func(w http.ResponseWriter, _ *http.Request) {
				for range 2 {
					fmt.Fprint(w, "data\n")
					_ = http.NewResponseController(w).Flush()
					time.Sleep(time.Hour)
				}
			})
			sendRequest(t, client, 0)
			if status, text := readStatus(t, client); status != 200 || text != "data\ndata\n" {
				t.Errorf("%d %q", status, text)
			}
		})
	})
}

// tcpPair returns both ends of a TCP connection.
func tcpPair(t *testing.T) (server, client *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dialed, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dialed.Close(); accepted.Close() })
	return accepted.(*net.TCPConn), dialed.(*net.TCPConn)
}

func TestWrites_sendQueue(t *testing.T) {
	t.Parallel()
	t.Run("received bytes leave the queue", func(t *testing.T) {
		t.Parallel()
		server, client := tcpPair(t)
		if err := server.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := server.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
		full := queuedBytes(server)
		if full == 0 {
			t.Skip("the length of the send queue is not known on this system")
		}
		go io.Copy(io.Discard, client)
		poll.Until(t, func() bool { return queuedBytes(server) == 0 }, "%d bytes are queued", queuedBytes(server))
	})
	t.Run("a client that stops reading is disconnected", func(t *testing.T) {
		t.Parallel()
		server, _ := tcpPair(t)
		paced := &pacedConn{server, 20 * time.Millisecond}
		if n, err := paced.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

func TestCheckJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		code errs.Code // empty: accepted
	}{
		"a long text with brackets":     {`{"a": "` + strings.Repeat(`[{,\"`, 100_000) + `"}`, ""},
		"50,000 values":                 {"[" + strings.Repeat("0,", 49_998) + "0]", ""},
		"more than 50,000 numbers":      {"[" + strings.Repeat("0,", 50_000) + "0]", errs.TooLarge},
		"more than 50,000 empty lists":  {"[" + strings.Repeat("[],", 25_000) + "0]", errs.TooLarge},
		"more than 50,000 empty groups": {"[" + strings.Repeat("{},", 25_000) + "0]", errs.TooLarge},
		"100 levels":                    {strings.Repeat("[", 100), ""},
		"101 levels":                    {strings.Repeat("[", 101), errs.MalformedJSON},
		"nothing":                       {"", ""},
	} {
		if err := CheckJSON([]byte(c.text)); (err != nil) != (c.code != "") || err != nil && !errs.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadBody(t *testing.T) {
	t.Parallel()
	read := func(r *http.Request) error {
		_, err := ReadBody(nil, r, 64<<10)
		return err
	}
	long := func() *http.Request {
		r, _ := http.NewRequest(http.MethodPost, "/", struct{ io.Reader }{bytes.NewReader(make([]byte, 65<<10))})
		return r
	}
	if err := read(long()); !errs.Is(err, errs.TooLarge) || errs.From(err).Message != "the body is over 64 KB" {
		t.Errorf("a body of unknown length: %v", err)
	}
	declared := long()
	declared.ContentLength, declared.Body = 65<<10, io.NopCloser(iotestPanic{})
	if err := read(declared); !errs.Is(err, errs.TooLarge) {
		t.Errorf("a declared length: %v", err)
	}
}

// iotestPanic panics when it is read.
type iotestPanic struct{}

func (iotestPanic) Read([]byte) (int, error) { panic("the body is read") }
