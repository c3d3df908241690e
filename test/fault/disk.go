package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"rostrum/test/kit/harness"
)

const (
	diskSize   = 64 << 20
	diskRounds = 3
	diskFault  = "disk full"
)

// runFullDisk fills the disk of a gateway on SQLite while it stores documents, frees it, kills the
// gateway, and checks that every accepted document is stored. It needs the right to mount a file
// system; without it the report has a note.
func runFullDisk(ctx context.Context, p plan, program, folder string, r *report) error {
	disk := filepath.Join(folder, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", diskSize), "tmpfs",
		disk).CombinedOutput(); err != nil {
		r.AddNote("a full disk was not tested: mount: %s", strings.TrimSpace(string(out)))
		return nil
	}
	defer func() { _ = exec.Command("umount", "-l", disk).Run() }()
	if p.every {
		r.requireFaults([]fault{{name: diskFault}})
	}
	c := &cluster{program: program, folder: disk}
	server, err := harness.NewGateway(func() string { return program }, folder, "ROSTRUM_DATA_DIR="+disk)
	if err != nil {
		return err
	}
	g := &gateway{Server: server}
	c.gateways = []*gateway{g}
	if c.workspace, c.key, err = harness.CreateWorkspace(ctx, server, "Faults"); err != nil {
		return err
	}
	if err := g.Start(ctx); err != nil {
		return err
	}
	defer func() { g.Server.Stop() }()
	l := &load{cluster: c, context: ctx, created: map[string]bool{}, refusals: map[string]int{}}
	for range diskRounds {
		if err := l.fillDisk(ctx, disk, r); err != nil {
			return err
		}
	}
	l.reportRefusals(r)
	return l.verifyStored(ctx, r)
}

// fillDisk creates documents while a file takes the free space, and after it is removed, and kills
// the gateway in between.
func (l *load) fillDisk(ctx context.Context, disk string, r *report) error {
	g := l.gateways[0]
	filler := filepath.Join(disk, "filler")
	for range 20 {
		l.createLarge(g)
	}
	if err := fill(filler); err != nil {
		return err
	}
	for range 20 {
		l.createLarge(g)
	}
	if problem := awaitFullDisk(ctx, g); problem != "" {
		r.AddProblem("a gateway on a full disk: %s", problem)
	}
	if err := g.End(syscall.SIGKILL); err != nil {
		return err
	}
	if err := os.Remove(filler); err != nil {
		return err
	}
	if err := g.Start(ctx); err != nil {
		return err
	}
	r.addFault(diskFault, l.awaitRecovery([]*gateway{g}))
	return nil
}

// awaitFullDisk waits until the gateway reports on /readyz that its disk may be full, and returns
// its last response if it does not.
func awaitFullDisk(ctx context.Context, g *gateway) string {
	last, err := await(ctx, 30*time.Second, func() ([]string, error) {
		r := harness.Send(ctx, caller, http.MethodGet, g.url()+"/readyz", nil, nil)
		if r.Status == http.StatusServiceUnavailable && bytes.Contains(r.Body, []byte("disk may be full")) {
			return nil, nil
		}
		return []string{fmt.Sprintf("/readyz returns %d %s", r.Status, bytes.TrimSpace(r.Body))}, r.Err
	})
	if err != nil {
		return err.Error()
	}
	return strings.Join(last, "")
}

// fill writes a file until the disk is full.
func fill(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for block := make([]byte, 64<<10); err == nil; {
		_, err = file.Write(block)
	}
	return nil
}

// createLarge creates a document of 100 KB once.
func (l *load) createLarge(g *gateway) {
	title := fmt.Sprintf("large %d", l.counter.Add(1))
	l.set(l.created, title, l.createOnce(g, title, strings.Repeat("All work and no play. ", 5000)))
}

// verifyStored checks the accepted documents.
func (l *load) verifyStored(ctx context.Context, r *report) error {
	titles := map[string]int{}
	var page struct{ Documents []struct{ Title string } }
	if err := l.readPages(ctx, "/api/v1/documents?light=true", &page, func() int {
		rows := page.Documents
		page.Documents = nil
		for _, d := range rows {
			titles[d.Title]++
		}
		return len(rows)
	}); err != nil {
		return err
	}
	compareAccepted(r, "document around a full disk", l.created, titles)
	return nil
}
