package app

import (
	"context"
	"os"
	"path/filepath"

	"rostrum/domain/account"
	"rostrum/domain/content"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/ingest"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/domain/persona"
	"rostrum/domain/tag"
	"rostrum/domain/webhook"
	"rostrum/fetch"
	"rostrum/graph"
	"rostrum/job"
	"rostrum/replay"
	"rostrum/rest"
)

// queues gives each queue its workers in one process. Most of a worker's time is waiting, for sources or for a model. What a caller waits
// for has a queue of its own, so that it does not stand behind long work.
var queues = map[string]int{
	ingest.JobType: 16, ingest.BackloadJob: 4, tag.ApplyJob: 8, tag.BackfillJob: 2, webhook.Queue: webhook.Workers, persona.Queue: 8, content.Queue: 8,
}

// rooms builds the rooms in the order in which one needs another.
func (a *App) rooms(ctx context.Context) (err error) {
	a.openAccounts()
	a.answers = replay.New(a.db)
	a.models = a.config.engine()
	a.documents = document.New(a.db, a.live, reading)
	if a.jobs, err = job.New(a.db, a.live, job.Config{Queues: queues}); err != nil {
		return err
	}
	if a.webhooks, err = a.deliverer(); err != nil {
		return err
	}
	a.events = event.New(a.db, a.live, a.webhooks.Follow)
	client := fetch.New(fetch.Config{Allow: a.config.FetchAllow})
	a.tags = tag.New(a.db, a.jobs, a.documents, a.accounts, a.models, a.accounts.Note)
	a.ingest = ingest.New(a.db, a.jobs, a.documents, a.accounts, a.tags, client, extract.New(a.helpers(ctx, client)))
	a.personas = persona.New(persona.Config{
		DB: a.db, Documents: a.documents, Accounts: a.accounts, Addresses: client, Jobs: a.jobs, Engine: a.models,
	})
	a.content = content.New(content.Config{
		DB: a.db, Jobs: a.jobs, Documents: a.documents, Personas: a.personas, Runs: a.accounts, Models: a.models, Count: counting,
		Fonts: os.DirFS(a.config.Fonts),
	})
	return a.openLinks(ctx)
}

// openAccounts builds the room that knows who is asking, with the identity provider when one is configured.
func (a *App) openAccounts() {
	a.accounts = account.New(a.db, a.live, webhook.OnPlan)
	if a.config.OIDCIssuer != "" {
		a.accounts.Trust(account.NewIssuer(account.IssuerConfig{
			URL: a.config.OIDCIssuer, ClientID: a.config.OIDCClient, ClientSecret: a.config.OIDCSecret,
			Callback: a.config.publicURL() + rest.CallbackPath,
		}))
	}
}

// openLinks builds the room of links, and who tells people from programs for it.
func (a *App) openLinks(ctx context.Context) (err error) {
	if a.visitors, err = visitor.New(visitor.Config{GeoFile: a.config.GeoFile, Proxies: a.config.Proxies}); err != nil {
		return err
	}
	a.links, err = link.New(ctx, a.db, a.live, link.Config{
		PublicURL: a.config.publicURL(), Folder: filepath.Join(a.config.DataDir, "links"), Visitors: a.visitors, Announce: a.events.Append,
	})
	return err
}

// doors puts the graph on the rooms, and REST on the graph.
func (a *App) doors() (err error) {
	a.limiter = a.live.NewLimiter()
	rooms := graph.Rooms{
		Account: a.accounts, Content: a.content, Document: a.documents, Event: a.events, Ingest: a.ingest, Job: a.jobs, Link: a.links,
		Persona: a.personas, Tag: a.tags, Webhook: a.webhooks,
	}
	a.graph = a.executor(rooms)
	if a.rest, err = a.adapter(); err != nil {
		return err
	}
	a.handler, err = a.router()
	return err
}
