package graph

import (
	"context"
	"maps"
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// maxNodes is the number of ids that nodes takes.
const maxNodes = 100

// nodeLoader returns the workspace's rows with the ids, by id and with the selected columns.
type nodeLoader func(ctx context.Context, ids []string) (map[string]model.Node, error)

// loadRows returns the loader of a type that edges lead to.
func loadRows[N any, P interface {
	*N
	model.Node
}](to edgeTarget[N]) nodeLoader {
	return func(ctx context.Context, ids []string) (map[string]model.Node, error) {
		rows, err := to.load(ctx, workspaceOf(ctx), ids, to.columns.Selected(ctx)...)
		found := make(map[string]model.Node, len(rows))
		for _, row := range rows {
			found[*to.idOf(row)] = P(row)
		}
		return found, err
	}
}

// nodeLoaders returns the loaders by the prefix of their ids.
func (r *Resolver) nodeLoaders() map[string]nodeLoader {
	return map[string]nodeLoader{
		model.DocumentPrefix:    loadRows(r.documents()),
		model.TextPrefix:        loadRows(r.versions()),
		model.AutoTagPrefix:     loadRows(r.autoTags()),
		model.AppliedPrefix:     loadRows(r.appliedAutoTags()),
		model.ReviewPrefix:      loadRows(r.autoTagReviews()),
		model.JobPrefix:         loadRows(r.jobs()),
		model.EventPrefix:       loadRows(r.events()),
		model.LinkPrefix:        loadRows(r.links()),
		model.ViewerPrefix:      loadRows(r.linkSessions()),
		model.ConversionPrefix:  loadRows(r.linkConversions()),
		model.SubmissionPrefix:  loadRows(r.linkSubmissions()),
		model.SourcePrefix:      loadRows(r.sources()),
		model.SavedSearchPrefix: loadRows(r.savedSearches()),
		model.HouseRulePrefix:   loadRows(r.houseRules()),
		model.AppVersionPrefix:  loadRows(r.appVersions()),
		model.OperationPrefix:   loadRows(r.registeredOperations()),
		model.WebhookPrefix:     loadRows(r.webhooks()),
		model.DeliveryPrefix:    loadRows(r.deliveries()),
		model.PersonaPrefix:     loadRows(r.personas()),
		model.InteractionPrefix: loadRows(r.interactions()),
		model.DraftPrefix:       loadRows(r.drafts()),
		model.DraftTextPrefix:   loadRows(r.draftVersions()),
		model.StateChangePrefix: loadRows(r.stateChanges()),
		model.CommentPrefix:     loadRows(r.draftComments()),
		model.ReactionPrefix:    loadRows(r.reactions()),
		model.GroupPrefix:       loadRows(r.audienceGroups()),
		model.SummaryPrefix:     loadRows(r.summaries()),
		model.SignalPrefix:      loadRows(r.signals()),
		model.CompanyPrefix:     loadRows(r.companies()),
		model.ExecutivePrefix:   loadRows(r.executives()),
		model.InsightPrefix:     loadRows(r.comparisons()),
		model.UserPrefix:        loadRows(r.users()),
		model.MemberPrefix:      loadRows(r.members()),
		model.InvitePrefix:      forAdmins("invite", loadRows(r.invites())),
		model.KeyPrefix:         forAdmins("key", loadRows(r.keys())),
		model.ReservationPrefix: loadRows(r.runReservations()),
		model.ModelCallPrefix:   loadRows(r.modelCalls()),
		model.AuditPrefix:       forAdmins("audit entry", loadRows(r.auditEntries())),
		model.FilterPrefix:      loadRows(r.filterTags()),
		model.VoicePrefix:       loadRows(r.voices()),
		model.WorkspacePrefix:   r.loadWorkspace,
	}
}

// forAdmins returns a loader that fails with errs.InsufficientScope without the scope admin.
func forAdmins(what string, load nodeLoader) nodeLoader {
	return func(ctx context.Context, ids []string) (map[string]model.Node, error) {
		if !principal.Must(ctx).Allows(model.ScopeAdmin) {
			return nil, errs.New(errs.InsufficientScope, "the fields of a %s need the scope admin", what)
		}
		return load(ctx, ids)
	}
}

// loadWorkspace returns the caller's workspace if it is among the ids.
func (r *Resolver) loadWorkspace(ctx context.Context, ids []string) (map[string]model.Node, error) {
	own := workspaceOf(ctx)
	if !slices.Contains(ids, own) {
		return nil, nil
	}
	workspace, err := r.currentWorkspace(ctx)
	if err != nil {
		return nil, err
	}
	return map[string]model.Node{own: workspace}, nil
}

// findNode returns the object of a typed id; nil if the type is unknown or the workspace has no
// such object.
func (r *Resolver) findNode(ctx context.Context, id string) (model.Node, error) {
	found, err := r.findNodes(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// listNodes returns the objects of typed ids in order; nil where the type is unknown or the
// workspace has no such object. It returns errs.LimitExceeded for more than maxNodes ids.
func (r *Resolver) listNodes(ctx context.Context, ids []string) ([]model.Node, error) {
	if len(ids) > maxNodes {
		return nil, errs.New(errs.LimitExceeded, "nodes takes at most %d ids, not %d", maxNodes, len(ids)).
			With("limit", maxNodes)
	}
	return r.findNodes(ctx, ids)
}

// findNodes returns the objects of typed ids in order, with one statement per stored type.
func (r *Resolver) findNodes(ctx context.Context, ids []string) ([]model.Node, error) {
	byPrefix := map[string][]string{}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		prefix, _, _ := strings.Cut(id, "_")
		byPrefix[prefix] = append(byPrefix[prefix], id)
	}
	found, loaders := map[string]model.Node{}, r.nodeLoaders()
	for prefix, same := range byPrefix {
		if loaders[prefix] == nil {
			continue
		}
		nodes, err := loaders[prefix](ctx, same)
		if err != nil {
			return nil, err
		}
		maps.Copy(found, nodes)
	}
	out := make([]model.Node, len(ids))
	for i, id := range ids {
		out[i] = found[id]
	}
	return out, nil
}

// subjectsOf returns each audit entry's resource; nil if it is gone or no node. A comms filter's
// entry names its auto-tag. Its resource is the filter, or the auto-tag if it is no longer a
// filter.
func (r *Resolver) subjectsOf(ctx context.Context, entries []*model.AuditEntry) ([]model.Node, error) {
	ids := keysOf(entries, func(e *model.AuditEntry) string { return e.SubjectID })
	found, err := r.findNodes(ctx, append(ids, keysOf(entries, filterOf)...))
	if err != nil {
		return nil, err
	}
	subjects, filters := found[:len(entries)], found[len(entries):]
	for i, filter := range filters {
		if filter != nil {
			subjects[i] = filter
		}
	}
	return subjects, nil
}

// filterOf returns the id of the comms filter that an audit entry is about, or an empty id.
func filterOf(entry *model.AuditEntry) string {
	if strings.HasPrefix(entry.Action, "comms_filter.") {
		return model.FilterID(entry.SubjectID)
	}
	return ""
}

// eventSubjects returns the row that each event is about; nil if it is gone or was not stored.
func (r *Resolver) eventSubjects(ctx context.Context, events []*model.Event) ([]model.Node, error) {
	return r.findNodes(ctx, keysOf(events, func(e *model.Event) string { return optional.ValueOr(e.SubjectID, "") }))
}

// actorsOf returns each audit entry's user or key; nil for the operator and if it is gone.
func (r *Resolver) actorsOf(ctx context.Context, entries []*model.AuditEntry) ([]api.Actor, error) {
	nodes, err := r.findNodes(ctx, keysOf(entries,
		func(e *model.AuditEntry) string { return optional.ValueOr(e.ActorID, "") }))
	out := make([]api.Actor, len(nodes))
	for i, node := range nodes {
		if actor, ok := node.(api.Actor); ok {
			out[i] = actor
		}
	}
	return out, err
}

// currentOf returns the current workspace for the row that names it, and nil for the others.
func (r *Resolver) currentOf(ctx context.Context, rows []*model.ViewerWorkspace) ([]*model.Workspace, error) {
	current, err := r.currentWorkspace(ctx)
	out := make([]*model.Workspace, len(rows))
	for i, row := range rows {
		if row.WorkspaceID == workspaceOf(ctx) {
			out[i] = current
		}
	}
	return out, err
}
