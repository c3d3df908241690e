package executive_test

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/executive"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/party"
	"rostrum/domain/persona"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

type testBundle struct {
	*executive.Service
	documents *document.Service
	personas  *persona.Service
	db        *dbx.DB
	ctx       context.Context
	workspace string
}

func setup(t *testing.T, db *dbx.DB, workspace string) *testBundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	pubsub := dbtest.OpenLive(t, live.Config{})
	jobs, err := job.New(job.Config{DB: db, Live: pubsub, Queues: map[string]int{executive.Queue: 2, persona.Queue: 2}})
	if err != nil {
		t.Fatal(err)
	}
	row := &model.Workspace{ID: workspace, MarketLanguage: "en", RunLimit: 100, CreatedAt: model.Now()}
	if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := &testBundle{db: db, workspace: workspace,
		ctx: principal.With(t.Context(), principal.Principal{WorkspaceID: workspace})}
	accounts := account.New(account.Config{DB: db, Live: pubsub})
	parties := party.New(party.Config{DB: db, Accounts: accounts,
		RecordChange: func(dbx.Tx, string, model.PartyKind, string) {}})
	b.documents = document.New(document.Config{DB: db, Attach: parties.Attach,
		Analyze: func(_, text string) document.TextAnalysis {
			return document.TextAnalysis{Words: len(text), Characters: len([]rune(text))}
		}})
	b.personas = persona.New(persona.Config{
		DB: db, Documents: b.documents, Accounts: accounts, Addresses: fetch.New(fetch.Config{}), Jobs: jobs,
		Engine:       offline.Engine{},
		RecordChange: func(dbx.Tx, string, string, string) {},
	})
	b.Service = executive.New(executive.Config{
		DB: db, Live: pubsub, Jobs: jobs, Documents: b.documents, Accounts: accounts, Personas: b.personas,
		Parties: parties,
		Engine:  offline.Engine{}, Reader: executive.Reader{Speaker: extract.FindSpeaker,
			Chiefs: func(text string) (out []executive.Chief) {
				for _, chief := range extract.FindChiefs(text) {
					out = append(out, executive.Chief(chief))
				}
				return out
			}},
		RecordChange: func(dbx.Tx, string, string, string) {},
	})
	b.documents.AddHook(b.Follow)
	return b
}

// createDocument stores the remarks of an executive.
func (b *testBundle) createDocument(t *testing.T, name, company, content string) string {
	t.Helper()
	in := api.CreateDocumentInput{Title: "Remarks by " + name, Content: content, Executive: graphql.OmittableOf(&name),
		Company: graphql.OmittableOf(&company)}
	out, err := b.documents.Create(b.ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Document.ID
}

func (b *testBundle) usedRuns(t *testing.T) int {
	t.Helper()
	row := new(model.Workspace)
	if err := b.db.NewSelect().Model(row).Where("id = ?", b.workspace).Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return row.RunsUsed
}

func (b *testBundle) queryCount(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	if err := b.db.SelectRaw(query, args...).Scan(t.Context(), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// replaceContent replaces the text of a document, as ingesting it again does.
func (b *testBundle) replaceContent(t *testing.T, id, content string) {
	t.Helper()
	err := b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := b.documents.Amend(ctx, tx, b.workspace, id, func(doc *model.Document) error {
			doc.Content = &content
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
