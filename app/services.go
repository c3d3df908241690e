package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/brand"
	"rostrum/domain/bulk"
	"rostrum/domain/content"
	"rostrum/domain/content/export"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/executive"
	"rostrum/domain/house"
	"rostrum/domain/ingest"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/domain/mail"
	"rostrum/domain/party"
	"rostrum/domain/passage"
	"rostrum/domain/persona"
	"rostrum/domain/search"
	"rostrum/domain/tag"
	"rostrum/domain/webhook"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
	"rostrum/platform/idempotency"
	"rostrum/platform/job"
	"rostrum/rest"
)

// queueWorkers is the number of workers per queue in one process. It is high because workers mostly
// wait for sources or a model. Short jobs that callers wait for have queues of their own.
var queueWorkers = map[string]int{
	ingest.JobIngest: 16, ingest.JobBackload: 4, tag.JobApply: 8, tag.JobBackfill: 2, webhook.Queue: webhook.Workers,
	persona.Queue: 8, content.Queue: 8,
	audience.Queue: 4, executive.Queue: 4, passage.Queue: passage.Workers,
	document.JobBulkUpdate: document.BulkWorkers, search.Queue: search.Workers, bulk.Queue: bulk.Workers,
	mail.Queue: mail.Workers,
}

// buildServices builds the services in the order of their dependencies.
func (a *App) buildServices(ctx context.Context) (err error) {
	if a.sealer, err = a.config.newSealer(); err != nil {
		return err
	}
	a.buildAccounts()
	a.answers = idempotency.New(a.db)
	a.judge = a.config.newJudge(a.accounts.RecordCall)
	a.models, a.embedder = a.config.newEngine(a.accounts.RecordCall), a.config.newEmbedder(a.accounts.RecordCall)
	a.parties = party.New(party.Config{DB: a.db, Accounts: a.accounts, RecordChange: a.recordParty})
	if a.jobs, err = job.New(job.Config{DB: a.db, Live: a.live, Queues: queueWorkers}); err != nil {
		return err
	}
	a.documents = document.New(document.Config{
		DB: a.db, Analyze: readDocument, Attach: a.parties.Attach, Audit: a.accounts.AuditReads,
		Files: a.files, PublicURL: a.config.publicURL(), Jobs: a.jobs, Canonical: a.parties.CanonicalNames,
	})
	roots, err := a.config.certPool()
	if err != nil {
		return err
	}
	a.webhooks = a.newWebhooks(roots)
	if err := a.buildMails(roots); err != nil {
		return err
	}
	a.buildEvents()
	a.documents.AddHook(a.takeStorage)
	a.documents.AddHook(a.events.RecordDocument)
	a.jobs.AddHook(a.events.RecordJob)
	a.documents.AddHook(a.jobs.DismissOfDeleted)
	a.passages = passage.New(passage.Config{DB: a.db, Documents: a.documents, Tasks: a.jobs, Embedder: a.embedder})
	a.documents.AddHook(a.passages.Follow)
	client := fetch.New(fetch.Config{Allow: a.config.FetchAllow, Roots: roots})
	a.tags = tag.New(tag.Config{
		DB: a.db, Jobs: a.jobs, Documents: a.documents, Accounts: a.accounts, Engine: a.models, Audit: a.accounts.Audit,
		RecordDocuments: a.events.RecordDocuments,
	})
	a.ingest = ingest.New(ingest.Config{
		DB: a.db, Jobs: a.jobs, Documents: a.documents, Accounts: a.accounts, Tags: a.tags, Fetch: client,
		Extract: extract.New(a.extractConfig(client)), Audit: a.accounts.Audit, RecordChange: a.events.RecordChange,
		Sealer: a.sealer, CheckSeal: a.webhooks.CheckSealTx,
	})
	a.personas = a.newPersonas(client)
	a.operations, a.bulk = a.newOperations(a.accounts), a.newBulk()
	a.buildDrafts(client)
	a.relateDocuments()
	a.buildExecutives()
	a.buildNotices()
	if err = a.buildLinks(ctx); err == nil {
		a.measureStorage()
	}
	return err
}

func (a *App) newPersonas(client *fetch.Client) *persona.Service {
	return persona.New(persona.Config{
		DB: a.db, Documents: a.documents, Accounts: a.accounts, Addresses: client, Jobs: a.jobs, Engine: a.models,
		Judge: a.judge, Nearest: a.passages.Nearest, RecordChange: a.events.RecordChange,
	})
}

func (a *App) newBulk() *bulk.Service {
	return bulk.New(bulk.Config{
		DB: a.db, Files: a.files, Jobs: a.jobs, Schema: graph.Schema(), PublicURL: a.config.publicURL(),
		Principal: a.accounts.Principal, EventCursor: a.events.Cursor, LockWorkspace: a.accounts.LockWorkspace,
		Audit: a.accounts.Audit,
	})
}

