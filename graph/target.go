package graph

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/model"
)

func (r *Resolver) documents() edgeTarget[model.Document] {
	return edgeTarget[model.Document]{documentColumns, func(d *model.Document) *string { return &d.ID },
		r.Services.Document.ReadByIDs}
}

func (r *Resolver) versions() edgeTarget[model.DocumentVersion] {
	return edgeTarget[model.DocumentVersion]{versionColumns, func(v *model.DocumentVersion) *string { return &v.ID },
		r.Services.Document.VersionsByID}
}

func (r *Resolver) versionPages() pageTarget[model.DocumentVersion] {
	return pageTarget[model.DocumentVersion]{versionColumns, r.Services.Document.VersionPages}
}

func (r *Resolver) companies() edgeTarget[model.Company] {
	return edgeTarget[model.Company]{companyColumns, func(c *model.Company) *string { return &c.ID },
		r.Services.Party.CompaniesByID}
}

func (r *Resolver) executives() edgeTarget[model.Executive] {
	return edgeTarget[model.Executive]{executiveColumns, func(e *model.Executive) *string { return &e.ID },
		r.Services.Party.ExecutivesByID}
}

func (r *Resolver) comparisons() edgeTarget[model.Insight] {
	return edgeTarget[model.Insight]{comparisonColumns, func(c *model.Insight) *string { return &c.ID },
		r.Services.Executive.ComparisonsByID}
}

func (r *Resolver) autoTags() edgeTarget[model.AutoTag] {
	return edgeTarget[model.AutoTag]{autoTagColumns, func(t *model.AutoTag) *string { return &t.ID },
		r.Services.Tag.ByIDs}
}

func (r *Resolver) personas() edgeTarget[model.Persona] {
	return edgeTarget[model.Persona]{personaColumns, func(p *model.Persona) *string { return &p.ID },
		r.Services.Persona.ByIDs}
}

func (r *Resolver) interactions() edgeTarget[model.PersonaInteraction] {
	return edgeTarget[model.PersonaInteraction]{interactionColumns,
		func(i *model.PersonaInteraction) *string { return &i.ID }, r.Services.Persona.InteractionsByID}
}

func (r *Resolver) reactions() edgeTarget[model.Reaction] {
	return edgeTarget[model.Reaction]{reactionColumns, func(i *model.Reaction) *string { return &i.ID },
		r.Services.Audience.ReactionsByID}
}

func (r *Resolver) summaries() edgeTarget[model.AudienceSummary] {
	return edgeTarget[model.AudienceSummary]{summaryColumns, func(s *model.AudienceSummary) *string { return &s.ID },
		r.Services.Audience.SummariesByID}
}

func (r *Resolver) drafts() edgeTarget[model.Draft] {
	return edgeTarget[model.Draft]{draftColumns, func(d *model.Draft) *string { return &d.ID },
		r.Services.Content.DraftsByID}
}

func (r *Resolver) draftVersions() edgeTarget[model.DraftVersion] {
	return edgeTarget[model.DraftVersion]{draftVersionColumns, func(v *model.DraftVersion) *string { return &v.ID },
		r.Services.Content.VersionsByID}
}

func (r *Resolver) draftVersionPages() pageTarget[model.DraftVersion] {
	return pageTarget[model.DraftVersion]{draftVersionColumns, r.Services.Content.VersionPages}
}

func (r *Resolver) stateChanges() edgeTarget[model.DraftStateChange] {
	return edgeTarget[model.DraftStateChange]{stateChangeColumns,
		func(c *model.DraftStateChange) *string { return &c.ID }, r.Services.Content.StateChangesByID}
}

func (r *Resolver) stateChangePages() pageTarget[model.DraftStateChange] {
	return pageTarget[model.DraftStateChange]{stateChangeColumns, r.Services.Content.StateChangePages}
}

