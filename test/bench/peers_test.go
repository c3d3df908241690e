package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rostrum/test/bench/compare"
)

// newRow creates a row of a server with the given rates.
func newRow(s *comparedServer, rates ...float64) *peerRow {
	return &peerRow{
		comparison: comparison{name: "50 documents"}, candidate: newMeasured(s.name, rates...), connections: 16,
		server: s, failure: s.failure,
		memory: 80 << 20, serverCPU: []float64{300, 500, 400}, databaseCPU: []float64{90},
	}
}

func TestPeersTable(t *testing.T) {
	t.Parallel()
	own := &comparedServer{name: rostrumName, version: "of this revision"}
	peer := &comparedServer{name: "PostGraphile 5", version: "5.0"}
	absent := &comparedServer{name: "GraphJin", version: "core v3", failure: "could not be installed: not found"}
	m := &peerMeasurement{
		settings:    settings{documents: 10_000, connections: countList{16}, seconds: 1},
		connections: 17, servers: []*comparedServer{own, peer, absent},
		rows: []*peerRow{newRow(own, 2000, 1000), newRow(peer, 1000, 250), newRow(absent)},
	}
	text := strings.Join(strings.Fields(m.text()), " ")
	for promise, want := range map[string]string{
		"the_gateway_is_the_reference":      "50 documents Rostrum 1500 1.00 1.00 400 90 80 PostGraphile",
		"the_ratio_is_that_of_each_round":   "PostGraphile 5 625 1.00 1.00 0.38 ±∞ 400 90 80",
		"a_server_that_is_missing_is_named": "GraphJin could not be installed: not found",
		"versions_and_licenses":             "PostGraphile 5 5.0: MIT;",
		"the_connections_to_the_database":   "at most 17 connections",
	} {
		t.Run(promise, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, m.text())
			}
		})
	}
}

// serveText starts a server that responds with the text and returns a row of one request to it.
func serveText(t *testing.T, name, text string, canonical func([]byte) ([]byte, error)) *peerRow {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	s := &comparedServer{name: name, base: server.URL, canonical: canonical}
	s.request = func(compare.Answer, shape, target) (request, error) {
		return request{method: http.MethodGet, url: server.URL, documents: 1}, nil
	}
	return newPeerRow(comparison{shape: shape{single: true}}, compare.OneDocument, s, []target{{}})
}

func TestVerifyRows(t *testing.T) {
	t.Parallel()
	const own = `{"data":{"document":{"id":"a","workspaceId":"w"}}}`
	for name, test := range map[string]struct{ peer, failure string }{
		"the_same_document": {`{"data":{"document":[{"id":"a","workspace_id":"w"}]}}`, ""},
		"another_document": {`{"data":{"document":[{"id":"b","workspace_id":"w"}]}}`,
			"not measured: peer and Rostrum return different data at /document/id"},
		"a_missing_field": {`{"data":{"document":[{"workspace_id":"w"}]}}`,
			"not measured: peer and Rostrum return different data at /document"},
		"two_documents": {`{"data":{"document":[{"workspace_id":"w"},{}]}}`,
			"not measured: the answer has 2 documents"},
		"no_document": {`{"data":{"document":[]}}`, "not measured: peer: status 200 with 0 documents"},
		"a_document_and_more": {`{"data":{"document":[{"id":"a","workspace_id":"w"}]},"errors":[{"message":"no"}]}`,
			"not measured: the answer has errors"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := []*peerRow{serveText(t, rostrumName, own, nil), serveText(t, "peer", test.peer, compare.Canonical)}
			if err := verifyRows(t.Context(), rows); err != nil {
				t.Fatal(err)
			}
			if found := rows[1].failure; !strings.HasPrefix(found, test.failure) ||
				(found == "") != (test.failure == "") {
				t.Errorf("the failure is %q, want %q", found, test.failure)
			}
		})
	}
	t.Run("another_answer_of_the_hand_written_handler_is_an_error", func(t *testing.T) {
		t.Parallel()
		rows := []*peerRow{serveText(t, rostrumName, own, nil),
			serveText(t, "hand-written", strings.Replace(own, `"a"`, `"b"`, 1), nil)}
		if err := verifyRows(t.Context(), rows); err == nil {
			t.Error("verifyRows returns no error")
		}
	})
	t.Run("an_interrupted_run_is_an_error", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		rows := []*peerRow{serveText(t, rostrumName, own, nil), serveText(t, "peer", own, compare.Canonical)}
		cancel()
		if err := verifyRows(ctx, rows); err == nil {
			t.Error("verifyRows returns no error")
		}
	})
}
