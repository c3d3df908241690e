package app

import (
	"context"
	"os"
	"path/filepath"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/content"
	"rostrum/domain/content/export"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/executive"
	"rostrum/domain/ingest"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/domain/party"
	"rostrum/domain/passage"
	"rostrum/domain/persona"
	"rostrum/domain/tag"
	"rostrum/domain/webhook"
	"rostrum/graph"
	"rostrum/model"
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
}

// buildServices builds the services in the order of their dependencies.
func (a *App) buildServices(ctx context.Context) (err error) {
	a.buildAccounts()
	a.answers = idempotency.New(a.db)
	a.judge = a.config.newJudge(a.accounts.RecordCall)
	a.models, a.embedder = a.config.newEngine(a.accounts.RecordCall), a.config.newEmbedder(a.accounts.RecordCall)
	a.parties = party.New(party.Config{DB: a.db, Accounts: a.accounts, RecordChange: a.recordParty})
	a.documents = document.New(document.Config{
		DB: a.db, Analyze: readDocument, Attach: a.parties.Attach, Audit: a.accounts.AuditReads,
	})
	if a.jobs, err = job.New(job.Config{DB: a.db, Live: a.live, Queues: queueWorkers}); err != nil {
		return err
	}
	if a.webhooks, err = a.newWebhooks(); err != nil {
		return err
	}
	a.events = event.New(event.Config{DB: a.db, Live: a.live, Hooks: []event.AppendHook{a.webhooks.EnqueueDeliveries}})
	a.documents.AddHook(a.events.RecordDocument)
	a.jobs.AddHook(a.events.RecordJob)
	a.documents.AddHook(a.jobs.DismissOfDeleted)
	a.passages = passage.New(passage.Config{DB: a.db, Documents: a.documents, Tasks: a.jobs, Embedder: a.embedder})
	a.documents.AddHook(a.passages.Follow)
	client := fetch.New(fetch.Config{Allow: a.config.FetchAllow})
	a.tags = tag.New(tag.Config{
		DB: a.db, Jobs: a.jobs, Documents: a.documents, Accounts: a.accounts, Engine: a.models, Audit: a.accounts.Audit,
		RecordDocuments: a.events.RecordDocuments,
	})
	a.ingest = ingest.New(ingest.Config{
		DB: a.db, Jobs: a.jobs, Documents: a.documents, Accounts: a.accounts, Tags: a.tags, Fetch: client,
		Extract: extract.New(a.extractConfig(client)),
	})
	a.personas = persona.New(persona.Config{
		DB: a.db, Documents: a.documents, Accounts: a.accounts, Addresses: client, Jobs: a.jobs, Engine: a.models,
		Judge:   a.judge,
		Nearest: a.passages.Nearest, RecordChange: a.events.RecordChange,
	})
	a.content = content.New(content.Config{
		DB: a.db, Jobs: a.jobs, Documents: a.documents, Personas: a.personas, Runs: a.accounts, Models: a.models,
		Embedder: a.embedder, Count: countText, Fonts: os.DirFS(a.config.Fonts), LoadImage: imageLoader(client),
		RecordChange: a.events.RecordChange, Audit: a.accounts.AuditReads,
	})
	a.audience = audience.New(audience.Config{
		DB: a.db, Personas: a.personas, Documents: a.documents, Tags: a.tags, Drafts: a.content, Runs: a.accounts,
		Jobs: a.jobs, Engine: a.models, Embedder: a.embedder, Cares: persona.Cares, Plain: content.PlainText,
		IgnoredOptions: persona.IgnoredOptions, PartyNames: a.parties.CanonicalNames,
		RecordChange: a.events.RecordChange,
	})
	a.documents.Relate(document.Related{NamedParties: a.parties.NamedIDs, Tagged: a.tags.TaggedWith,
		TagValues: a.tags.TagValues, SharingTags: a.tags.SharingTags, Reactions: a.audience.CurrentReactions})
	a.buildExecutives()
	return a.buildLinks(ctx)
}

// buildExecutives builds what knows of people and companies besides their names.
func (a *App) buildExecutives() {
	a.executives = executive.New(executive.Config{
		DB: a.db, Live: a.live, Jobs: a.jobs, Documents: a.documents, Accounts: a.accounts, Personas: a.personas,
		Parties: a.parties, Engine: a.models, Judge: a.judge, Ratings: a.audience.RatingsOf,
		Reader: executive.Reader{Speaker: extract.FindSpeaker, Chiefs: findChiefs}, RecordChange: a.events.RecordChange,
	})
	a.documents.AddHook(a.executives.Follow)
	a.relateParties()
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
		DB: a.db, Live: a.live, OnPlan: []account.OnPlan{webhook.PauseOnFreePlan},
		CredentialTime: credentialQueries * a.config.QueryTime,
		RecordChange:   a.recordChange,
		CallRetention:  a.config.CallRetention, DefaultModel: a.config.newEngine(nil).Model(),
	})
	if a.config.OIDCIssuer != "" {
		a.accounts.Trust(account.NewIssuer(account.IssuerConfig{
			URL: a.config.OIDCIssuer, ClientID: a.config.OIDCClient, ClientSecret: a.config.OIDCSecret,
			Callback: a.config.publicURL() + rest.CallbackPath,
		}))
	}
}

// buildLinks builds the link service and the classification of visitors.
func (a *App) buildLinks(ctx context.Context) (err error) {
	if a.visitors, err = visitor.New(visitor.Config{GeoFile: a.config.GeoFile, Proxies: a.config.Proxies}); err != nil {
		return err
	}
	a.links, err = link.New(ctx, link.Config{
		DB: a.db, Live: a.live, PublicURL: a.config.publicURL(), Folder: filepath.Join(a.config.DataDir, "links"),
		Visitors: a.visitors, AppendEvents: a.events.Append, RecordChange: a.events.RecordChange,
		AllowSession: a.newSessionLimit(), Retention: a.config.LinkRetention,
		EmbargoWarnings: a.content.EmbargoWarnings,
	})
	return err
}

// buildTransports builds the graph's server and the REST adapter.
func (a *App) buildTransports() (err error) {
	a.limiter = a.live.NewLimiter()
	services := graph.Services{
		Account: a.accounts, Audience: a.audience, Content: a.content, Document: a.documents, Event: a.events,
		Executive: a.executives, Ingest: a.ingest, Job: a.jobs, Link: a.links,
		Party: a.parties, Passage: a.passages, Persona: a.personas, Tag: a.tags, Webhook: a.webhooks,
	}
	a.graph = a.newGraphServer(services)
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
