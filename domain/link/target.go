package link

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"rostrum/dbx"
	"rostrum/model"
)

const (
	// maxTargets is the number of cached links.
	maxTargets = 4096
	// targetTTL limits how long an outdated link is served if Redis loses the notification of its
	// change.
	targetTTL = 5 * time.Second
	// staleTTL is how long after reading a link may be served while the database does not answer
	// within staleWait.
	staleTTL  = 10 * time.Minute
	staleWait = 500 * time.Millisecond
	// maxCachedBody is the largest cached page in bytes; a larger one is read for each view.
	maxCachedBody = 64 << 10
	// maxLoadTime limits how long a viewer waits for the database.
	maxLoadTime = 3 * time.Second
	// changeTopic is the pub/sub topic for the slugs of changed links.
	changeTopic = "link"
	// allSlugs on that topic means every link, for example after a change of a brand. It is no slug.
	allSlugs = "*"
)

// targetState is the state of a slug.
type targetState int

const (
	stateNone targetState = iota // never used
	stateOpen
	statePaused
	stateRemoved
	stateWithdrawn
	stateEmbargoed
	stateExpired
	stateUsedUp // open to viewers who have a session
)

// tells reports whether what is shown in the state has something of the link: its content, when it
// opens, or why it was withdrawn.
func (s targetState) tells() bool {
	return s == stateOpen || s == stateWithdrawn || s == stateEmbargoed
}

// linkTarget is the cached destination of a slug.
type linkTarget struct {
	stored   targetState // without what the time or the number of opens changes
	link     *model.Link // nil for a link that does not exist
	summary  *model.LinkSummary
	variants []*splitSide
	total    int // sum of the weights
	loadedAt time.Time
	plain    destination  // used without a split test
	brand    *model.Brand // of a page; nil for other kinds
}

// state returns the state of the target at a time.
func (t *linkTarget) state(now time.Time) targetState {
	if t.stored != stateOpen {
		return t.stored
	}
	if t.link.EmbargoedUntil != nil && t.link.EmbargoedUntil.After(now) {
		return stateEmbargoed
	}
	ended := t.link.EndedReason(now)
	switch {
	case ended == nil:
		return stateOpen
	case *ended == model.LinkEndedReasonUsedUp:
		return stateUsedUp
	}
	return stateExpired
}

// splitSide is a variant of a split test.
type splitSide struct {
	id          string
	weight      int
	destination destination
}

// sessionPlaceholder is replaced by the viewer's session id in a destination.
const sessionPlaceholder = "{session_id}"

// destination is a URL to redirect viewers to.
type destination struct {
	header []string // the Location header, shared by all responses; nil if it contains the session id
	text   string
}

func newDestination(address string) destination {
	address = asciiURL(address)
	if strings.Contains(address, sessionPlaceholder) {
		return destination{text: address}
	}
	return destination{header: []string{address}, text: address}
}

// locationHeader returns the Location header for a session; the id is empty for a program.
func (d destination) locationHeader(sessionID string) []string {
	if d.header != nil {
		return d.header
	}
	return []string{strings.ReplaceAll(d.text, sessionPlaceholder, sessionID)}
}

// asciiURL returns an address as Location has it (RFC 9110, section 10.2.2): the host in Punycode,
// other characters beyond ASCII, spaces and controls percent-encoded. The rest stays as it is typed.
func asciiURL(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return escapeBytes(address)
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, port := rest[:end], ""
	if at := strings.LastIndexByte(host, ':'); at >= 0 && !strings.HasSuffix(host, "]") {
		host, port = host[:at], host[at:]
	}
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	return scheme + "://" + escapeBytes(host+port+rest[end:])
}

