package event

import (
	"context"
	"encoding/json"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/eventdata"
)

// RecordBudget adds budget.reached to the workspace's feed, as the transaction's last work. percent
// is the share of the run budget that is used up now: 50, 80 or 100.
func (s *Service) RecordBudget(tx dbx.Tx, w *model.Workspace, percent int) {
	b := w.RunBudget()
	data, _ := json.Marshal(eventdata.BudgetReached{Budget: eventdata.Budget{ //nolint:errchkjson // texts and numbers
		Percent: percent, Used: b.Used, Limit: b.Limit, ResetsAt: b.ResetsAt, URL: s.publicURL + "/console/settings"}})
	s.addChange(tx, &model.Event{WorkspaceID: w.ID, Event: model.EventBudgetReached, SubjectID: &w.ID, Data: data})
}

// RecordReactions adds reactions.completed to the job's workspace's feed, as RecordBudget does. The
// figures are in done. doc is the document that was read, or nil for the job's draft. Webhooks
// receive it unless the document is not public.
func (s *Service) RecordReactions(tx dbx.Tx, of *model.Job, doc *model.Document, done eventdata.ReactionsCompleted) {
	e := &model.Event{WorkspaceID: of.WorkspaceID, Event: model.EventReactionsCompleted}
	if doc == nil {
		e.SubjectID = of.DraftID
		done.Draft = &eventdata.Reference{ID: *of.DraftID, URL: s.publicURL + "/console/drafts/" + *of.DraftID}
	} else {
		told, isPublic := s.describe(doc)
		e.SubjectID, done.Document, e.IsUnsent = &doc.ID, &told, !isPublic
	}
	e.Data, _ = json.Marshal(done) //nolint:errchkjson // texts and numbers
	s.addChange(tx, e)
}

// AppendWebhookState appends webhook.paused or webhook.resumed to the workspace's feed, which it
// locks at once. Lock the webhook's row after it, as deliveries of new events do.
func (s *Service) AppendWebhookState(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	name := model.EventWebhookResumed
	data := eventdata.Webhook{Webhook: eventdata.Reference{ID: w.ID, URL: s.publicURL + "/console/webhooks/" + w.ID}}
	if !w.IsActive {
		name, data.Reason = model.EventWebhookPaused, (*string)(w.PausedReason)
	}
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return s.Append(ctx, tx, []*model.Event{{WorkspaceID: w.WorkspaceID, Event: name, SubjectID: &w.ID, Data: text}})
}
