package link

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

const (
	// targetsKept is how many links a process remembers.
	targetsKept = 4096
	// targetTTL bounds how long a change that no news told of, because Redis is down, is not seen.
	targetTTL = 5 * time.Second
	// keptBody is the longest page that is remembered, in bytes; a longer one is read for each view.
	keptBody = 64 << 10
	// loadTime bounds how long a viewer waits for the database.
	loadTime = 3 * time.Second
	// topic carries the slugs of links that changed.
	topic = "link"
)

// state says what an address stands for.
type state int

const (
	stateNone state = iota // nothing, and nothing ever
	stateOpen
	statePaused
	stateRemoved
)

// target is what a slug leads to, with all that can be worked out before a viewer comes.
type target struct {
	state    state
	link     *model.Link // nil unless open or paused
	summary  *model.LinkSummary
	variants []*side
	total    int         // of the weights
	plain    destination // without a split test
}

// side is one side of a split test.
type side struct {
	id          string
	weight      int
	destination destination
}

// placeholder stands in a destination for the id of the viewer's session.
const placeholder = "{session_id}"

// destination is an address to send viewers to.
type destination struct {
	header []string // the Location header's value, shared by all answers; nil when it names the session
	text   string
}

func newDestination(address string) destination {
	if strings.Contains(address, placeholder) {
		return destination{text: address}
	}
	return destination{header: []string{address}, text: address}
}

// location is the header's value for a session; of none when the viewer has none.
func (d destination) location(sessionID string) []string {
	if d.header != nil {
		return d.header
	}
	return []string{strings.ReplaceAll(d.text, placeholder, sessionID)}
}

// foldSlug makes slugs that differ in case only the same.
func foldSlug(slug string) string { return strings.ToLower(slug) }

// target finds what a slug leads to, in this process's memory or in the database. One request of many asks the database.
func (s *Service) target(ctx context.Context, slug string) (*target, error) {
	slug = foldSlug(slug)
	if t, ok := s.targets.Get(slug); ok {
		return t, nil
	}
	if !goodSlug.MatchString(slug) {
		return &target{}, nil
	}
	found, err, _ := s.loading.Do(slug, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTime)
		defer cancel()
		generation := s.generation.Load()
		t, err := s.load(ctx, slug)
		if err == nil && generation == s.generation.Load() { // what changed meanwhile is not remembered as it was
			s.targets.Add(slug, t)
		}
		return t, err
	})
	if err != nil {
		return nil, err
	}
	return found.(*target), nil //nolint:forcetypeassert // made above
}

func (s *Service) load(ctx context.Context, slug string) (*target, error) {
	var links []*model.Link
	if err := s.db.NewSelect().Model(&links).Where("lower(slug) = ?", slug).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	if len(links) == 0 {
		gone, err := s.db.NewSelect().Model((*removedSlug)(nil)).Where("slug = ?", slug).Exists(ctx)
		if gone {
			return &target{state: stateRemoved}, nil
		}
		return &target{}, dbx.Err(err)
	}
	t := &target{state: statePaused, link: links[0], summary: s.summary(links[0])}
	if t.link.IsActive {
		t.state = stateOpen
	}
	if t.link.Body != nil && len(*t.link.Body) > keptBody {
		t.link.Body = nil
	}
	if t.link.DestinationURL != nil {
		t.plain = newDestination(*t.link.DestinationURL)
	}
	return t, s.loadVariants(ctx, t)
}

func (s *Service) loadVariants(ctx context.Context, t *target) error {
	variants, err := variantsOf(ctx, s.db, t.link.WorkspaceID, []string{t.link.ID})
	for _, v := range variants {
		t.variants = append(t.variants, &side{v.ID, v.Weight, newDestination(v.DestinationURL)})
		t.total += v.Weight
	}
	return err
}

// sideOf is the side of an id; nil when the split test has none of it.
func (t *target) sideOf(id string) *side {
	for _, v := range t.variants {
		if v.id == id {
			return v
		}
	}
	return nil
}

// draw picks a side by weight; nil when no split test runs.
func (t *target) draw() *side {
	if t.total == 0 {
		return nil
	}
	n := rand.IntN(t.total) //nolint:gosec // which side a viewer gets is no secret
	for _, v := range t.variants {
		if n -= v.weight; n < 0 {
			return v
		}
	}
	return nil
}

// tell makes every process forget what it knows of a slug; this one at once.
func (s *Service) tell(ctx context.Context, slug string) {
	slug = foldSlug(slug)
	s.forget(slug)
	s.live.Publish(context.WithoutCancel(ctx), topic, []byte(slug))
}

func (s *Service) forget(slug string) {
	s.generation.Add(1)
	s.targets.Remove(slug)
	s.loading.Forget(slug)
}

// follow hears which links changed until the context ends.
func (s *Service) follow(ctx context.Context) {
	news := s.live.Subscribe(topic)
	defer news.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case slug := <-news.C():
			s.forget(string(slug))
		case <-news.Missed():
			s.generation.Add(1)
			s.targets.Purge()
		}
	}
}