func (r *Resolver) draftComments() edgeTarget[model.DraftComment] {
	return edgeTarget[model.DraftComment]{draftCommentColumns, func(c *model.DraftComment) *string { return &c.ID },
		r.Services.Content.CommentsByID}
}

func (r *Resolver) draftCommentPages(filter *api.DraftCommentFilter) pageTarget[model.DraftComment] {
	return pageTarget[model.DraftComment]{draftCommentColumns, func(
		ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
	) ([]*model.DraftCommentConnection, error) {
		return r.Services.Content.CommentPages(ctx, workspaceID, parent, keys, args, filter, columns...)
	}}
}

func (r *Resolver) jobs() edgeTarget[model.Job] {
	return edgeTarget[model.Job]{jobColumns, func(j *model.Job) *string { return &j.ID }, r.Services.Job.ByIDs}
}

func (r *Resolver) signals() edgeTarget[model.Signal] {
	return edgeTarget[model.Signal]{signalColumns, func(s *model.Signal) *string { return &s.ID },
		r.Services.Executive.SignalsByID}
}

func (r *Resolver) links() edgeTarget[model.Link] {
	return edgeTarget[model.Link]{linkColumns, func(l *model.Link) *string { return &l.ID }, r.Services.Link.ByIDs}
}

func (r *Resolver) linkSessions() edgeTarget[model.LinkSession] {
	return edgeTarget[model.LinkSession]{linkSessionColumns, func(s *model.LinkSession) *string { return &s.ID },
		r.Services.Link.SessionsByID}
}

func (r *Resolver) linkVariants() edgeTarget[model.LinkVariant] {
	return edgeTarget[model.LinkVariant]{linkVariantColumns, func(v *model.LinkVariant) *string { return &v.ID },
		r.Services.Link.VariantsByID}
}

func (r *Resolver) linkConversions() edgeTarget[model.LinkConversion] {
	return edgeTarget[model.LinkConversion]{linkConversionColumns,
		func(c *model.LinkConversion) *string { return &c.ID }, r.Services.Link.ConversionsByID}
}

func (r *Resolver) linkSubmissions() edgeTarget[model.LinkSubmission] {
	return edgeTarget[model.LinkSubmission]{linkSubmissionColumns,
		func(s *model.LinkSubmission) *string { return &s.ID }, r.Services.Link.SubmissionsByID}
}

func (r *Resolver) webhooks() edgeTarget[model.Webhook] {
	return edgeTarget[model.Webhook]{webhookColumns, func(w *model.Webhook) *string { return &w.ID },
		r.Services.Webhook.ByIDs}
}

func (r *Resolver) sources() edgeTarget[model.Source] {
	return edgeTarget[model.Source]{sourceColumns, func(s *model.Source) *string { return &s.ID },
		r.Services.Ingest.SourcesByID}
}

func (r *Resolver) savedSearches() edgeTarget[model.SavedSearch] {
	return edgeTarget[model.SavedSearch]{savedSearchColumns, func(s *model.SavedSearch) *string { return &s.ID },
		r.Services.Search.ByIDs}
}

func (r *Resolver) houseRules() edgeTarget[model.HouseRule] {
	return edgeTarget[model.HouseRule]{houseRuleColumns, func(h *model.HouseRule) *string { return &h.ID },
		r.Services.House.ByIDs}
}

// foundDocuments are the documents that saved searches find.
func (r *Resolver) foundDocuments(searches []*model.SavedSearch, filter *api.DocumentFilter,
	order *model.DocumentOrder) pageTarget[model.Document] {
	load := func(ctx context.Context, workspaceID, _ string, _ []string, args model.PageArgs,
		columns ...string) ([]*model.DocumentConnection, error) {
		return r.Services.Search.DocumentPages(ctx, workspaceID, searches, args, filter, order, columns...)
	}
	return pageTarget[model.Document]{documentColumns, load}
}

