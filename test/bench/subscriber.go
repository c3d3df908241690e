package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// subscriberTask is the task of a subscriber process: it is this program again, so that it shares
// the machine with the server, but neither memory nor files.
type subscriberTask struct {
	Address     string `json:"address"` // of the gateway, host:port
	Key         string `json:"key"`
	Subscribers int    `json:"subscribers"`
	Events      int    `json:"events"` // after which it reports
}

// subscriberVariable holds the task in the environment of a subscriber process.
const subscriberVariable = "ROSTRUM_BENCH_SUBSCRIBE"

// dialConcurrency is the number of connections that are opened concurrently.
const dialConcurrency = 16

// receptionTimes is the subscribers' report: the times from publication to reception, in
// nanoseconds.
type receptionTimes struct {
	Last []time.Duration `json:"last"` // until the last subscriber received it, in the order of the events
	Each []time.Duration `json:"each"` // a sample of all receptions
}

// samplingInterval is the number of receptions of which one is stored.
const samplingInterval = 101

// subscribers are the connections of one process and their received events.
type subscribers struct {
	subscriberTask
	warm  atomic.Int64 // connections that have received an event
	had   []atomic.Int64
	slow  []atomic.Int64 // the longest time of each event
	kept  []atomic.Int64 // a sample of all times, in the order of arrival
	seen  atomic.Int64
	ended chan struct{}
}

// runSubscribers is the main function of a subscriber process: it prints "subscribed" when all have
// subscribed, "warm" when each has received an event with the number 0, and its measurements when
// each has received the events from 1 on.
func runSubscribers(ctx context.Context, task string) error {
	s := &subscribers{ended: make(chan struct{})}
	if err := json.Unmarshal([]byte(task), &s.subscriberTask); err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	s.had, s.slow = make([]atomic.Int64, s.Events+1), make([]atomic.Int64, s.Events+1)
	s.kept = make([]atomic.Int64, s.Events*s.Subscribers/samplingInterval+1)
	dialled, reading := errgroup.WithContext(ctx)
	dialled.SetLimit(dialConcurrency)
	failed := make(chan error, 1)
	for range s.Subscribers {
		dialled.Go(func() error {
			c, err := s.dial(reading)
			if err != nil {
				return err
			}
			go func() {
				select {
				case failed <- s.readEvents(c):
				default:
				}
			}()
			return nil
		})
	}
	if err := dialled.Wait(); err != nil {
		return err
	}
	fmt.Println("subscribed")
	select {
	case <-s.ended:
		return json.NewEncoder(os.Stdout).Encode(s.report())
	case err := <-failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *subscribers) report() receptionTimes {
	h := receptionTimes{}
	for i := range s.slow[1:] {
		h.Last = append(h.Last, time.Duration(s.slow[i+1].Load()))
	}
	for i := range s.kept {
		if took := s.kept[i].Load(); took > 0 {
			h.Each = append(h.Each, time.Duration(took))
		}
	}
	return h
}

// subscriber is a WebSocket without a library, so that reading an event costs little in comparison
// with the system's part.
type subscriber struct {
	conn   net.Conn
	reader *bufio.Reader
}

// dial opens a connection to the gateway and subscribes.
func (s *subscribers) dial(ctx context.Context) (*subscriber, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Address)
	if err != nil {
		return nil, err
	}
	c := &subscriber{conn, bufio.NewReaderSize(conn, 2048)}
	upgrade := "GET /graphql HTTP/1.1\r\nHost: " + s.Address + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n" +
		"X-API-Key: " + s.Key + "\r\n\r\n"
	if _, err := io.WriteString(conn, upgrade); err != nil {
		return nil, err
	}
	status, err := c.reader.ReadString('\n')
	if err != nil || !strings.Contains(status, " 101 ") {
		return nil, fmt.Errorf("open a socket: %q (%w)", status, err)
	}
	for line := status; err == nil && line != "\r\n"; line, err = c.reader.ReadString('\n') {
	}
	if err != nil {
		return nil, err
	}
	const query = `subscription { events { id event timestamp link { id slug title shortUrl } viewer } }`
	return c, errors.Join(c.send(1, `{"type":"connection_init"}`),
		c.send(1, `{"id":"1","type":"subscribe","payload":{"query":"`+query+`"}}`))
}

// send writes a frame with a mask of zeros.
func (c *subscriber) send(opcode byte, text string) error {
	frame := []byte{0x80 | opcode, 0x80 | byte(min(len(text), 126))}
	if len(text) >= 126 {
		frame = binary.BigEndian.AppendUint16(frame, uint16(len(text)))
	}
	_, err := c.conn.Write(append(append(frame, 0, 0, 0, 0), text...))
	return err
}

// receive reads a frame; the payload is valid until the next frame is read.
func (c *subscriber) receive(into []byte) (opcode byte, payload []byte, err error) {
	head, err := c.reader.Peek(2)
	if err != nil {
		return 0, nil, err
	}
	opcode, size := head[0]&0xf, int(head[1])
	_, _ = c.reader.Discard(2) // already peeked
	if size == 126 {
		if head, err = c.reader.Peek(2); err != nil {
			return 0, nil, err
		}
		size = int(binary.BigEndian.Uint16(head))
		_, _ = c.reader.Discard(2) // already peeked
	}
	if size > len(into) {
		return 0, nil, fmt.Errorf("a frame of %d bytes exceeds the buffer", size)
	}
	_, err = io.ReadFull(c.reader, into[:size])
	return opcode, into[:size], err
}

// readEvents reads a connection until it fails.
func (s *subscribers) readEvents(c *subscriber) error {
	into := make([]byte, 2048)
	warm, next := false, int64(1)
	for {
		opcode, payload, err := c.receive(into)
		switch {
		case err != nil:
			return err
		case opcode == 9:
			if err := c.send(10, string(payload)); err != nil {
				return err
			}
			continue
		case opcode != 1:
			return fmt.Errorf("the socket was closed: %q", payload)
		case bytes.Contains(payload, []byte(`"connection_ack"`)):
			continue
		}
		number, at, err := parseStamp(payload)
		if err != nil {
			return err
		}
		if number == 0 {
			if !warm && s.warm.Add(1) == int64(s.Subscribers) {
				fmt.Println("warm")
			}
			warm = true
			continue
		}
		if number != next {
			return fmt.Errorf("received event %d, want %d", number, next)
		}
		next++
		s.recordReception(number, time.Now().UnixNano()-at)
	}
}

// recordReception records the reception of an event by a subscriber.
func (s *subscribers) recordReception(number, took int64) {
	for slowest := s.slow[number].Load(); took > slowest &&
		!s.slow[number].CompareAndSwap(slowest, took); slowest = s.slow[number].Load() {
	}
	if n := s.seen.Add(1); n%samplingInterval == 0 {
		s.kept[n/samplingInterval].Store(took)
	}
	if s.had[number].Add(1) == int64(s.Subscribers) && number == int64(s.Events) {
		close(s.ended)
	}
}

// parseStamp returns the number and the publication time of an event.
func parseStamp(payload []byte) (number, at int64, err error) {
	_, rest, ok := bytes.Cut(payload, []byte(`"number":`))
	digits, rest, ok2 := bytes.Cut(rest, []byte(`,"at":`))
	end := bytes.IndexByte(rest, '}')
	if !ok || !ok2 || end < 0 {
		return 0, 0, fmt.Errorf("not an event: %.300s", payload)
	}
	number, err = strconv.ParseInt(string(digits), 10, 64)
	if err == nil {
		at, err = strconv.ParseInt(string(rest[:end]), 10, 64)
	}
	return number, at, err
}
