package transport

import (
	"context"
	"fmt"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
)

// boundary separates the parts of an incremental delivery.
const boundary = "graphql"

// writeIncremental responds to an operation with @defer part by part. It uses the 2022 form of
// incremental delivery over multipart/mixed, which gqlgen's executor produces and Apollo's clients
// read.
func (a *responder) writeIncremental(ctx context.Context, responses graphql.ResponseHandler) {
	a.started = true
	a.w.Header().Set("Content-Type", fmt.Sprintf(`%s;boundary="%s";deferSpec=20220824`, typeMixed, boundary))
	a.w.Header().Set("Cache-Control", "no-cache")
	a.w.WriteHeader(http.StatusOK)
	_ = a.writeFrame([]byte("--" + boundary))
	first := true
	for resp := responses(ctx); resp != nil; resp = responses(ctx) {
		more := resp.HasNext != nil && *resp.HasNext
		body := encodeResponse(resp)
		if !first {
			body = encodeIncrement(resp, more)
		}
		first = false
		// after a write error the executor must still be drained, since it blocks on the rest
		_ = a.writeFrame(encodePart(body, more))
	}
}

// encodeIncrement wraps a deferred part; only the wrapper has the member hasNext.
func encodeIncrement(resp *graphql.Response, more bool) []byte {
	deferred := *resp
	deferred.HasNext = nil
	return fmt.Appendf(nil, `{"incremental":[%s],"hasNext":%t}`, encodeResponse(&deferred), more)
}

// encodePart adds the part's header and the next boundary. The client sees by it that the part is
// complete.
func encodePart(body []byte, more bool) []byte {
	end := "\r\n--" + boundary
	if !more {
		end += "--\r\n"
	}
	return fmt.Appendf(nil, "\r\nContent-Type: %s\r\n\r\n%s%s", typeJSON, body, end)
}
