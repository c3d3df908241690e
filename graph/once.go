package graph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/replay"
)

// once runs a mutation with an Idempotency-Key once and repeats its answer, through whichever door it came. It stands behind the
// scopes and limits, so that a repeated answer is shown to nobody who could not have asked for it.
//
// As with Stripe, the answer of an operation that ran is kept whatever it was, a failure of ours included; a refusal before anything
// ran (see refusals) is not, and the key may be used again. A caller who leaves does not stop such an operation. Over a WebSocket the
// header of the upgrade does not count, since it would name every operation of the socket; queries ignore it, and @defer and
// subscriptions are no mutations.
type once struct{ s *Server }

var _ graphql.OperationInterceptor = once{}

// ExtensionName names the memory to gqlgen.
func (once) ExtensionName() string { return "Once" }

// Validate accepts every schema.
func (once) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation answers from memory, or runs the operation and remembers its answer.
func (o once) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	given := op.Headers.Values(replay.Header)
	if op.Operation.Operation != ast.Mutation || len(given) == 0 || o.s.answers == nil {
		return next(ctx)
	}
	claim, kept, err := o.begin(ctx, op, given)
	switch {
	case err != nil:
		return graphql.OneShot(o.s.presented(ctx, err))
	case kept != nil:
		replay.Tell(ctx)
		return graphql.OneShot(kept)
	}
	return o.remember(claim, op, next(context.WithoutCancel(ctx)))
}

func (o once) begin(ctx context.Context, op *graphql.OperationContext, given []string) (*replay.Claim, *graphql.Response, error) {
	key, err := replay.CheckKey(given)
	if err != nil {
		return nil, nil, err
	}
	print, err := fingerprint(ctx, op)
	if err != nil {
		return nil, nil, err
	}
	claim, text, err := o.s.answers.Begin(ctx, replay.Request{WorkspaceID: workspaceOf(ctx), Key: key, Fingerprint: print})
	if err != nil || claim != nil {
		return claim, nil, err
	}
	resp, err := unpack(text)
	return nil, resp, err
}

// remember keeps the first answer; a mutation has no second one.
func (o once) remember(claim *replay.Claim, op *graphql.OperationContext, responses graphql.ResponseHandler) graphql.ResponseHandler {
	done := false
	return func(ctx context.Context) *graphql.Response {
		resp := responses(ctx)
		if done {
			return resp
		}
		done = true
		if resp == nil { // its time was over: what it did is not known, so it must not run again
			resp = o.s.presented(ctx, context.Cause(ctx))
		}
		o.end(context.WithoutCancel(ctx), claim, op, resp)
		return resp
	}
}

// end keeps the answer or frees the key. When that fails the caller still has the answer, and the key is free within a minute.
func (o once) end(ctx context.Context, claim *replay.Claim, op *graphql.OperationContext, resp *graphql.Response) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	if refused(o.s.measures.of(op.Operation), resp) {
		o.s.logUnkept(ctx, claim.Release(ctx))
		return
	}
	text, err := pack(resp)
	if err == nil {
		err = claim.Keep(ctx, text)
	}
	o.s.logUnkept(ctx, err)
}

// kept is an answer as it is remembered. Data is left out where the answer has none, which is not the same as null.
type kept struct {
	Data       json.RawMessage `json:"data,omitempty"`
	Errors     gqlerror.List   `json:"errors,omitempty"`
	Extensions map[string]any  `json:"extensions,omitempty"`
}

// pack leaves the data as they are to the byte, which [json.Marshal] would not.
func pack(resp *graphql.Response) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(kept{resp.Data, resp.Errors, resp.Extensions})
	return text.Bytes(), err
}

func unpack(text []byte) (*graphql.Response, error) {
	var k kept
	if err := json.Unmarshal(text, &k); err != nil {
		return nil, fmt.Errorf("read a kept answer: %w", err)
	}
	return &graphql.Response{Data: k.Data, Errors: k.Errors, Extensions: k.Extensions}, nil
}

func (s *Server) logUnkept(ctx context.Context, err error) {
	if err != nil {
		s.log.WarnContext(ctx, "graph: the answer to an idempotency key was not kept", "error", err)
	}
}

// refusals are the statuses of failures that say that nothing ran.
var refusals = []int{
	http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusTooManyRequests,
}

// refused reports whether nothing of the operation ran: it has one root field, and that was refused.
func refused(m *measure, resp *graphql.Response) bool {
	if len(m.needs) != 1 || len(resp.Errors) == 0 || string(resp.Data) != "null" {
		return false
	}
	return !slices.ContainsFunc(resp.Errors, func(err *gqlerror.Error) bool {
		return !slices.Contains(refusals, status(gqlerror.List{err}))
	})
}

// fingerprint tells an operation from others: its text and name, its variables, and the face whose spelling the answer has.
func fingerprint(ctx context.Context, op *graphql.OperationContext) ([]byte, error) {
	variables, err := canonical(op.Variables)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal([]any{op.RawQuery, op.Operation.Name, model.LowerEnums(ctx), variables})
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the variables could not be compared")
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// canonical puts the content's hash in the place of each file; JSON orders the rest.
func canonical(value any) (any, error) {
	switch v := value.(type) {
	case graphql.Upload:
		sum, err := contentHash(v)
		return map[string]any{"file": sum, "name": v.Filename, "type": v.ContentType}, err
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			var err error
			if out[name], err = canonical(member); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			var err error
			if out[i], err = canonical(element); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// contentHash reads a file through, without holding it, and goes back to its start.
func contentHash(file graphql.Upload) (string, error) {
	hash := sha256.New()
	_, err := io.Copy(hash, file.File)
	if err == nil {
		_, err = file.File.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", errs.Wrap(err, errs.Internal, "the file could not be read again")
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
