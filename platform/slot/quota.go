package slot

import "sync"

// Quota limits what is held at the same time, for example open streams or bytes of bodies. It never
// waits. It is safe for concurrent use.
type Quota struct {
	mu   sync.Mutex
	held map[string]int64 // by owner
}

// NewQuota returns a quota of which nothing is held.
func NewQuota() *Quota { return &Quota{held: map[string]int64{}} }

// Share is how much an owner, for example a workspace, may hold at the same time. An owner without
// a name is the whole process.
type Share struct {
	Owner string
	Limit int64
}

// Take adds an amount to all shares. If one of them has too little left, it takes nothing and
// returns this share as full. An amount above a limit is taken from a share of which nothing is
// held. release gives the amount back; it may be called more than once.
func (q *Quota) Take(amount int64, shares ...Share) (release func(), full *Share) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, share := range shares {
		if held := q.held[share.Owner]; held > 0 && held+amount > share.Limit {
			return nil, &shares[i]
		}
	}
	for _, share := range shares {
		q.held[share.Owner] += amount
	}
	return sync.OnceFunc(func() { q.giveBack(amount, shares) }), nil
}

// Held returns how much an owner holds.
func (q *Quota) Held(owner string) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.held[owner]
}

func (q *Quota) giveBack(amount int64, shares []Share) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, share := range shares {
		if q.held[share.Owner] -= amount; q.held[share.Owner] == 0 {
			delete(q.held, share.Owner)
		}
	}
}
