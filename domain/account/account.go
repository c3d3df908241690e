// Package account knows who is asking: workspaces, their keys and users, sessions, and what each may do and did.
package account

import (
	"context"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-redis/redis_rate/v10"
	"github.com/hashicorp/golang-lru/v2/expirable"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

// revocations is the topic on which processes tell each other that a key changed.
const revocations = "key.changed"

// Service is the room's door.
type Service struct {
	db       *dbx.DB
	live     *live.Live
	keys     *expirable.LRU[string, *model.APIKey] // by hash of the secret; bounds how long a lost revocation is not known
	touched  chan *model.APIKey
	sessions *scs.SessionManager
	limiter  *redis_rate.Limiter // of attempts to sign in
	issuer   *Issuer             // nil: nobody signs in by OpenID Connect
	onPlan   []OnPlan
}

// OnPlan hears in the transaction that changes a workspace's plan what it is from then on; an error undoes the change.
type OnPlan func(ctx context.Context, tx dbx.Tx, workspaceID string, plan model.Plan) error

// keyMemory is how long a key is believed without asking the database again, should Redis not carry its revocation. With the
// pause between two checks of an open stream it stays below the five seconds in which a revoked key's streams end.
const keyMemory = 2 * time.Second

// New makes the room, with what hears of changed plans; Run must be called for last uses to be written and for other processes'
// revocations to be heard.
func New(db *dbx.DB, l *live.Live, onPlan ...OnPlan) *Service {
	return &Service{
		db: db, live: l,
		keys:     expirable.NewLRU[string, *model.APIKey](10_000, nil, keyMemory),
		touched:  make(chan *model.APIKey, 1024),
		sessions: newSessions(l), limiter: redis_rate.NewLimiter(l.Client()), onPlan: onPlan,
	}
}

// Run hears of changed keys, writes last uses and gives back the runs of calls that were left behind, until the context ends.
func (s *Service) Run(ctx context.Context) {
	news := s.live.Subscribe(revocations)
	defer news.Close()
	sweep := time.NewTicker(sweepEvery)
	defer sweep.Stop()
	_ = s.sweep(ctx) // what fails is found the next time
	for {
		select {
		case <-ctx.Done():
			return
		case <-news.C():
			s.keys.Purge()
		case <-news.Missed():
			s.keys.Purge()
		case key := <-s.touched:
			// A last use that cannot be written is written with the next one.
			_ = s.touchKey(ctx, key, model.Now())
		case <-sweep.C:
			_ = s.sweep(ctx)
		}
	}
}

// Workspace is the workspace that the caller acts in.
func (s *Service) Workspace(ctx context.Context) (*model.Workspace, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.current(ctx, p.WorkspaceID)
}

// NewWorkspace is what a workspace is made from; Plan defaults to free and RunLimit to 10,000 runs a month. A demo workspace's
// budget is fixed.
type NewWorkspace struct {
	Name     string
	Plan     model.Plan
	Demo     bool
	RunLimit int
}

// CreateWorkspace makes a workspace; it is the operator's to call and has no face of its own.
func (s *Service) CreateWorkspace(ctx context.Context, in NewWorkspace) (*model.Workspace, error) {
	if in.Name == "" {
		return nil, errs.Invalid(errs.BodyField("missing", "is required", "name"))
	}
	w := &model.Workspace{
		ID: model.NewID(model.WorkspacePrefix), Name: in.Name, Plan: in.Plan, IsDemo: in.Demo,
		MarketLanguage: "en", DefaultModel: "builtin-extractive-1", RunLimit: in.RunLimit, CreatedAt: model.Now(),
	}
	if w.Plan == "" {
		w.Plan = model.PlanFree
	}
	if w.RunLimit == 0 {
		w.RunLimit = 10_000
	}
	if !w.IsDemo {
		next := monthAfter(w.CreatedAt)
		w.RunsResetAt = &next
	}
	if _, err := s.db.NewInsert().Model(w).Exec(ctx); err != nil {
		return nil, fmt.Errorf("create workspace: %w", dbx.Err(err))
	}
	return w, nil
}

// SetPlan changes what a workspace has contracted; it is the operator's to call. It fails with not_found.
func (s *Service) SetPlan(ctx context.Context, workspaceID string, plan model.Plan) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		before, err := s.PlanForUpdate(ctx, tx, workspaceID)
		if err != nil || before == plan {
			return err
		}
		if err := updatePlan(ctx, tx, workspaceID, plan); err != nil {
			return err
		}
		for _, hear := range s.onPlan {
			if err := hear(ctx, tx, workspaceID, plan); err != nil {
				return err
			}
		}
		details := map[string]any{"from": before, "to": plan}
		return note(ctx, tx, workspaceID, noted{Action: "plan.changed", Subject: workspaceID, Details: details})
	})
	if err != nil {
		return fmt.Errorf("set plan: %w", err)
	}
	return nil
}
