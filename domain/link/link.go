// Package link keeps short links and what happens on them: viewer sessions, conversions and submitted forms.
package link

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/singleflight"

	"rostrum/dbx"
	"rostrum/domain/link/visitor"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

// Announce stores events in the caller's transaction and has them told to who follows them.
type Announce func(ctx context.Context, tx dbx.Tx, events []*model.Event) error

// Config is what the room is made from.
type Config struct {
	// PublicURL is the address that short links begin with, without a slash at its end.
	PublicURL string
	// Folder is where hosted files lie; processes that serve the same links share it.
	Folder string
	// Visitors tells who follows a link.
	Visitors *visitor.Reader
	// Announce tells what happens on links.
	Announce Announce
}

// Service is the room's door.
type Service struct {
	db         *dbx.DB
	live       *live.Live
	config     Config
	signer     *signer
	secure     bool // whether cookies are sent over TLS only
	committer  *committer
	targets    *expirable.LRU[string, *target]
	generation atomic.Uint64 // grows whenever a target is forgotten
	loading    singleflight.Group
}

// New makes the room. Run must be called for links to be opened: it writes viewer sessions and hears which links change.
func New(ctx context.Context, db *dbx.DB, l *live.Live, config Config) (*Service, error) {
	secret, err := loadKey(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("load the key of viewer sessions: %w", err)
	}
	s := &Service{
		db: db, live: l, config: config, signer: newSigner(secret),
		secure:  strings.HasPrefix(config.PublicURL, "https://"),
		targets: expirable.NewLRU[string, *target](targetsKept, nil, targetTTL),
	}
	s.committer = newCommitter(db, config.Announce)
	return s, nil
}

// Run writes viewer sessions and follows changes of links until the context ends; then it writes what still waits.
func (s *Service) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.follow(ctx)
	}()
	s.committer.run(ctx)
	<-done
}

// Create makes a link in the caller's workspace. A slug that is taken, or was taken by a removed link of another workspace, fails with
// conflict; everything else that is wrong fails with validation_failed naming each field, a file over 50 MB with too_large.
func (s *Service) Create(ctx context.Context, in model.CreateLinkInput, file *graphql.Upload) (*model.Link, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	link, variants, err := draft(p, in, file)
	if err != nil {
		return nil, err
	}
	if file != nil {
		if link.File, err = s.keep(file); err != nil {
			return nil, err
		}
	}
	err = s.insertFresh(ctx, link, variants, in.Slug.Value() == nil)
	if err != nil {
		s.drop(link.File)
		return nil, fmt.Errorf("create link: %w", err)
	}
	s.tell(ctx, link.Slug)
	return link, nil
}

// slugAttempts is how often a made-up slug may clash before something else must be wrong.
const slugAttempts = 5

// insertFresh stores the link; a made-up slug that is taken is replaced by another.
func (s *Service) insertFresh(ctx context.Context, link *model.Link, variants []*model.LinkVariant, madeUp bool) (err error) {
	for range slugAttempts {
		err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return insert(ctx, tx, link, variants) })
		if !madeUp || !errs.Is(err, errs.Conflict) {
			break
		}
		link.Slug = newSlug()
	}
	if errs.Is(err, errs.Conflict) {
		return errs.New(errs.Conflict, "the slug %s is taken", link.Slug)
	}
	return err
}

// Get reads one link's columns (all when none is named); nil when the workspace has none of that id.
func (s *Service) Get(ctx context.Context, id string, columns ...string) (*model.Link, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	s.committer.settle(ctx)
	link, err := s.byID(ctx, p.WorkspaceID, id, columns)
	return dbx.OrNone(link, err)
}

// Update changes what is given. An empty patch and what does not fit the link's kind fail with validation_failed, an unknown id with not_found.
func (s *Service) Update(ctx context.Context, id string, in model.UpdateLinkInput) (*model.Link, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var link *model.Link
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if link, err = s.forUpdate(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		variants, err := variantsOf(ctx, tx, p.WorkspaceID, []string{id})
		if err != nil {
			return err
		}
		wanted, err := amend(link, variants, in)
		if err != nil {
			return err
		}
		link.UpdatedAt = model.Now()
		if err := save(ctx, tx, link); err != nil {
			return err
		}
		return replaceVariants(ctx, tx, link, variants, wanted)
	})
	if err != nil {
		return nil, fmt.Errorf("update link: %w", err)
	}
	s.tell(ctx, link.Slug)
	return link, nil
}

// Delete removes a link, what happened on it, and its file. Its slug stays the workspace's. It fails with not_found.
func (s *Service) Delete(ctx context.Context, id string) (*model.DeleteLinkPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var link *model.Link
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if link, err = s.forUpdate(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		return remove(ctx, tx, link)
	})
	if err != nil {
		return nil, fmt.Errorf("delete link: %w", err)
	}
	s.tell(ctx, link.Slug)
	s.drop(link.File)
	return &model.DeleteLinkPayload{ID: id}, nil
}

// Summary is a link as events show it. It fails with not_found when the workspace has none of that id.
func (s *Service) Summary(ctx context.Context, workspaceID, id string) (*model.LinkSummary, error) {
	link, err := s.byID(ctx, workspaceID, id, []string{"id", "slug", "title"})
	if err != nil {
		return nil, err
	}
	return s.summary(link), nil
}

func (s *Service) summary(link *model.Link) *model.LinkSummary {
	return &model.LinkSummary{ID: link.ID, Slug: link.Slug, Title: link.Title, ShortURL: s.shortURL(link.Slug)}
}

func (s *Service) shortURL(slug string) string { return s.config.PublicURL + pathPrefix + slug }
