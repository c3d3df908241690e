package policy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// fingerprint returns the SHA-256 of the caller and an operation's text, name, variables and
// spelling of enums. The caller is part of it, because a response may have a secret, for example a
// new key. The spelling differs between the graph and REST.
func fingerprint(ctx context.Context, op *graphql.OperationContext, caller principal.Principal) ([]byte, error) {
	variables, err := canonicalValue(op.Variables)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal([]any{op.RawQuery, op.Operation.Name, model.LowerEnums(ctx), variables, caller.KeyID,
		caller.UserID})
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the variables could not be compared")
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// canonicalValue replaces each file by its content's hash. JSON encoding sorts the members of
// objects.
func canonicalValue(value any) (any, error) {
	switch v := value.(type) {
	case graphql.Upload:
		sum, err := hashFile(v)
		return map[string]any{"file": sum, "name": v.Filename, "type": v.ContentType}, err
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			var err error
			if out[name], err = canonicalValue(member); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			var err error
			if out[i], err = canonicalValue(element); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// hashFile streams the file through SHA-256 and seeks back to its start.
func hashFile(file graphql.Upload) (string, error) {
	hash := sha256.New()
	_, err := io.Copy(hash, file.File)
	if err == nil {
		_, err = file.File.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", errs.Wrap(err, errs.Internal, "the uploaded file could not be read")
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
