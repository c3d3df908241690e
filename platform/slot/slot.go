package slot

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"rostrum/platform/principal"
)

// Slots limits concurrent work per workspace and in total, for example transactions. Waiters are
// served first in, first out. It is safe for concurrent use.
type Slots struct {
	all     *semaphore.Weighted
	total   int64
	each    int64 // slots of one workspace
	mu      sync.Mutex
	tenants map[string]*tenantSlots
}

// tenantSlots are the slots of one workspace. It is removed with its last user.
type tenantSlots struct {
	*semaphore.Weighted
	users int // running and waiting work
}

// New returns slots for all concurrent work of all workspaces, and for each. Both are at least 1.
func New(all, each int) *Slots {
	total := int64(max(all, 1))
	return &Slots{all: semaphore.NewWeighted(total), total: total, each: int64(max(each, 1)),
		tenants: map[string]*tenantSlots{}}
}

// Acquire is AcquireWeight with one slot.
func (s *Slots) Acquire(ctx context.Context) (release func(), err error) {
	return s.AcquireWeight(ctx, 1)
}

// AcquireWeight waits for slots of the context's workspace, at most all that it has, and then for
// one of all. release frees them. Work without a workspace needs only the one of all. It returns
// the context's error if it ends first.
func (s *Slots) AcquireWeight(ctx context.Context, slots int) (release func(), err error) {
	return s.acquire(ctx, int64(slots), 1)
}

// AcquireBytes waits for slots that are bytes: as many of its workspace as of all, at most all that
// there are.
func (s *Slots) AcquireBytes(ctx context.Context, bytes int) (release func(), err error) {
	return s.acquire(ctx, int64(bytes), min(int64(bytes), s.each, s.total))
}

func (s *Slots) acquire(ctx context.Context, own, shared int64) (release func(), err error) {
	leave, err := s.acquireTenant(ctx, TenantOf(ctx), min(own, s.each))
	if err != nil {
		return nil, err
	}
	if err := s.all.Acquire(ctx, shared); err != nil {
		leave()
		return nil, err
	}
	return func() { s.all.Release(shared); leave() }, nil
}

// Users returns how much work of a workspace runs or waits.
func (s *Slots) Users(workspaceID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.tenants[workspaceID]; own != nil {
		return own.users
	}
	return 0
}

func (s *Slots) acquireTenant(ctx context.Context, id string, slots int64) (release func(), err error) {
	if id == "" {
		return func() {}, nil
	}
	own := s.joinTenant(id)
	if err := own.Acquire(ctx, slots); err != nil {
		s.leaveTenant(id, own)
		return nil, err
	}
	return func() { own.Release(slots); s.leaveTenant(id, own) }, nil
}

func (s *Slots) joinTenant(id string) *tenantSlots {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.tenants[id]
	if own == nil {
		own = &tenantSlots{Weighted: semaphore.NewWeighted(s.each)}
		s.tenants[id] = own
	}
	own.users++
	return own
}

func (s *Slots) leaveTenant(id string, own *tenantSlots) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(s.tenants, id)
	}
}

type tenantKey struct{}

// WithTenant returns a context that counts work for a workspace. Without it, work counts for the
// principal's workspace.
func WithTenant(ctx context.Context, workspaceID string) context.Context {
	return context.WithValue(ctx, tenantKey{}, workspaceID)
}

// TenantOf returns the workspace that a context's work counts for, or an empty id.
func TenantOf(ctx context.Context) string {
	if id, ok := ctx.Value(tenantKey{}).(string); ok {
		return id
	}
	p, _ := principal.From(ctx) // the zero principal has no workspace
	return p.WorkspaceID
}
