package account

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-redis/redis_rate/v10"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/platform/seal"
)

// revocationTopic is the topic of key changes between processes.
const revocationTopic = "key.changed"

// Service implements the account use cases.
type Service struct {
	db   *dbx.DB
	live *live.Live
	// by hash of the secret; limits how long a lost revocation goes unnoticed
	keys    *live.LocalCache[string, *cachedKey]
	touched chan *model.APIKey
	seen    chan seenMember
	// seenLately holds the uses that are stored, for seenInterval.
	seenLately *live.LocalCache[seenMember, bool]
	sessions   *scs.SessionManager
	limiter    *redis_rate.Limiter // of sign-in attempts
	issuer     *Issuer             // nil disables OpenID Connect
	mails      Mails
	usage      usageCounter
	calls      callBuffer

	auditedReads *live.LocalCache[string, bool] // ids of entries of reads that are stored

	onPlan []OnPlan

	measures []MeasureStorage
	storage  *live.LocalCache[string, *measuredStorage] // by workspace

	credentialTime time.Duration
	callRetention  time.Duration
	defaultModel   string
	publicURL      string
	record         func(tx dbx.Tx, workspaceID, name, id string)
	recordBudget   func(tx dbx.Tx, w *model.Workspace, percent int)
	sealer         *seal.Sealer
	checkSeal      func(ctx context.Context, tx dbx.Tx) error
}

// DefaultModel returns the name of the text model that answers requests that name none.
func (s *Service) DefaultModel() string { return s.defaultModel }

// OnPlan runs in the transaction that changes a workspace's plan, for example to pause webhooks.
// Its error undoes the change.
type OnPlan func(ctx context.Context, tx dbx.Tx, workspaceID string, plan model.Plan) error

// keyMemory is how long a key is cached in case Redis loses its revocation. A revoked key's streams
// must end within five seconds, so it is short: the pause between two checks of a stream adds to
// it.
const keyMemory = 2 * time.Second

// Config holds the dependencies of a Service.
type Config struct {
	DB *dbx.DB
	// Live carries revocations between processes, sessions, and sign-in attempts.
	Live *live.Live
	// OnPlan is called when a workspace's plan changes.
	OnPlan []OnPlan
	// CredentialTime limits the time for reading a key or a membership, because requests must not
	// block while the database does not answer; 3 seconds by default.
	CredentialTime time.Duration
	// CallRetention is how long records of model requests are stored; 0 stores them forever.
	CallRetention time.Duration
	// RecordChange adds a change of a row to the workspace's feed, in the change's transaction;
	// optional.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
	// RecordBudget adds to the workspace's feed that a share of the run budget is used up, in the
	// transaction that takes the runs; optional.
	RecordBudget func(tx dbx.Tx, w *model.Workspace, percent int)
	// DefaultModel is the name of the text model that answers requests that name none.
	DefaultModel string
	// PublicURL is the base URL of the links of invites, without a slash at its end.
	PublicURL string
	// Sealer encrypts the secrets of authenticator apps. CheckSeal returns an error if the secrets
	// of the database are sealed with another key.
	Sealer    *seal.Sealer
	CheckSeal func(ctx context.Context, tx dbx.Tx) error
}

// New returns a service. Call Run to store last uses of keys and to receive other processes'
// revocations.
func New(config Config) *Service {
	if config.RecordChange == nil {
		config.RecordChange = func(dbx.Tx, string, string, string) {}
	}
	if config.RecordBudget == nil {
		config.RecordBudget = func(dbx.Tx, *model.Workspace, int) {}
	}
	return &Service{
		db: config.DB, live: config.Live,
		keys:    live.NewLocalCache[string, *cachedKey](10_000, keyMemory),
		touched: make(chan *model.APIKey, 1024),
		seen:    make(chan seenMember, 1024), seenLately: live.NewLocalCache[seenMember, bool](10_000, seenInterval),
		sessions: newSessions(config.DB, config.Live), limiter: redis_rate.NewLimiter(config.Live.Client()),
		onPlan:         config.OnPlan,
		storage:        live.NewLocalCache[string, *measuredStorage](maxMeasured, storageMemory),
		auditedReads:   live.NewLocalCache[string, bool](maxAuditedReads, readPeriod),
		credentialTime: cmp.Or(config.CredentialTime, defaultCredentialTime), callRetention: config.CallRetention,
		defaultModel: config.DefaultModel, publicURL: config.PublicURL, record: config.RecordChange,
		recordBudget: config.RecordBudget,
		sealer:       config.Sealer, checkSeal: config.CheckSeal,
	}
}

// Run receives key changes, stores usage, and returns the runs of abandoned calls until the context
// ends.
func (s *Service) Run(ctx context.Context) {
	revocations := s.live.Subscribe(revocationTopic)
	defer revocations.Close()
	sweep := time.NewTicker(sweepEvery)
	defer sweep.Stop()
	usage := time.NewTicker(usageInterval)
	defer usage.Stop()
	_ = s.returnAbandoned(ctx) // an error is retried at the next tick
	for {
		select {
		case <-ctx.Done():
			_ = s.storeLastUsage(ctx)
			_ = s.storeCalls(ctx)
			return
		case <-usage.C:
			_ = s.storeUsage(ctx) // an error is retried at the next tick
			_ = s.storeCalls(ctx)
		case <-revocations.C():
			s.keys.Purge()
		case <-revocations.Missed():
			s.keys.Purge()
		case key := <-s.touched:
			// A lost last use is stored with the next one.
			_ = s.touchKey(ctx, key, model.Now())
		case seen := <-s.seen:
			_ = s.storeSeen(ctx, seen)
		case <-sweep.C:
			_ = s.returnAbandoned(ctx)
			_ = s.deleteExpiredSessions(ctx)
			_ = s.deleteExpiredTokens(ctx)
			_ = s.DeleteOldCalls(ctx)
		}
	}
}

