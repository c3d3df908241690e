package operation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/operation/compat"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/live"
	"rostrum/platform/principal"
)

// The limits of what front ends register.
const (
	MaxVersions   = 100     // of a workspace
	MaxOperations = 2000    // of a version
	MaxBytes      = 8 << 20 // of the texts of a workspace's versions
)

// Config holds the dependencies of a Service. All are required.
type Config struct {
	DB     *dbx.DB
	Live   *live.Live  // tells other processes of changes
	Schema *ast.Schema // that clients see
	SDL    string      // its text
	// LockWorkspace locks the row of a workspace, which orders the changes of its versions.
	LockWorkspace func(ctx context.Context, tx dbx.Tx, workspaceID string) (*model.Workspace, error)
	// Audit writes an entry of the workspace's audit log in the transaction of the change.
	Audit func(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error
}

// Service implements the use cases of registered operations.
type Service struct {
	Config
	versions  *versionSet
	usage     usageCounter
	checkText func(text string) error
}

// New returns a Service. Call Load before the first request, and Run.
func New(c Config) *Service {
	return &Service{Config: c, versions: newVersionSet(), checkText: func(string) error { return nil }}
}

// CheckTexts sets the check that a text passes before it is validated, such as its length. Call it
// before the first request.
func (s *Service) CheckTexts(check func(text string) error) { s.checkText = check }

// Register stores the operations of a version of a front end. The same ones again change nothing.
// It returns errs.ValidationFailed that names each invalid operation, errs.TooLarge above a limit,
// and errs.Conflict if the version has other operations or the workspace too many versions.
func (s *Service) Register(ctx context.Context, in api.RegisterOperationsInput) (*api.RegisterOperationsPayload, error) {
	p := principal.Must(ctx)
	version := &model.AppVersion{
		ID: model.NewID(model.AppVersionPrefix), WorkspaceID: p.WorkspaceID, App: strings.TrimSpace(in.App),
		Version: strings.TrimSpace(in.Version), SchemaHash: hashOf(s.SDL), CreatedByID: optional.NonEmpty(p.UserID),
		CreatedAt: model.Now(),
	}
	operations, err := s.newOperations(version, in)
	if err != nil {
		return nil, fmt.Errorf("register operations: %w", err)
	}
	var stored *model.AppVersion
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if stored, err = findSame(ctx, tx, version); err != nil || stored != nil {
			return err
		}
		stored = version
		if err := s.storeVersion(ctx, tx, version, operations); err != nil {
			return err
		}
		return s.Audit(ctx, tx, p.WorkspaceID, "app_version.registered", version.ID, details(version))
	})
	if err != nil {
		return nil, fmt.Errorf("register operations: %w", err)
	}
	s.publish(ctx)
	return &api.RegisterOperationsPayload{AppVersion: stored}, nil
}

func details(v *model.AppVersion) map[string]any {
	return map[string]any{"app": v.App, "version": v.Version, "operations": v.OperationCount}
}

// newOperations returns the operations of a manifest, and sets the version's figures.
func (s *Service) newOperations(version *model.AppVersion, in api.RegisterOperationsInput) ([]*model.RegisteredOperation,
	error) {
	if err := checkNames(version); err != nil {
		return nil, err
	}
	entries, err := readManifest(in.Manifest)
	if err != nil {
		return nil, err
	}
	if len(entries) > MaxOperations {
		return nil, errs.New(errs.TooLarge, "the manifest has %d operations; a version has at most %d", len(entries),
			MaxOperations)
	}
	digest, operations, invalid := sha256.New(), make([]*model.RegisteredOperation, len(entries)), errs.FieldErrors{}
	for i, e := range entries {
		hash := hashOf(e.text)
		fmt.Fprintf(digest, "%s %s\n", e.key, hash)
		operations[i] = &model.RegisteredOperation{
			ID: model.NewID(model.OperationPrefix), WorkspaceID: version.WorkspaceID, AppVersionID: version.ID,
			ManifestKey: e.key, Hash: hash, Text: e.text,
		}
		version.TextBytes += len(e.text)
		if reason := s.describe(operations[i], e); reason != "" {
			invalid.Body("value_error", reason, e.path...)
		}
	}
	version.Digest, version.OperationCount = hex.EncodeToString(digest.Sum(nil)), len(entries)
	return operations, invalid.Err()
}

// checkNames returns an error for names that a header cannot have.
func checkNames(version *model.AppVersion) error {
	var invalid errs.FieldErrors
	for field, name := range map[string]string{"app": version.App, "version": version.Version} {
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.C, r) }) {
			invalid.Body("value_error", "has a control character", field)
		}
	}
	return invalid.Err()
}

// describe sets the name and kind of an operation, or returns what is wrong with its text or with
// what the manifest says of it.
func (s *Service) describe(op *model.RegisteredOperation, e entry) string {
	if err := s.checkText(op.Text); err != nil {
		return nameIn(op.Text) + errs.From(err).Message
	}
	doc, invalid := compat.Load(s.Schema, op.Text)
	switch {
	case len(invalid) > 0:
		return nameIn(op.Text) + invalid[0].String()
	case len(doc.Operations) != 1:
		return fmt.Sprintf("has %d operations: a manifest has a text for each", len(doc.Operations))
	case doc.Operations[0].Name == "":
		return "has an operation without a name"
	}
	op.Name, op.Kind = doc.Operations[0].Name, model.OperationKind(doc.Operations[0].Operation)
	if e.name != "" && e.name != op.Name || e.kind != "" && e.kind != string(op.Kind) {
		return strings.TrimSpace(fmt.Sprintf("is the %s %s, and the manifest says %s %s", op.Kind, op.Name, e.kind, e.name))
	}
	return ""
}

var operationName = regexp.MustCompile(`\b(?:query|mutation|subscription)\s+([_A-Za-z]\w*)`)

// nameIn returns the name of the operation in a text that need not be valid, with a comma.
func nameIn(text string) string {
	if name := operationName.FindStringSubmatch(text); name != nil {
		return name[1] + ", "
	}
	return ""
}

// Retire removes a version with its operations. It returns errs.NotFound for an unknown id.
func (s *Service) Retire(ctx context.Context, id string) (*api.RetireAppVersionPayload, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	err := s.retire(ctx, workspaceID, func(version *model.AppVersion) bool { return version.ID == id })
	if err != nil {
		return nil, err
	}
	return &api.RetireAppVersionPayload{DeletedID: id}, nil
}

// RetireVersion removes a version for the operator. It returns errs.NotFound for an unknown one.
func (s *Service) RetireVersion(ctx context.Context, workspaceID, app, version string) error {
	return s.retire(ctx, workspaceID, func(v *model.AppVersion) bool { return v.App == app && v.Version == version })
}

func (s *Service) retire(ctx context.Context, workspaceID string, isMeant func(*model.AppVersion) bool) error {
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.LockWorkspace(ctx, tx, workspaceID); err != nil {
			return err
		}
		version, err := findVersion(ctx, tx, workspaceID, isMeant)
		if err != nil {
			return err
		}
		if err := deleteVersion(ctx, tx, version); err != nil {
			return err
		}
		return s.Audit(ctx, tx, workspaceID, "app_version.retired", version.ID, details(version))
	})
	if err != nil {
		return fmt.Errorf("retire a version: %w", err)
	}
	s.publish(ctx)
	return nil
}
