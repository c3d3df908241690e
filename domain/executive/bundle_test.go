package executive_test

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/executive"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/persona"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/live"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/testkit"
)

type bundle struct {
	*executive.Service
	documents *document.Service
	personas  *persona.Service
	db        *dbx.DB
	ctx       context.Context
	workspace string
}

func setup(t *testing.T, db *dbx.DB, workspace string) *bundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	news := testkit.OpenLive(t, live.Config{})
	jobs, err := job.New(db, news, job.Config{Queues: map[string]int{executive.Queue: 2, persona.Queue: 2}})
	if err != nil {
		t.Fatal(err)
	}
	row := &model.Workspace{ID: workspace, MarketLanguage: "en", RunLimit: 100, CreatedAt: model.Now()}
	if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := &bundle{db: db, workspace: workspace, ctx: model.WithPrincipal(t.Context(), model.Principal{WorkspaceID: workspace})}
	b.documents = document.New(db, news, func(text string) document.Reading {
		return document.Reading{Words: len(text), Characters: len([]rune(text))}
	})
	accounts := account.New(db, news)
	b.personas = persona.New(persona.Config{
		DB: db, Documents: b.documents, Accounts: accounts, Addresses: fetch.New(fetch.Config{}), Jobs: jobs, Engine: llm.Builtin{},
	})
	b.Service = executive.New(executive.Config{
		DB: db, Live: news, Jobs: jobs, Documents: b.documents, Accounts: accounts, Personas: b.personas, Engine: llm.Builtin{},
		Reader: executive.Reader{Speaker: extract.Speaker, Chiefs: func(text string) (out []executive.Chief) {
			for _, one := range extract.Chiefs(text) {
				out = append(out, executive.Chief(one))
			}
			return out
		}},
	})
	b.documents.Followed(b.Follow)
	return b
}

// said stores a document of an executive.
func (b *bundle) said(t *testing.T, name, company, content string) string {
	t.Helper()
	in := model.CreateDocumentInput{Title: "Said", Content: content, Executive: graphql.OmittableOf(&name), Company: graphql.OmittableOf(&company)}
	out, err := b.documents.Create(b.ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Document.ID
}

func (b *bundle) used(t *testing.T) int {
	t.Helper()
	row := new(model.Workspace)
	if err := b.db.NewSelect().Model(row).Where("id = ?", b.workspace).Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return row.RunsUsed
}

func (b *bundle) number(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	if err := b.db.NewRaw(query, args...).Scan(t.Context(), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// rewrite gives a document another text, as ingesting it again does.
func (b *bundle) rewrite(t *testing.T, id, content string) {
	t.Helper()
	err := b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := b.documents.Amend(ctx, tx, model.DocumentEventKindStatus, b.workspace, id, func(doc *model.Document) error {
			doc.Content = &content
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