func (r *Resolver) deliveries() edgeTarget[model.Delivery] {
	return edgeTarget[model.Delivery]{deliveryColumns, func(d *model.Delivery) *string { return &d.ID },
		r.Services.Webhook.DeliveriesByID}
}

func (r *Resolver) events() edgeTarget[model.Event] {
	return edgeTarget[model.Event]{eventColumns, func(e *model.Event) *string { return &e.ID },
		r.Services.Event.InWorkspace}
}

func (r *Resolver) keys() edgeTarget[model.APIKey] {
	return edgeTarget[model.APIKey]{keyColumns, func(k *model.APIKey) *string { return &k.ID },
		r.Services.Account.KeysByID}
}

func (r *Resolver) keyPages() pageTarget[model.APIKey] {
	return pageTarget[model.APIKey]{keyColumns, r.Services.Account.KeyPages}
}

func (r *Resolver) users() edgeTarget[model.User] {
	return edgeTarget[model.User]{userColumns, func(u *model.User) *string { return &u.ID },
		r.Services.Account.UsersByID}
}

func (r *Resolver) members() edgeTarget[model.Membership] {
	return edgeTarget[model.Membership]{memberColumns, func(m *model.Membership) *string { return &m.ID },
		r.Services.Account.MembersByID}
}

func (r *Resolver) invites() edgeTarget[model.Invite] {
	return edgeTarget[model.Invite]{inviteColumns, func(i *model.Invite) *string { return &i.ID },
		r.Services.Account.InvitesByID}
}

func (r *Resolver) invitePages() pageTarget[model.Invite] {
	return pageTarget[model.Invite]{inviteColumns, r.Services.Account.InvitePages}
}

func (r *Resolver) memberPages() pageTarget[model.Membership] {
	return pageTarget[model.Membership]{memberColumns, r.Services.Account.MemberPages}
}

func (r *Resolver) summaryPages() pageTarget[model.AudienceSummary] {
	return pageTarget[model.AudienceSummary]{summaryColumns, r.Services.Audience.SummaryPages}
}

func (r *Resolver) auditEntries() edgeTarget[model.AuditEntry] {
	return edgeTarget[model.AuditEntry]{auditColumns, func(e *model.AuditEntry) *string { return &e.ID },
		r.Services.Account.AuditEntriesByID}
}

func (r *Resolver) runReservations() edgeTarget[model.RunReservation] {
	return edgeTarget[model.RunReservation]{runColumns, func(e *model.RunReservation) *string { return &e.ID },
		r.Services.Account.ReservationsByID}
}

func (r *Resolver) modelCalls() edgeTarget[model.ModelCall] {
	return edgeTarget[model.ModelCall]{callColumns, func(c *model.ModelCall) *string { return &c.ID },
		r.Services.Account.ModelCallsByID}
}

func (r *Resolver) modelCallPages() pageTarget[model.ModelCall] {
	return pageTarget[model.ModelCall]{callColumns, r.Services.Account.ModelCallPages}
}

func (r *Resolver) runReservationPages() pageTarget[model.RunReservation] {
	return pageTarget[model.RunReservation]{runColumns, r.Services.Account.ReservationPages}
}

func (r *Resolver) appliedAutoTags() edgeTarget[model.AppliedAutoTag] {
	return edgeTarget[model.AppliedAutoTag]{appliedColumns, func(a *model.AppliedAutoTag) *string { return &a.ID },
		r.Services.Tag.AppliedByIDs}
}

func (r *Resolver) voiceProfiles() edgeTarget[model.VoiceProfile] {
	return edgeTarget[model.VoiceProfile]{Columns{}, func(v *model.VoiceProfile) *string { return &v.ID },
		r.Services.Persona.VoiceProfiles}
}

func (r *Resolver) filterTags() edgeTarget[model.CommsFilterTag] {
	return edgeTarget[model.CommsFilterTag]{filterTagColumns, func(f *model.CommsFilterTag) *string { return &f.ID },
		r.Services.Tag.FiltersByID}
}

