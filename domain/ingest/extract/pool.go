package extract

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"
)

// idleTime is how long a child process without a task is kept.
const idleTime = time.Minute

// childPool performs tasks in child processes, at most one for each processor. Further tasks wait.
type childPool struct {
	path      string
	arguments []string
	limits    taskLimits
	slots     chan struct{}
	mu        sync.Mutex
	idle      []*childProcess
}

func newChildPool(path string, limits taskLimits) *childPool {
	return &childPool{path: path, arguments: []string{childCommand}, limits: limits,
		slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// sharedPool returns the pool of this process, whose extractors share it.
var sharedPool = sync.OnceValue(func() *childPool { return newChildPool(childPath, standardLimits) })

// errWallTime is the cause of a task's context after its time limit.
var errWallTime = errors.New("the time limit of a task has passed")

// runTask performs a task in an idle or a new process. It returns a *Failure if the task exceeds a
// limit, and the context's cause if the context ends first.
func (p *childPool) runTask(ctx context.Context, task fileTask) (*taskOutput, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	child, err := p.takeChild()
	if err != nil {
		return nil, retryableFailure("the process that reads sources could not be started; try again", err)
	}
	limited, cancel := context.WithTimeoutCause(ctx, p.limits.Wall, errWallTime)
	defer cancel()
	limits := p.limits
	limits.Memory = childMemory(limits.Memory)
	output, last, err := child.exchange(limited, task, limits)
	switch {
	case err != nil:
		failure := child.destroy(err)
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		if context.Cause(limited) != nil {
			return nil, limitFailure("time", errWallTime)
		}
		return nil, failure
	case last || limited.Err() != nil: // the end of the context may have killed it after the output
		child.close()
	default:
		p.keepChild(child)
	}
	return output, nil
}

// takeChild returns the process that became idle last, or starts one.
func (p *childPool) takeChild() (*childProcess, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		child := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		child.expiry.Stop()
		if !child.isEnded() {
			return child, nil
		}
		child.close()
	}
	return startChild(p.path, p.arguments...)
}

// keepChild keeps an idle process for the next task, and ends it after idleTime.
func (p *childPool) keepChild(child *childProcess) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, child)
	child.expiry = time.AfterFunc(idleTime, func() { p.expireChild(child) })
}

func (p *childPool) expireChild(child *childProcess) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, child); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		child.close()
	}
}
