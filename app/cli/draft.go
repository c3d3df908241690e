package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

type draftCommand struct {
	List draftList `cmd:"" default:"withargs" help:"List drafts: id, state, day of the last change, title (default)."`
	Show draftShow `cmd:"" help:"Print the text of a draft."`
	Save draftSave `cmd:"" help:"Save a file as a draft, and print its id."`
}

const draftsPath = "/api/v1/content-creation/drafts"

// draft is a draft with its text.
type draft struct {
	ID          string
	Title       string
	State       string
	Content     string
	ContentType string `json:"content_type"`
	UpdatedAt   string `json:"updated_at"`
}

type draftList struct {
	access
	First int `default:"20" help:"How many drafts at most."`
}

func (c draftList) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	var page struct{ Drafts []draft }
	answer, err := connection.get(ctx, draftsPath+"?per_page="+strconv.Itoa(c.First), &page)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	for _, d := range page.Drafts {
		day, _, _ := strings.Cut(d.UpdatedAt, "T")
		if err := printText(streams.Out, "%s\t%s\t%s\t%s\n", d.ID, d.State, day, oneLine(d.Title)); err != nil {
			return err
		}
	}
	return nil
}

type draftShow struct {
	access
	Draft string `arg:"" help:"The draft's id."`
}

func (c draftShow) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	found, answer, err := connection.draft(ctx, c.Draft)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	return printText(streams.Out, "%s\n", found.Content)
}

func (c *Connection) draft(ctx context.Context, id string) (draft, []byte, error) {
	var found struct{ Draft draft }
	answer, err := c.get(ctx, draftsPath+"/"+url.PathEscape(id), &found)
	return found.Draft, answer, err
}

type draftSave struct {
	access
	File  string `arg:"" type:"existingfile" help:"The text: HTML if the file ends with .html, Markdown with .md, else plain."`
	Draft string `help:"The id of the draft to change; a new one is saved when absent."`
	Title string `help:"The title; the first line of a new draft when absent."`
}

func (c draftSave) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(c.File)
	if err != nil {
		return refused("%v", err)
	}
	formats := map[string]string{".html": "html", ".htm": "html", ".md": "markdown"}
	body := map[string]string{"content": string(text),
		"content_type": cmp.Or(formats[strings.ToLower(filepath.Ext(c.File))], "text")}
	for name, value := range map[string]string{"draft_id": c.Draft, "title": c.Title} {
		if value != "" {
			body[name] = value
		}
	}
	var saved struct{ Draft draft }
	answer, err := connection.post(ctx, draftsPath, body, &saved)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	return printText(streams.Out, "%s\n", saved.Draft.ID)
}

type exportCommand struct {
	Gateway
	Draft  string `arg:"" help:"The draft's id."`
	Format string `default:"pdf" enum:"pdf,docx,html,md,txt" help:"The kind of file: pdf, docx, html, md or txt."`
	Output string `short:"o" help:"The file; - is standard output. DRAFT.FORMAT when absent, which must not exist."`
}

func (c exportCommand) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	found, _, err := connection.draft(ctx, c.Draft)
	if err != nil {
		return err
	}
	body := map[string]string{"format": c.Format, "title": found.Title, "content_type": found.ContentType}
	if found.ContentType == "html" {
		body["content_html"] = found.Content
	} else {
		body["content_text"] = found.Content
	}
	file, err := connection.export(ctx, body)
	if err != nil {
		return err
	}
	defer file.Close()
	return c.write(ctx, connection, streams, file)
}

// export returns a piece as a file.
func (c *Connection) export(ctx context.Context, piece map[string]string) (io.ReadCloser, error) {
	body, err := encode(piece)
	if err != nil {
		return nil, err
	}
	response, err := c.send(ctx, request{method: http.MethodPost, path: "/api/v1/content-creation/export", body: body,
		mediaType: mediaJSON})
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

func (c exportCommand) write(ctx context.Context, connection *Connection, streams Streams, from io.Reader) (err error) {
	if c.Output == "-" {
		if _, err := io.Copy(streams.Out, from); err != nil {
			return unreached(ctx, connection.url, err)
		}
		return nil
	}
	name, flag := c.Output, os.O_TRUNC
	if name == "" {
		name, flag = filepath.Base(c.Draft)+"."+c.Format, os.O_EXCL
	}
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, 0o600)
	if err != nil {
		return refused("%v", err)
	}
	if _, err := io.Copy(to, from); err != nil {
		return errors.Join(unreached(ctx, connection.url, err), to.Close(), os.Remove(name))
	}
	if err := to.Close(); err != nil {
		return refused("%v", err)
	}
	return printText(streams.Out, "%s\n", name)
}
