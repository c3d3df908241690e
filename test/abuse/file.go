package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"rostrum/test/kit/hostile"
)

const (
	fileUpload = "file, text of an upload"
	fileIngest = "file, ingested"
	fileCreate = "file, as documents"
	fileExport = "file, exported"
)

// file is a hostile file with the name that it is served and uploaded under.
type file struct {
	name string
	data []byte
}

// hostileFiles returns files of every format that are expensive to read, or that are damaged.
func hostileFiles(size int) []file {
	var files []file
	add := func(name string, data []byte) {
		files = append(files, file{strings.ReplaceAll(fmt.Sprintf("%d-%s", len(files), name), " ", "-"), data})
	}
	add("nested-forms.pdf", hostile.NestedForms(12, 10))
	add("expanding.docx", hostile.ExpandingDOCX(2000*size))
	for _, kind := range hostile.ImageKinds {
		add(kind+".image", hostile.Image(kind, 60_000, 60_000))
		add("small "+kind+".image", hostile.Image(kind, 50, 50))
	}
	for _, sized := range hostile.Pages {
		add(sized.Name+".html", sized.Make(size))
	}
	for _, sized := range hostile.Documents {
		add(sized.Name+".docx", sized.Make(size))
	}
	for _, sized := range hostile.Files {
		add(sized.Name+sized.Suffix, sized.Make(size))
	}
	add("deep.html", []byte(strings.Repeat("<div>", size)))
	add("tables.html", []byte(strings.Repeat("<table><tr><td>", size/10)))
	add("attributes.html", []byte("<p "+strings.Repeat("a=b ", size)+">"))
	add("entities.xml", []byte(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><rss><channel><title>&c;</title></channel></rss>`))
	add("nul.txt", bytes.Repeat([]byte("a\x00\xff"), size))
	add("empty.pdf", nil)
	for _, whole := range []file{files[0], files[1]} { // damaged files of the formats with a structure
		for _, part := range []int{2, 3, 10} {
			add("cut-"+whole.name, whole.data[:len(whole.data)/part])
		}
	}
	return files
}

// sendFiles uploads the files for their text, ingests them, and exports content that becomes large,
// until the time is up.
func (t *target) sendFiles(ctx context.Context, p plan, random *rand.Rand, r *report) {
	files := hostileFiles(p.fileSize)
	ctx, cancel := context.WithTimeout(ctx, p.files)
	defer cancel()
	contents := map[string][]byte{}
	for _, f := range files {
		contents["/"+f.name] = f.data
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = w.Write(contents[request.URL.Path])
	}))
	defer site.Close()
	work := make(chan func())
	var all sync.WaitGroup
	for range senders / 2 {
		all.Go(func() {
			for job := range work {
				job()
			}
		})
	}
	sent := 0
	jobs := t.fileJobs(ctx, p, files, site.URL, r)
	random.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	for _, job := range jobs {
		if ctx.Err() != nil || t.HasEnded() {
			break
		}
		work <- job
		sent++
	}
	close(work)
	all.Wait()
	r.addSent("uploads, ingestions and exports", sent, len(jobs), p.full &&
		(r.database == "Postgres" || ctx.Err() == nil))
}

// fileJobs returns the requests with files; each checks its response.
func (t *target) fileJobs(ctx context.Context, p plan, files []file, site string, r *report) []func() {
	var jobs []func()
	for _, f := range files {
		jobs = append(jobs, func() { t.checkFile(ctx, textInput(f), r) },
			func() { t.createFile(ctx, f, r) }, func() { t.ingestFile(ctx, site+"/"+f.name, r) })
	}
	for _, in := range exports(p.fileSize) {
		jobs = append(jobs, func() { t.checkFile(ctx, in, r) })
	}
	return jobs
}

// checkFile sends a request. Its response is not a problem if the time of the files ended before
// it.
func (t *target) checkFile(ctx context.Context, in input, r *report) {
	out := t.send(ctx, in)
	if out.Err != nil && ctx.Err() != nil {
		r.addOutcome(in.kind, "open stream")
		return
	}
	t.check(in, out, r)
}

// textInput returns a request for the text of the file.
func textInput(f file) input {
	return uploadInput(fileUpload, "/api/v1/documents/extract-text", "file", f)
}

// uploadInput returns a request whose form has the file as the part.
func uploadInput(kind, path, name string, f file) input {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile(name, f.name)
	if err == nil {
		_, err = part.Write(f.data)
	}
	if err != nil || form.Close() != nil {
		panic("writing to a buffer cannot fail")
	}
	return input{kind: kind, method: http.MethodPost, path: path,
		header: http.Header{"Content-Type": {form.FormDataContentType()}}, body: body.Bytes()}
}

// ingestFile ingests a file from its address and waits for the end of the job.
func (t *target) ingestFile(ctx context.Context, address string, r *report) {
	in := input{kind: fileIngest, method: http.MethodPost, path: "/api/v1/documents/ingest",
		header: http.Header{"Content-Type": {"application/json"}},
		body:   encode(map[string]string{"source_url": address})}
	out := t.send(ctx, in)
	if ctx.Err() != nil {
		return
	}
	t.check(in, out, r)
	var started struct {
		Job string `json:"scrape_job_id"`
	}
	if out.Status == http.StatusOK && json.Unmarshal(out.Body, &started) == nil {
		t.awaitFile(ctx, fileIngest, address, started.Job, r)
	}
}

// createFile makes documents of a file and waits for the end of their jobs.
func (t *target) createFile(ctx context.Context, f file, r *report) {
	in := uploadInput(fileCreate, "/api/v1/documents", "files", f)
	out := t.send(ctx, in)
	if ctx.Err() != nil {
		return
	}
	t.check(in, out, r)
	var created struct {
		Files []struct {
			Job *string `json:"job_id"`
		}
	}
	if out.Status/100 != 2 || json.Unmarshal(out.Body, &created) != nil {
		return
	}
	for _, made := range created.Files {
		if made.Job != nil {
			t.awaitFile(ctx, fileCreate, f.name, *made.Job, r)
		}
	}
}

// awaitFile waits for the end of a file's job. It is a problem if the file ended its process.
func (t *target) awaitFile(ctx context.Context, kind, name, id string, r *report) {
	for ctx.Err() == nil {
		out := t.send(ctx, input{method: http.MethodGet, path: "/api/v1/jobs/" + id})
		var job struct{ Status string }
		if json.Unmarshal(out.Body, &job) == nil && (job.Status == "completed" || job.Status == "failed") {
			r.addOutcome(kind+": "+job.Status, "2xx")
			if bytes.Contains(out.Body, []byte(`"worker_died"`)) || bytes.Contains(out.Body, []byte(`"internal"`)) {
				r.AddProblem("the job for %s is %s", name, out.Body)
			}
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// longTable is the number of rows of the longest table that is exported.
const longTable = 100_000

// hostileContents returns contents that are expensive to export, or become files of many times
// their size.
func hostileContents(size int) [][]byte {
	contents := [][]byte{
		hostile.Contents[0].Make(longTable), hostile.SpanningCells(3000), hostile.RaggedTable(1000, 1000),
		hostile.WideTable(12_500, 700), hostile.LongLink(12_500, 1000),
	}
	for _, content := range hostile.Contents {
		contents = append(contents, content.Make(size/5))
	}
	return contents
}

// exports returns requests that export hostile contents in every format.
func exports(size int) []input {
	var inputs []input
	for _, content := range hostileContents(size) {
		for _, format := range []string{"pdf", "docx", "html", "md", "txt"} {
			body := encode(map[string]string{"format": format, "content_html": string(content)})
			inputs = append(inputs, input{kind: fileExport, method: http.MethodPost,
				path: "/api/v1/content-creation/export", header: http.Header{"Content-Type": {"application/json"}},
				body: body})
		}
	}
	return inputs
}
