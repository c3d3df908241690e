package persona

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/uptrace/bun"
	"golang.org/x/text/language/display"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Ask asks a persona and returns its reply. It stores the interaction unless the persona is an
// override. It fails with not_found, validation_failed, ambiguous_name, budget_exhausted,
// model_failed and model_timeout. A failed call stores and charges nothing.
func (s *Service) Ask(ctx context.Context, in api.AskPersonaInput) (*model.AskPersonaPayload, error) {
	p := principal.Must(ctx)
	x, err := s.resolveRequest(ctx, p.WorkspaceID, newInteractRequest(in))
	if err != nil {
		return nil, err
	}
	var out *model.AskPersonaPayload
	err = s.accounts.Spend(ctx, p.WorkspaceID, fieldInteract, runCost, func(ctx context.Context) (FinishFunc, error) {
		answer, err := s.writeReply(ctx, p.WorkspaceID, x, s.askWithin(callLimit))
		if err != nil {
			return nil, err
		}
		out = x.toPayload(answer)
		return func(ctx context.Context, tx dbx.Tx) error {
			return s.insertInteraction(ctx, tx, x.toInteraction(p, answer))
		}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("interact: %w", err)
	}
	return out, nil
}

// EstimateAsk returns the cost of Ask, and its errors for an invalid request.
func (s *Service) EstimateAsk(ctx context.Context, in api.AskPersonaInput) (*model.Estimate, error) {
	if _, err := s.resolveRequest(ctx, principal.Must(ctx).WorkspaceID, newInteractRequest(in)); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

// StartInteraction queues a job with the same result as Ask. It returns validation errors at once.
func (s *Service) StartInteraction(ctx context.Context, in api.AskPersonaInput) (*model.StartedJob, error) {
	p := principal.Must(ctx)
	q := newInteractRequest(in)
	if _, err := s.resolveRequest(ctx, p.WorkspaceID, q); err != nil {
		return nil, err
	}
	return s.startJob(ctx, fieldInteract, q.Model, job.Request{Type: JobInteract,
		DocumentID: optional.ValueOr(q.DocumentID, ""), Parameters: q})
}

// InteractStream is Ask with the reply sent in pieces. The last event is done or failed. If the
// caller disconnects earlier, the model is stopped and nothing is stored or charged. It returns
// errors of the reservation before the first event.
func (s *Service) InteractStream(ctx context.Context, in api.AskPersonaInput) (<-chan *api.InteractEvent, error) {
	p := principal.Must(ctx)
	x, err := s.resolveRequest(ctx, p.WorkspaceID, newInteractRequest(in))
	if err != nil {
		return nil, err
	}
	begun := make(chan error, 1)
	events := make(chan *api.InteractEvent)
	go func() {
		defer close(events)
		s.streamReply(ctx, p, x, events, begun)
	}()
	select {
	case err := <-begun:
		return events, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// streamReply sends the result of the reservation to begun and then the events.
func (s *Service) streamReply(ctx context.Context, p principal.Principal, x *replyTask,
	events chan<- *api.InteractEvent, begun chan<- error) {
	send := func(event *api.InteractEvent) error {
		select {
		case events <- event:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	piecewise := func(ctx context.Context, task llm.Task) (llm.Answer, error) {
		return llm.Within(ctx, streamLimit, func(ctx context.Context) (llm.Answer, error) {
			return s.engine.Stream(ctx, task, func(delta string) error {
				return send(&api.InteractEvent{Kind: model.InteractEventKindDelta, Delta: &delta})
			})
		})
	}
	started := false
	var out *model.AskPersonaPayload
	err := recoverPanic(ctx, func() error {
		return s.accounts.Spend(ctx, p.WorkspaceID, fieldInteract, runCost,
			func(ctx context.Context) (FinishFunc, error) {
				started = true
				begun <- nil
				answer, err := s.writeReply(ctx, p.WorkspaceID, x, piecewise)
				if err != nil {
					return nil, err
				}
				out = x.toPayload(answer)
				return func(ctx context.Context, tx dbx.Tx) error {
					return s.insertInteraction(ctx, tx, x.toInteraction(p, answer))
				}, nil
			})
	})
	last := &api.InteractEvent{Kind: model.InteractEventKindDone, Interaction: out}
	switch {
	case !started:
		begun <- err
		return
	case err != nil:
		public := errs.From(err)
		failure := &api.InteractFailure{Code: string(public.Code), Message: public.Message}
		last = &api.InteractEvent{Kind: model.InteractEventKindFailed, Failure: failure}
	}
	_ = send(last) // a disconnected caller needs no last event
}

// recoverPanic returns a panic of work as an error. Otherwise it would end the process, because
// work runs in a goroutine.
func recoverPanic(ctx context.Context, work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			slog.ErrorContext(ctx, "writing a reply panicked", "panic", cause, "stack", string(debug.Stack()))
			err = errs.Wrap(fmt.Errorf("panic: %v", cause), errs.Internal, "something went wrong on our side")
		}
	}()
	return work()
}

// writeReply gathers the context and asks the model.
func (s *Service) writeReply(ctx context.Context, workspaceID string, x *replyTask, ask askFunc) (llm.Answer, error) {
	if err := s.gatherContext(ctx, workspaceID, x); err != nil {
		return llm.Answer{}, err
	}
	task, err := interactTask(x)
	if err != nil {
		return llm.Answer{}, err
	}
	answer, err := ask(ctx, task)
	if answer.Warning != "" {
		x.addWarning(answer.Warning)
	}
	if x.WebSearch && !answer.Searched {
		x.addWarning("ground_with_web_search: the text model in use offers no web search; it answered without one")
	}
	return answer, err
}

// toPayload returns the answer as the payload of Interact.
func (x *replyTask) toPayload(answer llm.Answer) *model.AskPersonaPayload {
	out := &model.AskPersonaPayload{
		PersonaID: x.Persona.ID, OutputContent: answer.Text, PersonaResponse: answer.Text, Response: answer.Text,
		Message: "Persona interaction completed", PersonaIDResolvedFrom: x.resolvedFrom,
		ResponseLanguage:         x.Language.String(),
		GroundedContextSelection: x.selection, GroundedContextSuggestion: x.suggestion, FollowUpQuestions: []string{},
		SessionID: x.session, Model: answer.Model, Truncated: answer.Truncated, Warning: joinWarnings(x.warnings),
		SourceDocumentIDs: x.sourceIDs(),
	}
	if x.Override == nil {
		out.InteractionID = &x.InteractionID
	}
	if x.target != nil {
		tag, name := x.target.String(), display.English.Tags().Name(*x.target)
		out.TranslationTargetLanguage, out.TranslationTargetLanguageName = &tag, &name
	}
	if x.FollowUps {
		out.FollowUpQuestions = parseQuestions(answer.Text)
	}
	return out
}

// joinWarnings returns the warnings as one sentence, or nil if there are none.
func joinWarnings(warnings []string) *string {
	if len(warnings) == 0 {
		return nil
	}
	return new(strings.Join(warnings, "; "))
}

// followUps is the heading of the questions at the end of a reply.
const followUps = "Follow-up questions:"

// parseQuestions returns the questions at the end of a reply.
func parseQuestions(reply string) []string {
	questions := []string{}
	_, list, _ := strings.Cut(reply, followUps)
	for line := range strings.Lines(list) {
		if question := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-*•0123456789. ")); question != "" {
			questions = append(questions, question)
		}
	}
	return questions
}

// toInteraction returns the row to store, or nil with an override.
func (x *replyTask) toInteraction(p principal.Principal, answer llm.Answer) *model.PersonaInteraction {
	if x.Override != nil {
		return nil
	}
	return &model.PersonaInteraction{
		ID: x.InteractionID, WorkspaceID: p.WorkspaceID, PersonaID: x.Persona.ID, SessionID: x.session,
		InteractionType: x.Type,
		InteractionName: x.InteractionName, InputContent: x.InputContent, OutputContent: answer.Text,
		DocumentID:        x.DocumentID,
		SourceDocumentIDs: x.sourceIDs(), ResponseLanguage: x.Language.String(), Model: answer.Model,
		Truncated: answer.Truncated, CreatedBy: p.Actor(), CreatedAt: model.Now(),
	}
}

// Interactions returns one page of a persona's interactions, newest first, or nil for an unknown
// persona.
func (s *Service) Interactions(
	ctx context.Context, personaID string, sessionID *string, args model.PageArgs,
) (*model.PersonaInteractionConnection, error) {
	p := principal.Must(ctx)
	if _, err := s.byID(ctx, p.WorkspaceID, personaID, []string{"id"}); errs.Is(err, errs.NotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	page, err := dbx.List[model.PersonaInteraction]{
		Order: newestFirst,
		Key:   func(row *model.PersonaInteraction) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return dbx.Equal(q.Where("workspace_id = ? AND persona_id = ?", p.WorkspaceID, personaID), "session_id",
				sessionID)
		},
	}.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}