// filtersOf returns the comms filter of each auto-tag; nil for an auto-tag without one.
func (r *Resolver) filtersOf(ctx context.Context, tags []string) ([]*model.CommsFilterTag, error) {
	return r.Services.Tag.FiltersOf(ctx, workspaceOf(ctx), tags, filterTagColumns.Selected(ctx)...)
}

func (r *Resolver) filterExamplePages() pageTarget[model.CommsFilterExample] {
	return pageTarget[model.CommsFilterExample]{exampleColumns, r.Services.Tag.ExamplePages}
}

func (r *Resolver) filterValuePages() pageTarget[model.FilterTagValue] {
	return pageTarget[model.FilterTagValue]{countedColumns, r.Services.Tag.ValuePages}
}

func (r *Resolver) voices() edgeTarget[model.ExecutiveVoice] {
	return edgeTarget[model.ExecutiveVoice]{voiceColumns, func(v *model.ExecutiveVoice) *string { return &v.ID },
		r.Services.Executive.VoicesByID}
}

func (r *Resolver) documentPages(filter *api.DocumentFilter, order *model.DocumentOrder) pageTarget[model.Document] {
	return chosenPages(documentColumns, r.Services.Document.Pages, filter, order)
}

func (r *Resolver) companyPages() pageTarget[model.Company] {
	return pageTarget[model.Company]{companyColumns, r.Services.Party.CompanyPages}
}

func (r *Resolver) executivePages() pageTarget[model.Executive] {
	return pageTarget[model.Executive]{executiveColumns, r.Services.Party.ExecutivePages}
}

func (r *Resolver) comparisonPages() pageTarget[model.Insight] {
	return pageTarget[model.Insight]{comparisonColumns, r.Services.Executive.ComparisonPages}
}

func (r *Resolver) appliedPages() pageTarget[model.AppliedAutoTag] {
	return pageTarget[model.AppliedAutoTag]{appliedColumns, r.Services.Tag.AppliedPages}
}

func (r *Resolver) jobPages(filter *api.JobFilter, order *model.JobOrder) pageTarget[model.Job] {
	return chosenPages(jobColumns, r.Services.Job.Pages, filter, order)
}

func (r *Resolver) jobEventPages() pageTarget[model.JobEvent] {
	return pageTarget[model.JobEvent]{jobEventColumns, r.Services.Job.EventPages}
}

func (r *Resolver) reactionPages(filter *api.ReactionFilter, order *model.ReactionOrder) pageTarget[model.Reaction] {
	return chosenPages(listedReactionColumns, r.Services.Audience.ReactionPages, filter, order)
}

func (r *Resolver) summaryReactionPages(filter *api.ReactionFilter,
	order *model.ReactionOrder) pageTarget[model.Reaction] {
	return chosenPages(listedReactionColumns, r.Services.Audience.SummaryReactionPages, filter, order)
}

func (r *Resolver) draftPages() pageTarget[model.Draft] {
	return pageTarget[model.Draft]{draftColumns, r.Services.Content.DraftPages}
}

func (r *Resolver) eventPages() pageTarget[model.Event] {
	return pageTarget[model.Event]{eventColumns, r.Services.Event.Pages}
}

func (r *Resolver) signalPages() pageTarget[model.Signal] {
	return pageTarget[model.Signal]{signalColumns, r.Services.Executive.SignalPages}
}

func (r *Resolver) autoTagReviews() edgeTarget[model.AutoTagReview] {
	return edgeTarget[model.AutoTagReview]{reviewColumns, func(v *model.AutoTagReview) *string { return &v.ID },
		r.Services.Tag.PendingReviews}
}

func (r *Resolver) audienceGroups() edgeTarget[model.AudienceGroup] {
	return edgeTarget[model.AudienceGroup]{Columns{}, func(g *model.AudienceGroup) *string { return &g.ID },
		r.Services.Audience.GroupsByID}
}

