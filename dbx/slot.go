package dbx

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"rostrum/principal"
)

// maxTenantSlots is the largest number of transactions that one workspace may run at the same time. They mostly wait for one another, because
// most of them lock the workspace's row, and each of them holds a connection.
const maxTenantSlots = 4

// txSlots limits the transactions that hold a connection: those of one workspace, so that its burst leaves connections to others, and all of
// them, so that some connections are left for reads. Further transactions wait in the order in which they began.
type txSlots struct {
	all     *semaphore.Weighted
	each    int64 // slots of one workspace
	mu      sync.Mutex
	tenants map[string]*tenantSlots
}

// tenantSlots are the slots of one workspace. It is removed with its last user.
type tenantSlots struct {
	*semaphore.Weighted
	users int // running and waiting transactions
}

func newTxSlots(conns int) *txSlots {
	each := min(max(conns/2, 1), maxTenantSlots)
	return &txSlots{all: semaphore.NewWeighted(int64(conns)), each: int64(each), tenants: map[string]*tenantSlots{}}
}

// acquire waits for a slot of the context's workspace and then for one of all. It returns the context's error if it ends first.
func (s *txSlots) acquire(ctx context.Context) (release func(), err error) {
	leave, err := s.acquireTenant(ctx, tenantOf(ctx))
	if err != nil {
		return nil, err
	}
	if err := s.all.Acquire(ctx, 1); err != nil {
		leave()
		return nil, err
	}
	return func() { s.all.Release(1); leave() }, nil
}

// acquireTenant waits for a slot of one workspace. Transactions without a workspace are not limited.
func (s *txSlots) acquireTenant(ctx context.Context, id string) (release func(), err error) {
	if id == "" {
		return func() {}, nil
	}
	own := s.joinTenant(id)
	if err := own.Acquire(ctx, 1); err != nil {
		s.leaveTenant(id, own)
		return nil, err
	}
	return func() { own.Release(1); s.leaveTenant(id, own) }, nil
}

func (s *txSlots) joinTenant(id string) *tenantSlots {
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

func (s *txSlots) leaveTenant(id string, own *tenantSlots) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(s.tenants, id)
	}
}

type tenantKey struct{}

// WithTenant returns a context whose transactions count for a workspace. Without it those of a context with a principal count for the
// principal's workspace.
func WithTenant(ctx context.Context, workspaceID string) context.Context {
	return context.WithValue(ctx, tenantKey{}, workspaceID)
}

func tenantOf(ctx context.Context) string {
	if id, ok := ctx.Value(tenantKey{}).(string); ok {
		return id
	}
	p, _ := principal.From(ctx) //nolint:errcheck // the zero principal has no workspace
	return p.WorkspaceID
}
