package graph

import (
	"context"
	"fmt"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
)

// boundary parts the pieces of an incremental delivery.
const boundary = "graphql"

// deliver answers an operation with @defer piece by piece, in the 2022 form of incremental delivery over multipart/mixed that
// gqlgen's executor makes and Apollo's clients read.
func (a *answer) deliver(responses graphql.ResponseHandler, ctx context.Context) {
	a.begun = true
	a.w.Header().Set("Content-Type", fmt.Sprintf(`%s;boundary="%s";deferSpec=20220824`, typeMixed, boundary))
	a.w.Header().Set("Cache-Control", "no-cache")
	a.w.WriteHeader(http.StatusOK)
	_ = a.frame([]byte("--" + boundary))
	first := true
	for resp := responses(ctx); resp != nil; resp = responses(ctx) {
		more := resp.HasNext != nil && *resp.HasNext
		body := encode(resp)
		if !first {
			body = increment(resp, more)
		}
		first = false
		_ = a.frame(part(body, more)) // when the caller is gone the rest is still taken from the executor, which waits for it
	}
}

// increment wraps a later piece; only the whole says whether more follows.
func increment(resp *graphql.Response, more bool) []byte {
	piece := *resp
	piece.HasNext = nil
	return fmt.Appendf(nil, `{"incremental":[%s],"hasNext":%t}`, encode(&piece), more)
}

// part is a piece with its header and the boundary behind it, which tells a client that the piece is whole.
func part(body []byte, more bool) []byte {
	end := "\r\n--" + boundary
	if !more {
		end += "--\r\n"
	}
	return fmt.Appendf(nil, "\r\nContent-Type: %s\r\n\r\n%s%s", typeJSON, body, end)
}