// Workspace returns the caller's workspace.
func (s *Service) Workspace(ctx context.Context) (*model.Workspace, error) {
	p := principal.Must(ctx)
	return s.currentWorkspace(ctx, p.WorkspaceID)
}

// NewWorkspace is the input of CreateWorkspace. Plan defaults to free, RunLimit to 10,000 runs a
// month. A demo workspace's budget is fixed.
type NewWorkspace struct {
	Name     string
	Plan     model.Plan
	Demo     bool
	RunLimit int
}

// CreateWorkspace stores a workspace for the operator. It returns errs.ValidationFailed without a
// name.
func (s *Service) CreateWorkspace(ctx context.Context, in NewWorkspace) (*model.Workspace, error) {
	w, err := newWorkspace(in)
	if err != nil {
		return nil, err
	}
	if _, err := s.db.NewInsert().Model(w).Exec(ctx); err != nil {
		return nil, fmt.Errorf("create workspace: %w", dbx.Err(err))
	}
	return w, nil
}

func newWorkspace(in NewWorkspace) (*model.Workspace, error) {
	if in.Name == "" {
		return nil, errs.Invalid(errs.BodyField("missing", "is required", "name"))
	}
	w := &model.Workspace{
		ID: model.NewID(model.WorkspacePrefix), Name: in.Name, Plan: in.Plan, IsDemo: in.Demo,
		MarketLanguage: "en", DefaultVisibility: model.VisibilityPublic, DefaultModel: "builtin-extractive-3", RunLimit: in.RunLimit, CreatedAt: model.Now(),
	}
	w.RunsSince = &w.CreatedAt
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
	return w, nil
}

// SetPlan changes a workspace's plan for the operator. It returns errs.NotFound, or the error of an
// OnPlan hook.
func (s *Service) SetPlan(ctx context.Context, workspaceID string, plan model.Plan) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.LockWorkspace(ctx, tx, workspaceID)
		if err != nil || w.Plan == plan {
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
		details := map[string]any{"from": w.Plan, "to": plan}
		return s.insertAudit(ctx, tx, workspaceID, auditRecord{Action: "plan.changed", Subject: workspaceID,
			Details: details})
	})
	if err != nil {
		return fmt.Errorf("set plan: %w", err)
	}
	return nil
}

func isSameNumber(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// RequiredHouseScore returns the score by house rules that a draft's text needs to be approved; nil
// if it needs none.
func (s *Service) RequiredHouseScore(ctx context.Context, workspaceID string) (*int, error) {
	var score *int
	err := s.db.NewSelect().Model((*model.Workspace)(nil)).Column("required_house_score").Where("id = ?", workspaceID).
		Scan(ctx, &score)
	return score, dbx.Err(err)
}

// UpdateWorkspace changes the settings of the caller's workspace. It returns errs.ValidationFailed
// for a blank name and a visibility that has an end.
func (s *Service) UpdateWorkspace(ctx context.Context, in api.UpdateWorkspaceInput) (*api.UpdateWorkspacePayload,
	error) {
	p := principal.Must(ctx)
	var w *model.Workspace
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if w, err = s.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		before := *w
		if name := in.Name.Value(); name != nil {
			if w.Name = strings.TrimSpace(*name); w.Name == "" {
				return errs.Invalid(errs.BodyField("value_error", "is blank", "name"))
			}
		}
		w.MarketLanguage = optional.ValueOr(in.MarketLanguage.Value(), w.MarketLanguage)
		w.DefaultVisibility = optional.ValueOr(in.DefaultVisibility.Value(), w.DefaultVisibility)
		if score := in.RequiredHouseScore; score.IsSet() && !isSameNumber(score.Value(), w.RequiredHouseScore) {
			w.RequiredHouseScore = score.Value()
		}
		if w.DefaultVisibility == model.VisibilityEmbargoed {
			return errs.Invalid(errs.BodyField("enum", "must be public or internal: an embargo has an end", "defaultVisibility"))
		}
		if *w == before {
			return nil
		}
		_, err = tx.NewUpdate().Model(w).Column("name", "market_language", "default_visibility", "required_house_score").WherePK().Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		details := map[string]any{"name": w.Name, "market_language": w.MarketLanguage,
			"default_visibility": w.DefaultVisibility, "required_house_score": w.RequiredHouseScore}
		return s.insertAudit(ctx, tx, w.ID, auditRecord{Action: "workspace.updated", Subject: w.ID, Details: details})
	})
	if err != nil {
		return nil, fmt.Errorf("update workspace: %w", err)
	}
	return &api.UpdateWorkspacePayload{Workspace: w}, nil
}