// relateDocuments sets what lists of documents are filtered and counted by.
func (a *App) relateDocuments() {
	a.documents.Relate(document.Related{
		NamedParties: a.parties.NamedIDs, Tagged: a.tags.TaggedWith, Tags: a.tags.IDs, TagValues: a.tags.TagValues,
		SharingTags: a.tags.SharingTags, Reactions: a.audience.CurrentReactions,
		SpokenBy: func(workspaceID, name string) *bun.SelectQuery { return a.executives.SpokenBy(workspaceID, name) },
	})
}

// buildEvents builds the feed and the saved searches, which follow it.
func (a *App) buildEvents() {
	a.events = event.New(event.Config{DB: a.db, Live: a.live, Hooks: []event.AppendHook{a.webhooks.EnqueueDeliveries},
		Follow:    func(ctx context.Context, tx dbx.Tx, ids []string) error { return a.searches.Follow(ctx, tx, ids) },
		PublicURL: a.config.publicURL()})
	a.searches = search.New(search.Config{
		DB: a.db, Documents: a.documents, Events: a.events, Tasks: a.jobs, ShowsHidden: document.ShowsHidden,
		PublicURL: a.config.publicURL(), Audit: a.accounts.Audit,
	})
}

// buildDrafts builds what writes texts and what reacts to them.
func (a *App) buildDrafts(client *fetch.Client) {
	a.house = house.New(house.Config{DB: a.db, Accounts: a.accounts, RecordChange: a.events.RecordChange})
	a.content = content.New(content.Config{
		DB: a.db, Jobs: a.jobs, Documents: a.documents, Personas: a.personas, Runs: a.accounts, Models: a.models,
		Embedder: a.embedder, Count: countText, Fonts: os.DirFS(a.config.Fonts), LoadImage: imageLoader(client),
		RecordChange: a.events.RecordChange, Audit: a.accounts.AuditReads, TakeStorage: a.accounts.TakeStorage,
		Members: a.accounts, RecordComment: a.events.RecordDraftComment, House: a.house,
	})
	a.audience = audience.New(audience.Config{
		DB: a.db, Personas: a.personas, Documents: a.documents, Tags: a.tags, Drafts: a.content, Runs: a.accounts,
		Jobs: a.jobs, Engine: a.models, Embedder: a.embedder, Cares: persona.Cares, Plain: content.PlainText,
		IgnoredOptions: persona.IgnoredOptions, PartyNames: a.parties.CanonicalNames,
		RecordChange: a.events.RecordChange, RecordReactions: a.events.RecordReactions,
	})
}

// buildExecutives builds what knows of people and companies besides their names.
func (a *App) buildExecutives() {
	a.executives = executive.New(executive.Config{
		DB: a.db, Live: a.live, Jobs: a.jobs, Documents: a.documents, Accounts: a.accounts, Personas: a.personas,
		Parties: a.parties, Engine: a.models, Judge: a.judge, Ratings: a.audience.RatingsOf,
		Reader: executive.Reader{Speaker: extract.FindSpeaker, Chiefs: findChiefs}, RecordChange: a.events.RecordChange,
	})
	a.documents.AddHook(a.executives.Follow)
	a.documents.AddHook(a.content.HoldPages)
	a.documents.FindStatementsBy(a.executives.QueueSignals)
	a.documents.SetTagsBy(a.tags)
	a.keepWithDocuments()
	a.relateParties()
}

// keepWithDocuments tells the document service which rows are kept with a deleted document.
func (a *App) keepWithDocuments() {
	a.documents.Keep(tag.DocumentTables...)
	a.documents.Keep(audience.DocumentTables...)
	a.documents.Keep(executive.DocumentTables...)
	a.documents.AddRestoreHook(a.tags.Restored)
}

// relateParties tells the party service which rows are attributed to companies and executives.
func (a *App) relateParties() {
	a.parties.AddRows(party.Rows{Select: a.documents.SelectAll, Update: a.documents.UpdateAll, ChangedAt: "updated_at"})
	a.parties.AddRows(party.Rows{Select: a.executives.SelectAll, Update: a.executives.UpdateAll})
	a.documents.AddHook(a.parties.RecordIntroduced)
	a.parties.AddHook(a.executives.MoveParty)
	a.parties.AddHook(a.audience.DropSummariesOf)
}

// recordParty adds a change of a company or an executive to the workspace's feed.
func (a *App) recordParty(tx dbx.Tx, workspaceID string, kind model.PartyKind, id string) {
	a.events.RecordParty(tx, workspaceID, kind, id)
}

// takeStorage counts the text and the original that a document gets more of. It is a hook of the documents.
func (a *App) takeStorage(ctx context.Context, _ dbx.Tx, before, after *model.Document) error {
	if after == nil {
		return nil
	}
	grown := storedSize(after)
	if before != nil {
		grown -= storedSize(before)
	}
	return a.accounts.TakeStorage(ctx, after.WorkspaceID, grown)
}

