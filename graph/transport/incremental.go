package transport

import (
	"context"
	"fmt"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/incremental"
)

// boundary separates the parts of an incremental delivery.
const boundary = "graphql"

// specNames are the parameters of the media type by the format of its parts.
var specNames = map[incremental.Format]string{
	incremental.Spec2022: "deferSpec=20220824",
	incremental.SpecV02:  "incrementalSpec=v0.2",
}

// writeIncremental responds to an operation part by part, over multipart/mixed.
func (a *responder) writeIncremental(ctx context.Context, op *graphql.OperationContext) {
	a.started = true
	a.w.Header().Set("Content-Type", fmt.Sprintf(`%s;boundary="%s";%s`, typeMixed, boundary, specNames[a.formats.spec]))
	a.w.Header().Set("Cache-Control", "no-cache")
	a.w.WriteHeader(http.StatusOK)
	_ = a.writeFrame([]byte("--" + boundary))
	a.s.forEachPart(ctx, op, a.formats.spec, func(resp response) bool {
		return a.writeFrame(encodePart(resp)) == nil
	})
	_ = a.writeFrame([]byte("--\r\n"))
}

// encodePart adds the part's header and the next boundary. The client sees by it that the part is
// complete.
func encodePart(resp response) []byte {
	return fmt.Appendf(nil, "\r\nContent-Type: %s\r\n\r\n%s\r\n--%s", typeJSON, resp.join(), boundary)
}

// forEachPart runs an operation with @defer and calls handle with each response until it returns
// false.
func (s *Server) forEachPart(ctx context.Context, op *graphql.OperationContext, spec incremental.Format,
	handle func(resp response) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx, delivery := incremental.WithDelivery(ctx, spec)
	responses, inner := s.exec.DispatchOperation(ctx, op)
	resp := responses(inner)
	if resp == nil {
		handle(newResponse(s.policy.ErrorResponse(inner, context.Cause(inner))))
		return
	}
	encoded := newResponse(resp)
	if pending := delivery.Pending(); pending != nil {
		encoded.head = fmt.Appendf(nil, `{"pending":%s,%s`, pending, encoded.head[1:])
	}
	for reading := true; ; {
		if reading = reading && handle(encoded); !reading {
			cancel() // the rest is read without being run, so that what the operation holds is released
		}
		if resp.HasNext == nil || !*resp.HasNext {
			return
		}
		if resp = responses(inner); resp == nil {
			return
		}
		body, err := delivery.Encode(resp)
		if err != nil {
			body = encodeResponse(s.policy.ErrorResponse(inner, err))
		}
		encoded = response{head: body}
	}
}
