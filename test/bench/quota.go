package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// quotaPeriod is the time over which a quota holds; a short one keeps the pauses of a process that
// used its share short.
const quotaPeriod = 10 * time.Millisecond

// cpuQuota is a control group of Linux whose processes together get a share of one processor.
type cpuQuota struct{ folder string }

// newCPUQuota creates a group with the share of one processor. It returns an error where this
// process may not create one.
func newCPUQuota(name string, share float64) (*cpuQuota, error) {
	period, quota := quotaPeriod.Microseconds(), int64(share*float64(quotaPeriod.Microseconds()))
	root, files := "/sys/fs/cgroup/cpu", [][2]string{{"cpu.cfs_period_us", strconv.FormatInt(period, 10)},
		{"cpu.cfs_quota_us", strconv.FormatInt(quota, 10)}}
	if _, err := os.Stat(root); errors.Is(err, os.ErrNotExist) { // the second version of control groups
		root, files = "/sys/fs/cgroup", [][2]string{{"cpu.max", fmt.Sprintf("%d %d", quota, period)}}
	}
	q := &cpuQuota{filepath.Join(root, fmt.Sprintf("rostrum_bench_%d_%s", os.Getpid(), name))}
	if err := os.Mkdir(q.folder, 0o755); err != nil {
		return nil, fmt.Errorf("create a control group: %w", err)
	}
	for _, file := range files {
		if err := q.write(file[0], file[1]); err != nil {
			return nil, errors.Join(err, q.remove())
		}
	}
	return q, nil
}

// hasCPUQuotas reports whether this process may create such groups.
func hasCPUQuotas() bool {
	q, err := newCPUQuota("probe", 1)
	return err == nil && q.remove() == nil
}

// add moves a process and its later children into the group.
func (q *cpuQuota) add(pid int) error { return q.write("cgroup.procs", strconv.Itoa(pid)) }

// remove deletes the group, whose processes must have ended.
func (q *cpuQuota) remove() error { return os.Remove(q.folder) }

func (q *cpuQuota) write(name, value string) error {
	if err := os.WriteFile(filepath.Join(q.folder, name), []byte(value), 0o644); err != nil {
		return fmt.Errorf("set a control group: %w", err)
	}
	return nil
}
