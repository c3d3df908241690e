package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/platform/idempotency"
	"rostrum/platform/principal"
)

// claimTimeout bounds the time for claiming a key.
const claimTimeout = 5 * time.Second

// storeTimeout bounds the time for storing a response or releasing its key.
const storeTimeout = 10 * time.Second

// idempotencyExtension runs a mutation with an Idempotency-Key once and repeats its response, on
// every transport. It comes after authorization, so a stored response reaches only clients that may
// run the operation. A client that disconnects does not cancel the mutation.
//
// A response is stored once execution has started, with the errors of its root fields. Not stored
// are files, responses over 256 KB, rejections (see rejectionStatuses), and 5xx of operations that
// committed nothing: their key may be used again. After a 5xx of an operation that committed,
// anywhere in its response, the key is refused.
//
// Queries and subscriptions ignore the header. So does a WebSocket, because the header of its
// upgrade would apply to each of its operations.
type idempotencyExtension struct{ p *Policy }

var _ graphql.OperationInterceptor = idempotencyExtension{}

// ExtensionName implements graphql.HandlerExtension.
func (idempotencyExtension) ExtensionName() string { return "Idempotency" }

// Validate implements graphql.HandlerExtension; every schema is valid.
func (idempotencyExtension) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation returns the key's stored response, or runs the operation and stores its
// response.
func (e idempotencyExtension) InterceptOperation(ctx context.Context,
	next graphql.OperationHandler) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	keys := op.Headers.Values(idempotency.Header)
	if op.Operation.Operation != ast.Mutation || len(keys) == 0 || e.p.config.Idempotency == nil {
		return next(ctx)
	}
	claim, stored, err := e.claimKey(ctx, op, keys)
	switch {
	case err != nil:
		return graphql.OneShot(e.p.ErrorResponse(ctx, err))
	case stored != nil:
		idempotency.MarkReplayed(ctx)
		return graphql.OneShot(stored)
	}
	return e.storeFirst(claim, op, next(claim.Context(context.WithoutCancel(ctx))))
}

// claimKey returns a claim to run the operation or, if it has run, its stored response.
func (e idempotencyExtension) claimKey(ctx context.Context, op *graphql.OperationContext,
	keys []string) (*idempotency.Claim, *graphql.Response, error) {
	key, err := idempotency.ParseKey(keys)
	if err != nil {
		return nil, nil, err
	}
	caller, _ := principal.From(ctx) // an operation that only introspects needs no principal
	hash, err := fingerprint(ctx, op, caller)
	if err != nil {
		return nil, nil, err
	}
	request := idempotency.Request{WorkspaceID: caller.WorkspaceID, Key: key, Fingerprint: hash}
	limited, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	claim, text, err := e.p.config.Idempotency.Begin(limited, request)
	if err != nil || claim != nil {
		return claim, nil, err
	}
	resp, err := decodeStored(text)
	return nil, resp, err
}

// storeFirst stores the first response; a mutation has no second.
func (e idempotencyExtension) storeFirst(claim *idempotency.Claim, op *graphql.OperationContext,
	responses graphql.ResponseHandler) graphql.ResponseHandler {
	done := false
	return func(ctx context.Context) *graphql.Response {
		resp := responses(ctx)
		if done {
			return resp
		}
		done = true
		if resp == nil { // it timed out
			resp = e.p.ErrorResponse(ctx, context.Cause(ctx))
		}
		e.finishClaim(context.WithoutCancel(ctx), claim, op, resp)
		return resp
	}
}

// finishClaim stores the response or releases the key. If that fails, the client still gets the
// response and the claim expires within seconds.
func (e idempotencyExtension) finishClaim(ctx context.Context, claim *idempotency.Claim, op *graphql.OperationContext,
	resp *graphql.Response) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	e.logUnstored(ctx, e.storeOrRelease(ctx, claim, AnalysisOf(op), resp))
}

func (e idempotencyExtension) storeOrRelease(ctx context.Context, claim *idempotency.Claim, a *Analysis,
	resp *graphql.Response) error {
	if a.returnsFile {
		return claim.Discard(ctx)
	}
	incomplete := len(a.rootKeys) == 1 && hasServerError(resp)
	if incomplete || isRejected(a, resp) {
		if !claim.Committed() {
			if released, err := claim.Release(ctx); err != nil || released {
				return err
			}
		}
		if incomplete {
			// it was executed, for instance if the connection was lost at the commit or when the result was read
			return claim.Discard(ctx)
		}
	}
	text, err := encodeStored(resp)
	if err != nil {
		return err
	}
	return claim.Complete(ctx, text)
}

func (e idempotencyExtension) logUnstored(ctx context.Context, err error) {
	if err != nil {
		e.p.config.Logger.WarnContext(ctx, "graph: response of an idempotency key not stored", "error", err)
	}
}

// hasServerError reports whether a response has an error with a 5xx, at its root field or below.
func hasServerError(resp *graphql.Response) bool {
	return slices.ContainsFunc(resp.Errors, func(err *gqlerror.Error) bool {
		return HTTPStatus(gqlerror.List{err}) >= http.StatusInternalServerError
	})
}

// rejectionStatuses are HTTP statuses below 500 after which a client may send the same request
// again.
var rejectionStatuses = []int{
	http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusUnprocessableEntity,
	http.StatusTooManyRequests,
}

// isRejected reports whether an operation that committed nothing failed without an effect: its
// single root field was rejected, failed with a 5xx, or timed out.
func isRejected(a *Analysis, resp *graphql.Response) bool {
	if len(a.rootKeys) != 1 || len(resp.Errors) == 0 || !isNullRoot(resp.Data, a.rootKeys[0]) {
		return false
	}
	return !slices.ContainsFunc(resp.Errors, func(err *gqlerror.Error) bool {
		status := HTTPStatus(gqlerror.List{err})
		return status < http.StatusInternalServerError && !slices.Contains(rejectionStatuses, status)
	})
}

// isNullRoot reports whether the data are null, or have null for the root field.
func isNullRoot(data json.RawMessage, key string) bool {
	var values map[string]json.RawMessage
	if len(data) == 0 || json.Unmarshal(data, &values) != nil {
		return len(data) == 0
	}
	value, ok := values[key]
	return !ok || string(value) == "null"
}

// storedResponse is the stored form of a response. No data differs from null as data.
type storedResponse struct {
	Data       json.RawMessage `json:"data,omitempty"`
	Errors     gqlerror.List   `json:"errors,omitempty"`
	Extensions map[string]any  `json:"extensions,omitempty"`
}

// encodeStored preserves the bytes of the data, unlike [json.Marshal], which escapes HTML.
func encodeStored(resp *graphql.Response) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(storedResponse{resp.Data, resp.Errors, resp.Extensions})
	return text.Bytes(), err
}

func decodeStored(text []byte) (*graphql.Response, error) {
	var s storedResponse
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("decode a stored response: %w", err)
	}
	return &graphql.Response{Data: s.Data, Errors: s.Errors, Extensions: s.Extensions}, nil
}
