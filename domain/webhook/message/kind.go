package message

import (
	"fmt"
	"strconv"

	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/model/eventviewer"
)

// Kind says what webhooks send for one kind of events.
type Kind struct {
	Event model.EventType
	// Summary and When describe it in the OpenAPI document.
	Summary, When string
	// Body is an empty value of the viewer of an event of a link, or else of the event's data.
	Body any
	// headline is the first line of its chat message.
	headline string
	// decode returns the viewer or the data of an event, and what a chat message says of it.
	decode func(e *model.Event) (any, chatContent, error)
}

// newKind describes a kind of events whose body is a T. chat returns what a message says of it.
func newKind[T any](event model.EventType, headline, summary, when string,
	chat func(e *model.Event, body *T) chatContent) Kind {
	return Kind{Event: event, Summary: summary, When: when, Body: *new(T), headline: headline,
		decode: func(e *model.Event) (any, chatContent, error) {
			body := new(T)
			if err := decodeBody(e, body); err != nil {
				return nil, chatContent{}, err
			}
			content := chat(e, body)
			content.headline = headline
			return body, content, nil
		}}
}

// Kinds has all kinds of events that webhooks receive, in the order of model.EventTypes.
var Kinds = []Kind{
	newKind(model.EventTypeLinkOpened, "Link opened", "A person opened a link",
		"Sent once for each new viewer session of redirects, files and hosted pages; bots are not counted.",
		func(e *model.Event, v *eventviewer.Opened) chatContent { return linkContent(e, openedFields(v)) }),
	newKind(model.EventTypeConversion, "Conversion", "A conversion on a link",
		"A click on a call to action, a scroll depth or a conversion of the page; each once per session.",
		func(e *model.Event, v *eventviewer.Conversion) chatContent {
			return linkContent(e, conversionFields(v))
		}),
	newKind(model.EventTypeFormSubmitted, "Form submitted", "A form was submitted",
		"Sent when the form of a hosted page was submitted.",
		func(e *model.Event, v *eventviewer.Form) chatContent { return linkContent(e, formFields(v)) }),
	newKind(model.EventTypeSearchMatched, "New hit of a saved search", "A document came to match a saved search",
		"Sent once for each search and document that is public then: when the document is complete, or when a change lets it match.",
		matchContent),
	newKind(model.EventTypeDocumentReady, "Document ready", "A document's text is complete",
		"Sent when a public document was ingested, or was created with its text; again when it is ingested anew.",
		func(_ *model.Event, data *eventdata.DocumentReady) chatContent { return documentContent(data.Document) }),
	newKind(model.EventTypeDocumentFailed, "Document failed", "A document could not be ingested",
		"Sent when the ingestion of a public document failed and is not tried again by itself.",
		func(_ *model.Event, data *eventdata.DocumentFailed) chatContent {
			return documentContent(data.Document, chatField{"Reason", data.Reason.Message})
		}),
	newKind(model.EventTypeJobFailed, "Job failed", "A job failed",
		"Sent when a job failed and is not tried again by itself. Jobs that were cancelled are not sent.",
		func(_ *model.Event, data *eventdata.JobFailed) chatContent {
			return chatContent{title: "A job failed", footer: data.Job.URL,
				fields: []chatField{{"Job", data.Job.Type}, {"Error", data.Job.ErrorCode}}}
		}),
	newKind(model.EventTypeDraftReviewRequested, "Review requested", "A review of a draft was asked for",
		"Sent when a version of a draft is given to a reviewer.", draftContent("A draft waits for its review")),
	newKind(model.EventTypeDraftApproved, "Draft approved", "A draft was approved",
		"Sent when a reviewer approves a draft.", draftContent("A draft was approved")),
	newKind(model.EventTypeDraftReturned, "Draft returned", "A draft was returned by a reviewer",
		"Sent when a reviewer returns a draft.", draftContent("A draft was returned for changes")),
	newKind(model.EventTypeDraftReopened, "Draft reopened", "The text of a draft changed after its review",
		"Sent when a draft's text changes during its review or after its approval.",
		draftContent("A draft changed since its review")),
	newKind(model.EventTypeDraftPublished, "Draft published", "A draft was published",
		"Sent when an approved version of a draft becomes a hosted page, or replaces the page's text.",
		draftContent("A draft was published")),
	newKind(model.EventTypeDraftWithdrawn, "Draft withdrawn", "The page of a draft was withdrawn",
		"Sent when the hosted page of a draft is withdrawn.", draftContent("A published draft was withdrawn")),
	newKind(model.EventTypeDraftCommented, "Comment on a draft", "Somebody commented on a draft",
		"Sent for each comment on a draft and for each reply.", commentContent("Somebody commented on a draft")),
	newKind(model.EventTypeDraftCommentResolved, "Comment resolved", "A comment on a draft was resolved",
		"Sent when somebody resolves a comment on a draft.", commentContent("A comment on a draft was resolved")),
	newKind(model.EventTypeSourceFailing, "Source failing", "A source cannot be read",
		"Sent when three polls of a feed or sitemap in a row failed, or its address is gone.",
		sourceContent("A source cannot be read")),
	newKind(model.EventTypeSourceRecovered, "Source recovered", "A source was read again",
		"Sent when a feed or sitemap that was failing was read again.", sourceContent("A source was read again")),
	newKind(model.EventTypeWebhookPaused, "Webhook paused", "A webhook was paused",
		"Sent to the other webhooks when one was paused: by failures, because its receiver answered with 410 Gone, or by a member.",
		webhookContent("A webhook was paused")),
	newKind(model.EventTypeWebhookResumed, "Webhook resumed", "A webhook was resumed",
		"Sent when a paused webhook was resumed by a member, or because its receiver answers again.",
		webhookContent("A webhook was resumed")),
	newKind(model.EventTypeBudgetReached, "Budget reached", "A share of the run budget is used up",
		"Sent once in a budget period when 50, 80 and 100 percent of the runs are spent or reserved.", budgetContent),
	newKind(model.EventTypeReactionsCompleted, "Reactions completed", "Personas have read a text",
		"Sent when a job ends in which personas read a public document, or a draft.", reactionsContent),
	newKind(model.EventTypeSummaryStale, "Summary stale", "A summary of an audience is out of date",
		"Sent when new reactions or ratings are not in a summary; once until it is generated anew.",
		func(_ *model.Event, data *eventdata.SummaryStale) chatContent {
			return chatContent{title: "A summary of an audience is out of date", footer: data.Summary.URL}
		}),
}

