package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/model"
	"rostrum/replay"
)

// answer writes what one HTTP request is told.
type answer struct {
	s      *Server
	w      http.ResponseWriter
	accept accept
	aside  *model.Aside // nil: nothing is said beside the body
	begun  bool         // whether the status has left
	report *replay.Report
}

// fail answers a request whose operation did not run.
func (a *answer) fail(ctx context.Context, err error) {
	a.refused(gqlerror.List{a.s.present(ctx, err)})
}

// Refuse answers a request that is not read, as those are answered that fail before they run.
func (s *Server) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	a := &answer{s: s, w: w, accept: accepts(r.Header.Values("Accept"))}
	a.fail(r.Context(), err)
}

// refuse answers with the errors that the executor found before it ran the operation.
func (a *answer) refuse(ctx context.Context, list gqlerror.List) {
	resp := a.s.exec.DispatchError(ctx, list)
	if a.accept.json == "" && a.accept.stream && status(resp.Errors) == http.StatusBadRequest {
		a.streamOne(resp)
		return
	}
	a.refused(resp.Errors)
}

func (a *answer) refused(list gqlerror.List) {
	if a.begun {
		return
	}
	code := status(list)
	if code == http.StatusUnauthorized {
		a.w.Header().Set("WWW-Authenticate", `ApiKey header="`+keyHeader+`"`)
	}
	if seconds, ok := list[0].Extensions["retry_after"].(int); ok {
		a.w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	a.write(code, &graphql.Response{Errors: list})
}

// whole answers in one piece. The executor gives nothing once an operation's time is over, and an answer without data when the
// operation was refused on its way.
func (a *answer) whole(responses graphql.ResponseHandler, ctx context.Context) {
	resp := responses(ctx)
	if resp == nil {
		a.fail(ctx, context.Cause(ctx))
		return
	}
	if a.report.Replayed {
		a.w.Header().Set(replay.ReplayedHeader, "true")
	}
	if resp.Data == nil && len(resp.Errors) > 0 {
		a.refused(resp.Errors)
		return
	}
	a.write(http.StatusOK, resp)
}

// write sends a whole answer; the data go out as the executor made them.
func (a *answer) write(code int, resp *graphql.Response) {
	a.begun = true
	head, tail := envelope(resp)
	h := a.w.Header()
	h.Set("Content-Type", cmp.Or(a.accept.json, typeJSON)+"; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(head)+len(resp.Data)+len(tail)))
	h.Add("Vary", "Accept")
	if a.aside != nil {
		a.aside.AddTo(h)
	}
	a.w.WriteHeader(code)
	for _, part := range [][]byte{head, resp.Data, tail} {
		_, _ = a.w.Write(part)
	}
}

// encode writes a whole answer into one piece.
func encode(resp *graphql.Response) []byte {
	head, tail := envelope(resp)
	return append(append(head, resp.Data...), tail...)
}

// envelope is what stands before and behind the data. Without data nothing ran, and the member is left out as the
// specification asks.
func envelope(resp *graphql.Response) (head, tail []byte) {
	var before, after members
	if len(resp.Errors) > 0 {
		before.add("errors", resp.Errors)
	}
	if resp.Data != nil {
		before.name("data")
	}
	after.any = before.any
	if resp.Label != "" {
		after.add("label", resp.Label)
	}
	if len(resp.Path) > 0 {
		after.add("path", resp.Path)
	}
	if resp.HasNext != nil {
		after.add("hasNext", *resp.HasNext)
	}
	if len(resp.Extensions) > 0 {
		after.add("extensions", resp.Extensions)
	}
	return append([]byte{'{'}, before.text...), append(after.text, '}')
}

// members is the inside of a JSON object in the making.
type members struct {
	text []byte
	any  bool // whether a member stands before the next
}

func (m *members) name(name string) {
	if m.any {
		m.text = append(m.text, ',')
	}
	m.text, m.any = append(strconv.AppendQuote(m.text, name), ':'), true
}

// add writes a member; a value that has no JSON, which only a resolver's extension could bring, is null.
func (m *members) add(name string, value any) {
	m.name(name)
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte("null")
	}
	m.text = append(m.text, text...)
}
