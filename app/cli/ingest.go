package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type ingestCommand struct {
	access
	Sources        []string  `arg:"" name:"source" help:"Files, and addresses that begin with http:// or https://."`
	Visibility     string    `enum:",public,internal,embargoed" default:"" help:"Who may know the documents: public, internal or embargoed; the workspace's default when absent."`
	EmbargoedUntil time.Time `format:"2006-01-02T15:04:05Z07:00" help:"The end of the embargo, such as 2027-01-31T09:00:00Z."`
	Watch          bool      `short:"w" help:"Wait until the texts are read, and show the progress."`
}

// Validate refuses what is neither a file nor an address before anything is sent.
func (c ingestCommand) Validate() error {
	for _, source := range c.Sources {
		if isAddress(source) {
			continue
		}
		if info, err := os.Stat(source); err != nil || info.IsDir() {
			return misuse("%s is neither a file nor an address that begins with http:// or https://", source)
		}
	}
	return nil
}

func isAddress(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// ingested is a text that the gateway has taken or refused.
type ingested struct {
	name, document, job string
	reason              string // why it was refused
}

func (c ingestCommand) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	var texts []ingested
	for _, source := range c.Sources {
		found, err := c.send(ctx, connection, streams, source)
		if stops(err) {
			return err
		}
		if err != nil {
			found = []ingested{{name: source, reason: err.Error()}}
		}
		texts = append(texts, found...)
	}
	failed := 0
	for _, text := range texts {
		if c.Watch && text.job != "" {
			if text.reason, err = c.wait(ctx, connection, streams, text); err != nil {
				return err
			}
		}
		if text.reason != "" {
			failed++
		}
		if err := c.printText(streams, text); err != nil {
			return err
		}
	}
	if failed > 0 {
		return refused("%d of %d texts failed", failed, len(texts))
	}
	return nil
}

// stops reports whether the other texts would fail for the same reason.
func stops(err error) bool {
	var failed *failure
	return err != nil && (!errors.As(err, &failed) || failed.code != exitRefused)
}

// wait follows the job of a text, and returns why it failed.
func (c ingestCommand) wait(ctx context.Context, connection *Connection, streams Streams,
	text ingested) (string, error) {
	ended, err := watchJob(ctx, connection, streams, text.job, text.name, c.JSON)
	if stops(err) {
		return "", err
	}
	if err == nil {
		err = ended.failure()
	}
	return reasonOf(err), nil
}

// reasonOf returns the sentence of a failure, or "".
func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// printText prints what became of a text; with --json the answers tell it.
func (c ingestCommand) printText(streams Streams, text ingested) error {
	switch {
	case text.reason != "":
		return printText(streams.Err, "%s: %s\n", text.name, oneLine(text.reason))
	case c.JSON:
		return nil
	case c.Watch:
		return printText(streams.Out, "%s\tready\t%s\n", text.document, text.name)
	}
	return printText(streams.Out, "%s\t%s\t%s\n", text.document, cmp.Or(text.job, "-"), text.name)
}

func (c ingestCommand) send(ctx context.Context, connection *Connection, streams Streams,
	source string) ([]ingested, error) {
	send := c.sendFile
	if isAddress(source) {
		send = c.sendAddress
	}
	answer, texts, err := send(ctx, connection, source)
	if err == nil && c.JSON {
		err = printAnswer(streams.Out, answer)
	}
	return texts, err
}

func (c ingestCommand) sendAddress(ctx context.Context, connection *Connection,
	source string) ([]byte, []ingested, error) {
	body := map[string]any{"source_url": source}
	for name, value := range c.fields() {
		body[name] = value
	}
	var made struct {
		DocumentID string `json:"document_id"`
		JobID      string `json:"scrape_job_id"`
		Status     string `json:"processing_status"`
		Error      string
	}
	answer, err := connection.post(ctx, "/api/v1/documents/ingest", body, &made)
	text := ingested{name: source, document: made.DocumentID, job: made.JobID, reason: made.Error}
	if made.Status == "failed" {
		text.reason = cmp.Or(text.reason, "the document could not be read")
	}
	return answer, []ingested{text}, err
}

// fields returns what applies to all texts, under its names in REST.
func (c ingestCommand) fields() map[string]string {
	fields := map[string]string{}
	if c.Visibility != "" {
		fields["visibility"] = c.Visibility
	}
	if !c.EmbargoedUntil.IsZero() {
		fields["embargoed_until"] = c.EmbargoedUntil.Format(time.RFC3339)
	}
	return fields
}

// sendFile uploads a file, which may contain several texts.
func (c ingestCommand) sendFile(ctx context.Context, connection *Connection, source string) ([]byte, []ingested, error) {
	file, err := os.Open(source)
	if err != nil {
		return nil, nil, refused("%v", err)
	}
	defer file.Close()
	reader, writer := io.Pipe()
	defer reader.Close() // ends the goroutine when the body is not read to its end
	form := multipart.NewWriter(writer)
	go func() { writer.CloseWithError(c.writeForm(form, file)) }()
	var made struct {
		Files []struct {
			Name       string
			DocumentID string `json:"document_id"`
			JobID      string `json:"job_id"`
			Refusal    *struct{ Message string }
		}
	}
	answer, err := connection.read(ctx, request{method: http.MethodPost, path: "/api/v1/documents", body: reader,
		mediaType: form.FormDataContentType()}, &made)
	texts := make([]ingested, len(made.Files))
	for i, file := range made.Files {
		texts[i] = ingested{name: file.Name, document: file.DocumentID, job: file.JobID}
		if file.Refusal != nil {
			texts[i].reason = file.Refusal.Message
		}
	}
	return answer, texts, err
}

func (c ingestCommand) writeForm(form *multipart.Writer, file *os.File) error {
	for name, value := range c.fields() {
		if err := form.WriteField(name, value); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("files", filepath.Base(file.Name()))
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, file); err != nil {
		return err
	}
	return form.Close()
}