// storedSize returns the bytes of a document's text and original.
func storedSize(doc *model.Document) int {
	size := len(optional.ValueOr(doc.Content, ""))
	if doc.Original != nil {
		size += doc.Original.Size
	}
	return size
}

// measureStorage tells the account service what takes storage.
func (a *App) measureStorage() {
	a.accounts.AddStorage(a.documents.StoredBytes)
	a.accounts.AddStorage(a.content.StoredBytes)
	a.accounts.AddStorage(a.links.StoredBytes)
	a.accounts.AddStorage(a.brands.StoredBytes)
}

// findChiefs returns the chief executives that a text names.
func findChiefs(text string) []executive.Chief {
	var out []executive.Chief
	for _, one := range extract.FindChiefs(text) {
		out = append(out, executive.Chief(one))
	}
	return out
}

// credentialQueries is how many times the time limit of a query a check of credentials may take.
const credentialQueries = 3

// buildAccounts builds the account service, with the OpenID Connect issuer if one is configured.
func (a *App) buildAccounts() {
	a.accounts = account.New(account.Config{
		DB: a.db, Live: a.live, OnPlan: []account.OnPlan{lockFeedOnPlan, webhook.PauseOnFreePlan},
		CredentialTime: credentialQueries * a.config.QueryTime,
		RecordChange:   a.recordChange, RecordBudget: a.recordBudget,
		CallRetention: a.config.CallRetention, DefaultModel: a.config.newEngine(nil).Model(),
		PublicURL: a.config.publicURL(), Sealer: a.sealer, CheckSeal: a.checkSeal,
	})
	if a.config.OIDCIssuer != "" {
		a.accounts.Trust(account.NewIssuer(account.IssuerConfig{
			URL: a.config.OIDCIssuer, ClientID: a.config.OIDCClient, ClientSecret: a.config.OIDCSecret,
			Callback: a.config.publicURL() + rest.CallbackPath,
		}))
	}
}

// buildLinks builds the link service, the brands of its pages, and the classification of visitors.
func (a *App) buildLinks(ctx context.Context) (err error) {
	a.brands = brand.New(brand.Config{
		DB: a.db, Accounts: a.accounts, PublicURL: a.config.publicURL(), CheckSlug: link.CheckSlug,
		Changed: func(ctx context.Context) { a.links.BrandChanged(ctx) },
	})
	if a.visitors, err = visitor.New(visitor.Config{GeoFile: a.config.GeoFile, Proxies: a.config.Proxies}); err != nil {
		return err
	}
	a.links, err = link.New(ctx, link.Config{
		DB: a.db, Live: a.live, PublicURL: a.config.publicURL(), Files: a.files,
		Folder:   filepath.Join(a.config.DataDir, "links"),
		Visitors: a.visitors, AppendEvents: a.events.Append, RecordChange: a.events.RecordChange,
		AllowSession: a.newSessionLimit(), Retention: a.config.LinkRetention,
		EmbargoWarnings: a.content.EmbargoWarnings, TakeStorage: a.accounts.TakeStorage,
		Brand: a.brands.OfWorkspace, BrandOfNewsroom: a.brands.OfNewsroom,
		HashPassword: account.NewPasswordHash,
		TryPassword: func(r *http.Request, linkID, password, hash string) (bool, error) {
			return a.accounts.TryLinkPassword(r.Context(), linkID, a.rateLimitAddress(r), password, hash)
		},
	})
	a.content.PublishTo(a.links)
	return err
}

// buildTransports builds the graph's server and the REST adapter.
func (a *App) buildTransports() (err error) {
	a.limiter = a.live.NewLimiter()
	services := graph.Services{
		Account: a.accounts, Audience: a.audience, Brand: a.brands, Bulk: a.bulk, Content: a.content, Document: a.documents, Event: a.events,
		Executive: a.executives, House: a.house, Ingest: a.ingest, Job: a.jobs, Link: a.links, Notice: a.notices,
		Operation: a.operations,
		Party:     a.parties, Passage: a.passages, Persona: a.personas, Search: a.searches, Tag: a.tags, Webhook: a.webhooks,
	}
	a.graph = a.newGraphServer(services)
	a.operations.CheckTexts(a.graph.CheckText)
	a.bulk.RunOn(graph.Runner{Server: a.graph})
	if a.rest, err = a.newAdapter(); err != nil {
		return err
	}
	a.handler, err = a.newRouter()
	return err
}

// imageLoader returns the first bytes of a public address.
func imageLoader(client *fetch.Client) export.LoadFunc {
	return func(ctx context.Context, address string, limit int64) ([]byte, error) {
		response, err := client.Peek(ctx, address, limit)
		if err != nil {
			return nil, err
		}
		return response.Body, nil
	}
}
