package link

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"golang.org/x/sync/singleflight"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/link/visitor"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/live"
	"rostrum/platform/principal"
)

// AppendEvents appends events to the feeds of their workspaces in the caller's transaction.
type AppendEvents func(ctx context.Context, tx dbx.Tx, events []*model.Event) error

// Config is the configuration of a Service; all fields are required.
type Config struct {
	DB   *dbx.DB
	Live *live.Live
	// PublicURL is the base URL of short links, without a slash at its end.
	PublicURL string
	// Files has the files of links.
	Files *blob.Store
	// Folder holds the viewer sessions that wait for the database, and files that a former release
	// stored.
	Folder string
	// Visitors classifies the requests of viewers.
	Visitors *visitor.Reader
	// AppendEvents publishes the events of links.
	AppendEvents AppendEvents
	// RecordChange adds a change of a link to the workspace's feed, in the transaction of the
	// change. Webhooks do not receive it.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
	// AllowSession reports whether the client's address may start another viewer session. If not,
	// the visit gets the same response but is not counted.
	AllowSession func(*http.Request) bool
	// EmbargoWarnings finds texts under embargo in the material of links.
	EmbargoWarnings EmbargoWarnings
	// TakeStorage counts the bytes that a workspace is about to store, and returns errs.TooLarge
	// above its plan's limit.
	TakeStorage func(ctx context.Context, workspaceID string, bytes int) error
	// HashPassword returns the hash of a password, the value of the field. It returns
	// errs.ValidationFailed for a password of invalid length.
	HashPassword func(ctx context.Context, field, password string) (string, error)
	// TryPassword reports whether the request's password is that of the hash. It returns
	// errs.RateLimited for too many attempts at the link, and errs.Unavailable if they cannot be counted.
	TryPassword func(r *http.Request, linkID, password, hash string) (bool, error)
	// Brand returns what readers see of a workspace on its pages.
	Brand func(ctx context.Context, workspaceID string) (*model.Brand, error)
	// BrandOfNewsroom returns the brand whose newsroom has the slug, or errs.NotFound.
	BrandOfNewsroom func(ctx context.Context, slug string) (*model.Brand, error)
	// Retention is how long viewer sessions are stored; 0 stores them forever.
	Retention time.Duration
}

// Service manages links and serves their public addresses.
type Service struct {
	db         *dbx.DB
	live       *live.Live
	config     Config
	signer     *sessionSigner
	secure     bool // whether cookies are limited to https
	committer  *committer
	targets    *live.LocalCache[string, *linkTarget]
	generation atomic.Uint64 // incremented when a target is invalidated
	loading    singleflight.Group

	loadTimeout time.Duration // of reading a target
}

// New returns a Service. Run must be called before links are opened, because it writes viewer
// sessions and invalidates changed links. New returns an error if it cannot read the signing key of
// sessions.
func New(ctx context.Context, config Config) (*Service, error) {
	secret, err := loadKey(ctx, config.DB)
	if err != nil {
		return nil, fmt.Errorf("load the signing key of viewer sessions: %w", err)
	}
	s := &Service{
		db: config.DB, live: config.Live, config: config, signer: newSigner(secret),
		secure:  strings.HasPrefix(config.PublicURL, "https://"),
		targets: live.NewLocalCache[string, *linkTarget](maxTargets, targetTTL), loadTimeout: maxLoadTime,
	}
	s.committer = newCommitter(config.DB, config.AppendEvents, filepath.Join(config.Folder, "sessions"))
	return s, nil
}

// Run writes viewer sessions, deletes old ones and files without a link, and invalidates changed
// links until the context ends. It then writes the sessions that are still queued.
func (s *Service) Run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { s.subscribeChanges(ctx) })
	running.Go(func() { s.deletePeriodically(ctx) })
	running.Go(func() { s.sweepPeriodically(ctx) })
	s.committer.run(ctx)
	running.Wait()
}

// Create creates a link. It returns errs.Conflict if the slug is used, or belonged to a deleted
// link of another workspace. It returns errs.TooLarge for a file over 50 MB, and
// errs.ValidationFailed naming every invalid field.
func (s *Service) Create(ctx context.Context, in api.CreateLinkInput, file *graphql.Upload) (*api.CreateLinkPayload,
	error) {
	p := principal.Must(ctx)
	link, variants, err := newLink(p, in, file, s.db.Now())
	if err != nil {
		return nil, err
	}
	tags, err := cleanTags(in.Tags.Value())
	if err != nil {
		return nil, err
	}
	if link.PasswordHash, err = s.hashPassword(ctx, in.Password.Value()); err != nil {
		return nil, err
	}
	if file != nil {
		if err = s.config.TakeStorage(ctx, p.WorkspaceID, int(file.Size)); err != nil {
			return nil, err
		}
		if err = s.storeFile(ctx, link, file); err != nil {
			return nil, err
		}
	}
	err = s.insertWithSlug(ctx, link, variants, tags, in.Slug.Value() == nil)
	if err != nil {
		if !dbx.IsUnconfirmed(err) {
			s.deleteFile(ctx, link)
		}
		return nil, fmt.Errorf("create link: %w", err)
	}
	s.publishChange(ctx, link.Slug)
	return &api.CreateLinkPayload{Link: link}, nil
}

// slugAttempts is how many generated slugs are tried.
const slugAttempts = 5