// escapeBytes percent-encodes the bytes that no URI has, except a per cent sign.
func escapeBytes(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`|", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// foldSlug normalizes the case of a slug, without the punctuation behind an address in a sentence.
func foldSlug(slug string) string { return strings.ToLower(strings.TrimRight(slug, ".,;:!?)'\"")) }

// findTarget returns the target of a slug from the cache or the database. Concurrent requests share
// one query. If the database fails or takes longer than staleWait, it returns an expired target.
func (s *Service) findTarget(ctx context.Context, slug string) (*linkTarget, error) {
	slug = foldSlug(slug)
	if t, ok := s.targets.Get(slug); ok {
		return t, nil
	}
	if !slugPattern.MatchString(slug) {
		return &linkTarget{}, nil
	}
	generation := s.generation.Load()
	loaded := s.loading.DoChan(slug, func() (any, error) { return s.loadCached(ctx, slug) })
	stale, known := s.targets.GetExpired(slug)
	if !known || time.Since(stale.loadedAt) > staleTTL {
		result := <-loaded
		t, _ := result.Val.(*linkTarget)
		return t, result.Err
	}
	select {
	case result := <-loaded:
		if t, _ := result.Val.(*linkTarget); result.Err == nil {
			return t, nil
		}
	case <-time.After(staleWait):
	}
	s.cacheTarget(slug, stale, generation) // so that the next requests do not wait
	return stale, nil
}

// loadCached reads a target from the database and caches it, even if the context ends meanwhile.
func (s *Service) loadCached(ctx context.Context, slug string) (*linkTarget, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.loadTimeout)
	defer cancel()
	generation := s.generation.Load()
	t, err := s.loadTarget(ctx, slug)
	if err != nil {
		return nil, err
	}
	t.loadedAt = time.Now()
	s.cacheTarget(slug, t, generation)
	return t, nil
}

// cacheTarget caches a target unless a link has changed since the generation.
func (s *Service) cacheTarget(slug string, t *linkTarget, generation uint64) {
	if generation == s.generation.Load() {
		s.targets.Add(slug, t)
	}
}

func (s *Service) loadTarget(ctx context.Context, slug string) (*linkTarget, error) {
	var links []*model.Link
	if err := s.db.NewSelect().Model(&links).Where("lower(slug) = ?", slug).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	if len(links) == 0 {
		removed, err := s.db.NewSelect().Model((*removedSlug)(nil)).Where("slug = ?", slug).Exists(ctx)
		if removed {
			return &linkTarget{stored: stateRemoved}, nil
		}
		return &linkTarget{}, dbx.Err(err)
	}
	t := &linkTarget{stored: statePaused, link: links[0], summary: s.linkSummary(links[0])}
	switch {
	case t.link.WithdrawnAt != nil:
		t.stored = stateWithdrawn
	case t.link.IsActive:
		t.stored = stateOpen
	}
	if t.link.Body != nil && len(*t.link.Body) > maxCachedBody {
		t.link.Body = nil
	}
	if t.link.DestinationURL != nil {
		t.plain = newDestination(*t.link.DestinationURL)
	}
	if err := s.loadBrand(ctx, t); err != nil {
		return nil, err
	}
	return t, s.loadVariants(ctx, t)
}

// loadBrand reads the brand that a page shows.
func (s *Service) loadBrand(ctx context.Context, t *linkTarget) (err error) {
	if t.link.Kind == model.LinkKindPage {
		t.brand, err = s.config.Brand(ctx, t.link.WorkspaceID)
	}
	return err
}

func (s *Service) loadVariants(ctx context.Context, t *linkTarget) error {
	variants, err := readVariants(ctx, s.db, t.link.WorkspaceID, []string{t.link.ID})
	for _, v := range variants {
		t.variants = append(t.variants, &splitSide{v.ID, v.Weight, newDestination(v.DestinationURL)})
		t.total += v.Weight
	}
	return err
}

// sideOf returns the variant with this id, or nil.
func (t *linkTarget) sideOf(id string) *splitSide {
	for _, v := range t.variants {
		if v.id == id {
			return v
		}
	}
	return nil
}

// drawSide returns a random variant by weight, or nil without a split test.
func (t *linkTarget) drawSide() *splitSide {
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

// publishChange invalidates a slug in this process and notifies the others.
func (s *Service) publishChange(ctx context.Context, slug string) {
	slug = foldSlug(slug)
	s.forgetTarget(slug)
	s.live.Publish(context.WithoutCancel(ctx), changeTopic, []byte(slug))
}

// BrandChanged invalidates all pages in this process and the others, as they show brands.
func (s *Service) BrandChanged(ctx context.Context) {
	s.forgetTarget(allSlugs)
	s.live.Publish(context.WithoutCancel(ctx), changeTopic, []byte(allSlugs))
}

// forgetTarget invalidates a slug, or all of them.
func (s *Service) forgetTarget(slug string) {
	if slug == allSlugs {
		s.generation.Add(1)
		s.targets.ExpireAll()
		return
	}
	s.generation.Add(1)
	s.targets.Remove(slug)
	s.loading.Forget(slug)
}

// subscribeChanges invalidates the links that other processes change, until the context ends.
func (s *Service) subscribeChanges(ctx context.Context) {
	changes := s.live.Subscribe(changeTopic)
	defer changes.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case slug := <-changes.C():
			s.forgetTarget(string(slug))
		case <-changes.Missed():
			s.generation.Add(1)
			s.targets.ExpireAll()
		}
	}
}