func (r *Resolver) autoTagReviewPages() pageTarget[model.AutoTagReview] {
	return pageTarget[model.AutoTagReview]{reviewColumns, r.Services.Tag.ReviewPages}
}

func (r *Resolver) personaPages(filter *api.PersonaFilter, order *model.PersonaOrder) pageTarget[model.Persona] {
	return chosenPages(personaColumns, r.Services.Persona.Pages, filter, order)
}

func (r *Resolver) interactionPages() pageTarget[model.PersonaInteraction] {
	return pageTarget[model.PersonaInteraction]{interactionColumns, r.Services.Persona.InteractionPages}
}

func (r *Resolver) linkSessionPages() pageTarget[model.LinkSession] {
	return pageTarget[model.LinkSession]{linkSessionColumns, r.Services.Link.SessionPages}
}

func (r *Resolver) linkConversionPages() pageTarget[model.LinkConversion] {
	return pageTarget[model.LinkConversion]{linkConversionColumns, r.Services.Link.ConversionPages}
}

func (r *Resolver) linkSubmissionPages() pageTarget[model.LinkSubmission] {
	return pageTarget[model.LinkSubmission]{linkSubmissionColumns, r.Services.Link.SubmissionPages}
}

func (r *Resolver) webhookPages() pageTarget[model.Webhook] {
	return pageTarget[model.Webhook]{webhookColumns, r.Services.Webhook.Pages}
}

func (r *Resolver) deliveryPages(filter *api.DeliveryFilter, order *model.DeliveryOrder) pageTarget[model.Delivery] {
	return chosenPages(deliveryColumns, r.Services.Webhook.DeliveryPages, filter, order)
}

func (r *Resolver) auditPages() pageTarget[model.AuditEntry] {
	return pageTarget[model.AuditEntry]{auditColumns, r.Services.Account.AuditPages}
}

// taggedDocuments are the documents in which an auto-tag was found, with a value or any.
func (r *Resolver) taggedDocuments(value *string, filter *api.DocumentFilter,
	order *model.DocumentOrder) pageTarget[model.Document] {
	pairs := func(workspaceID string) *bun.SelectQuery { return r.Services.Tag.TaggedPairs(workspaceID, value) }
	return r.pairedDocuments(pairs, filter, order)
}

// hiddenDocuments are the documents that a comms filter hides.
func (r *Resolver) hiddenDocuments(filter *api.DocumentFilter, order *model.DocumentOrder) pageTarget[model.Document] {
	return r.pairedDocuments(r.Services.Tag.HiddenPairs, filter, order)
}

// pairedDocuments are documents that pairs of a document and a key select.
func (r *Resolver) pairedDocuments(
	pairs func(workspaceID string) *bun.SelectQuery, filter *api.DocumentFilter, order *model.DocumentOrder,
) pageTarget[model.Document] {
	load := func(ctx context.Context, workspaceID, _ string, keys []string, args model.PageArgs,
		columns ...string) ([]*model.DocumentConnection, error) {
		return r.Services.Document.PagesIn(ctx, workspaceID, pairs(workspaceID), keys, args, filter, order, columns...)
	}
	return pageTarget[model.Document]{documentColumns, load}
}

// loadChosen reads a page for each key of the rows that match a filter, in an order.
type loadChosen[N, F, O any] = func(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, filter *F,
	order *model.ListOrder[O], columns ...string,
) ([]*model.Connection[N], error)

// chosenPages are the pages of the rows that match the filter, in the order.
func chosenPages[N, F, O any](columns Columns, load loadChosen[N, F, O], filter *F,
	order *model.ListOrder[O]) pageTarget[N] {
	return pageTarget[N]{columns, func(
		ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
	) ([]*model.Connection[N], error) {
		return load(ctx, workspaceID, parent, keys, args, filter, order, columns...)
	}}
}