// insertWithSlug stores the link. It replaces a generated slug that exists; for a chosen one it
// returns errs.Conflict.
func (s *Service) insertWithSlug(ctx context.Context, link *model.Link, variants []*model.LinkVariant,
	tags []string, madeUp bool) (err error) {
	for range slugAttempts {
		err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			s.config.RecordChange(tx, link.WorkspaceID, model.EventLinkCreated, link.ID)
			if err := insertLink(ctx, tx, link, variants); err != nil {
				return err
			}
			return insertTags(ctx, tx, link, tags)
		})
		if !madeUp || !errs.Is(err, errs.Conflict) {
			break
		}
		link.Slug = newSlug()
	}
	if errs.Is(err, errs.Conflict) {
		return slugTaken(link.Slug)
	}
	return err
}

// slugTaken returns an errs.Conflict that names the field slug, so that a form shows it there.
func slugTaken(slug string) *errs.Error {
	err := errs.New(errs.Conflict, "the slug %s is taken", slug)
	err.Fields = []errs.Field{errs.BodyField("conflict", "is taken", "slug")}
	return err
}

// Get returns a link, or nil if the workspace has no such link. If columns are named, it reads only
// these.
func (s *Service) Get(ctx context.Context, id string, columns ...string) (*model.Link, error) {
	p := principal.Must(ctx)
	s.committer.waitForFlush(ctx)
	link, err := s.findLink(ctx, p.WorkspaceID, id, columns)
	return dbx.NilIfNotFound(link, err)
}

// Update applies a patch. It returns errs.NotFound for an unknown id, and errs.PreconditionFailed if
// the link's version is not among the input's. It returns
// errs.ValidationFailed for an empty patch, and for fields that the link's kind does not allow.
func (s *Service) Update(ctx context.Context, in api.UpdateLinkInput) (*api.UpdateLinkPayload, error) {
	p := principal.Must(ctx)
	hash, err := s.hashPassword(ctx, in.Password.Value())
	if err != nil {
		return nil, err
	}
	s.committer.waitForFlush(ctx) // a new limit counts the opens that the link has
	var link *model.Link
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		var err error
		if link, err = s.findForUpdate(ctx, tx, p.WorkspaceID, in.LinkID); err != nil {
			return err
		}
		if !model.IsAmong(link.Version, in.IfVersion.Value()) {
			return errs.New(errs.PreconditionFailed,
				"the link has changed since this version: read it again and save with its current version")
		}
		variants, err := readVariants(ctx, tx, p.WorkspaceID, []string{in.LinkID})
		if err != nil {
			return err
		}
		wanted, err := applyPatch(link, variants, in, s.db.Now())
		if err != nil {
			return err
		}
		if in.Password.IsSet() {
			link.PasswordHash = hash
		}
		renew(link)
		if err := saveLink(ctx, tx, link); err != nil {
			return err
		}
		s.config.RecordChange(tx, link.WorkspaceID, model.EventLinkUpdated, link.ID)
		if err := replaceTags(ctx, tx, link, in.Tags); err != nil {
			return err
		}
		return replaceVariants(ctx, tx, link, variants, wanted)
	})
	if err != nil {
		return nil, fmt.Errorf("update link: %w", err)
	}
	s.publishChange(ctx, link.Slug)
	return &api.UpdateLinkPayload{Link: link}, nil
}

// Delete deletes a link with its events and file. The slug stays reserved for the workspace. It
// returns errs.NotFound for an unknown id, and errs.InvalidState for the page of a published draft.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeleteLinkPayload, error) {
	p := principal.Must(ctx)
	var link *model.Link
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		var err error
		if link, err = s.findForUpdate(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		if err := checkDeletable(link); err != nil {
			return err
		}
		s.config.RecordChange(tx, link.WorkspaceID, model.EventLinkDeleted, link.ID)
		return deleteLink(ctx, tx, link)
	})
	if err != nil {
		return nil, fmt.Errorf("delete link: %w", err)
	}
	s.publishChange(ctx, link.Slug)
	s.deleteFile(ctx, link)
	return &api.DeleteLinkPayload{DeletedID: id}, nil
}

// Summary returns the link as events contain it. It returns errs.NotFound for an unknown id.
func (s *Service) Summary(ctx context.Context, workspaceID, id string) (*model.LinkSummary, error) {
	link, err := s.findLink(ctx, workspaceID, id, []string{"id", "slug", "title"})
	if err != nil {
		return nil, err
	}
	return s.linkSummary(link), nil
}

func (s *Service) linkSummary(link *model.Link) *model.LinkSummary {
	return &model.LinkSummary{ID: link.ID, Slug: link.Slug, Title: link.Title, ShortURL: s.shortURL(link.Slug)}
}

func (s *Service) shortURL(slug string) string { return s.config.PublicURL + pathPrefix + slug }

// ByIDs returns the workspace's links with the ids (see dbx.ByIDs).
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Link,
	error) {
	s.committer.waitForFlush(ctx)
	return dbx.ByIDs[model.Link](ctx, s.db, workspaceID, ids, columns...)
}

// SessionsByID is ByIDs for viewer sessions.
func (s *Service) SessionsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.LinkSession, error) {
	return dbx.ByIDs[model.LinkSession](ctx, s.db, workspaceID, ids, columns...)
}

// VariantsByID is ByIDs for variants of links.
func (s *Service) VariantsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.LinkVariant, error) {
	return dbx.ByIDs[model.LinkVariant](ctx, s.db, workspaceID, ids, columns...)
}