// kindOf returns the kind of an event, or nil for one that webhooks do not receive.
func kindOf(event string) *Kind {
	for i := range Kinds {
		if string(Kinds[i].Event) == event {
			return &Kinds[i]
		}
	}
	return nil
}

// matchContent is what a message says of a hit.
func matchContent(_ *model.Event, match *eventdata.SearchMatched) chatContent {
	return documentContent(match.Document, chatField{"Search", firstNonEmpty(match.Search.Name, "unnamed")})
}

// documentContent is what a message says of a document.
func documentContent(doc eventdata.Document, fields ...chatField) chatContent {
	title, source := "", ""
	if doc.Title != nil {
		title = *doc.Title
	}
	if doc.SourceURL != nil {
		source = *doc.SourceURL
	}
	return chatContent{
		title: firstNonEmpty(title, "untitled document"), footer: doc.URL,
		fields: append(fields, chatField{"Source", firstNonEmpty(source, "a text or a file")}),
	}
}

// draftContent returns what a message says of a draft.
func draftContent(sentence string) func(*model.Event, *eventdata.Draft) chatContent {
	return func(_ *model.Event, data *eventdata.Draft) chatContent {
		return chatContent{title: sentence, footer: data.Draft.URL}
	}
}

// commentContent returns what a message says of a comment on a draft.
func commentContent(sentence string) func(*model.Event, *eventdata.DraftComment) chatContent {
	return func(_ *model.Event, data *eventdata.DraftComment) chatContent {
		return chatContent{title: sentence, footer: data.Comment.URL}
	}
}

// webhookContent returns what a message says of a webhook.
func webhookContent(sentence string) func(*model.Event, *eventdata.Webhook) chatContent {
	return func(_ *model.Event, data *eventdata.Webhook) chatContent {
		content := chatContent{title: sentence, footer: data.Webhook.URL}
		if data.Reason != nil {
			content.fields = []chatField{{"Reason", *data.Reason}}
		}
		return content
	}
}

// budgetContent is what a message says of a run budget.
func budgetContent(_ *model.Event, data *eventdata.BudgetReached) chatContent {
	b := data.Budget
	return chatContent{title: fmt.Sprintf("%d %% of the run budget is used up", b.Percent), footer: b.URL,
		fields: []chatField{{"Runs", fmt.Sprintf("%d of %d", b.Used, b.Limit)}}}
}

// reactionsContent is what a message says of personas that have read a text.
func reactionsContent(_ *model.Event, data *eventdata.ReactionsCompleted) chatContent {
	fields := []chatField{{"Personas", strconv.Itoa(data.Personas)}, {"Failed", strconv.Itoa(data.Failed)}}
	if data.Document != nil {
		return documentContent(*data.Document, fields...)
	}
	content := chatContent{title: "Personas have read a draft", fields: fields}
	if data.Draft != nil {
		content.footer = data.Draft.URL
	}
	return content
}

// sourceContent returns what a message says of a source.
func sourceContent(sentence string) func(*model.Event, *eventdata.Source) chatContent {
	return func(_ *model.Event, data *eventdata.Source) chatContent {
		return chatContent{title: sentence, footer: data.Source.URL}
	}
}
