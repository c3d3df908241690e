package party

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// Rows are another package's rows that are attributed to parties. Their columns are id,
// workspace_id, company, company_id, executive and executive_id.
type Rows struct {
	// Select returns a query of all rows.
	Select func(db dbx.Reader) *bun.SelectQuery
	// Update returns an update of all rows, without values.
	Update func(tx dbx.Tx) *bun.UpdateQuery
	// ChangedAt is the column with the time of a row's last change; empty if it has none.
	ChangedAt string
}

// MoveHook runs in the transaction that gives a party's rows to another party, or renames the
// party. If two parties have what only one can keep, it returns a warning that names the dropped
// one. Its error rolls the change back.
type MoveHook func(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, from,
	to model.Party) (warning string, err error)

// Accounts is the part of the account service that this package uses.
type Accounts interface {
	// LockWorkspace locks and returns a workspace. It returns errs.NotFound.
	LockWorkspace(ctx context.Context, tx dbx.Tx, workspaceID string) (*model.Workspace, error)
	// Audit stores an audit entry in the transaction of the change.
	Audit(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error
}

// Config holds the dependencies of the Service.
type Config struct {
	DB       *dbx.DB
	Accounts Accounts
	// RecordChange adds a change of a party to the workspace's feed, in the transaction of the
	// change.
	RecordChange func(tx dbx.Tx, workspaceID string, kind model.PartyKind, id string)
}

// Service implements the use cases of companies and executives. It is safe for concurrent use.
type Service struct {
	Config
	rows  []Rows
	hooks []MoveHook
}

// New returns a Service.
func New(c Config) *Service { return &Service{Config: c} }

// AddRows adds rows that are attributed to parties. It must not be called after the first change.
func (s *Service) AddRows(rows Rows) { s.rows = append(s.rows, rows) }

// AddHook adds a hook for moves. It must not be called after the first change.
func (s *Service) AddHook(hook MoveHook) { s.hooks = append(s.hooks, hook) }

// Attach returns the party of each name that is not blank, by the name, and creates missing ones.
// It locks the parties, so that their names stay until the transaction ends. The number of
// statements is constant.
func (s *Service) Attach(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind,
	names ...string) (map[string]model.Party, error) {
	wanted := firstNames(names)
	if len(wanted) == 0 {
		return nil, nil
	}
	found, err := s.findForUpdate(ctx, tx, workspaceID, kind, wanted)
	if err != nil {
		return nil, err
	}
	if missing := withoutKnown(wanted, found); len(missing) > 0 {
		if err := insertParties(ctx, tx, workspaceID, kind, missing); err != nil {
			return nil, err
		}
		if found, err = s.findForUpdate(ctx, tx, workspaceID, kind, wanted); err != nil {
			return nil, err
		}
	}
	parties := make(map[string]model.Party, len(names))
	for _, name := range names {
		if party, ok := found[model.NameKey(name)]; ok {
			parties[name] = party
		}
	}
	return parties, nil
}

// keyedName is a name with the form in which it is compared.
type keyedName struct{ key, name string }

// firstNames returns the first spelling of each name that is not blank.
func firstNames(names []string) []keyedName {
	seen, out := map[string]bool{}, []keyedName{}
	for _, name := range names {
		if key := model.NameKey(name); key != "" && !seen[key] {
			seen[key] = true
			out = append(out, keyedName{key, name})
		}
	}
	return out
}

func withoutKnown(names []keyedName, known map[string]model.Party) []keyedName {
	var out []keyedName
	for _, name := range names {
		if _, ok := known[name.key]; !ok {
			out = append(out, name)
		}
	}
	return out
}

func keysOf(names []keyedName) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = name.key
	}
	return keys
}
