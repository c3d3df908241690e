package persona

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"golang.org/x/text/language/display"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
)

// Interact asks a persona and waits for its reply, which is kept unless the persona is an override. An estimate asks nobody and answers what
// the rest would cost. It fails with ambiguous_name, budget_exhausted, model_failed and model_timeout, and then nothing is kept or charged.
func (s *Service) Interact(ctx context.Context, in model.InteractInput, estimate bool) (*model.InteractPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	x, err := s.resolve(ctx, p.WorkspaceID, questionOf(in))
	if err != nil {
		return nil, err
	}
	if estimate {
		costs, err := s.estimate(ctx, p)
		return &model.InteractPayload{Estimate: costs}, err
	}
	var out *model.InteractPayload
	err = s.accounts.Spend(ctx, p.WorkspaceID, opInteract, oneRun, func(ctx context.Context) (Finish, error) {
		answer, err := s.answer(ctx, p.WorkspaceID, x, s.asking(callTime))
		if err != nil {
			return nil, err
		}
		out = x.payload(answer)
		return func(ctx context.Context, tx dbx.Tx) error { return keep(ctx, tx, x.interaction(p, answer)) }, nil
	})
	if err != nil {
		return nil, fmt.Errorf("interact: %w", err)
	}
	return out, nil
}

// InteractAsync is Interact by a job: what can be refused at once is, and the job's result is the same answer.
func (s *Service) InteractAsync(ctx context.Context, in model.InteractInput, estimate bool) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	q := questionOf(in)
	if _, err := s.resolve(ctx, p.WorkspaceID, q); err != nil {
		return nil, err
	}
	return s.enqueue(ctx, p, JobInteract, opInteract, model.ValueOr(q.DocumentID, ""), q, estimate)
}

// InteractStream is Interact that gives the reply as it is written. The last event is done or failed; when the caller leaves before it, the
// model is stopped and nothing is kept or charged.
func (s *Service) InteractStream(ctx context.Context, in model.InteractInput) (<-chan *model.InteractEvent, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	x, err := s.resolve(ctx, p.WorkspaceID, questionOf(in))
	if err != nil {
		return nil, err
	}
	begun := make(chan error, 1)
	events := make(chan *model.InteractEvent)
	go func() {
		defer close(events)
		s.stream(ctx, p, x, events, begun)
	}()
	select {
	case err := <-begun:
		return events, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// stream tells begun whether the run could be reserved, and then sends what happens.
func (s *Service) stream(ctx context.Context, p model.Principal, x *exchange, events chan<- *model.InteractEvent, begun chan<- error) {
	send := func(event *model.InteractEvent) error {
		select {
		case events <- event:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	piecewise := func(ctx context.Context, task llm.Task) (llm.Answer, error) {
		return llm.Within(ctx, streamTime, func(ctx context.Context) (llm.Answer, error) {
			return s.engine.Stream(ctx, task, func(delta string) error {
				return send(&model.InteractEvent{Kind: model.InteractEventKindDelta, Delta: &delta})
			})
		})
	}
	started := false
	var out *model.InteractPayload
	err := guarded(ctx, func() error {
		return s.accounts.Spend(ctx, p.WorkspaceID, opInteract, oneRun, func(ctx context.Context) (Finish, error) {
			started = true
			begun <- nil
			answer, err := s.answer(ctx, p.WorkspaceID, x, piecewise)
			if err != nil {
				return nil, err
			}
			out = x.payload(answer)
			return func(ctx context.Context, tx dbx.Tx) error { return keep(ctx, tx, x.interaction(p, answer)) }, nil
		})
	})
	last := &model.InteractEvent{Kind: model.InteractEventKindDone, Interaction: out}
	switch {
	case !started:
		begun <- err
		return
	case err != nil:
		shown := errs.From(err)
		failure := &model.InteractFailure{Code: string(shown.Code), Message: shown.Message}
		last = &model.InteractEvent{Kind: model.InteractEventKindFailed, Failure: failure}
	}
	_ = send(last) // who has gone needs no end
}

// guarded makes a panic an error: nobody above a goroutine catches one.
func guarded(ctx context.Context, work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			slog.ErrorContext(ctx, "a reply panicked", "panic", cause, "stack", string(debug.Stack()))
			err = errs.Wrap(fmt.Errorf("panic: %v", cause), errs.Internal, "something went wrong on our side")
		}
	}()
	return work()
}

// answer gathers the context and asks the model.
func (s *Service) answer(ctx context.Context, workspaceID string, x *exchange, ask asker) (llm.Answer, error) {
	if err := s.ground(ctx, workspaceID, x); err != nil {
		return llm.Answer{}, err
	}
	task, err := interactTask(x)
	if err != nil {
		return llm.Answer{}, err
	}
	answer, err := ask(ctx, task)
	if x.WebSearch && !answer.Searched {
		x.warn("ground_with_web_search: the text model in use offers no web search; it answered without one")
	}
	return answer, err
}

// payload is the answer as callers get it.
func (x *exchange) payload(answer llm.Answer) *model.InteractPayload {
	out := &model.InteractPayload{
		PersonaID: x.Persona.ID, OutputContent: answer.Text, PersonaResponse: answer.Text, Response: answer.Text,
		Message: "Persona interaction completed", PersonaIDResolvedFrom: x.resolvedFrom, ResponseLanguage: x.Language.String(),
		GroundedContextSelection: x.selection, GroundedContextSuggestion: x.suggestion, FollowUpQuestions: []string{},
		SessionID: x.session, Model: answer.Model, Truncated: answer.Truncated, Warning: sentenceOf(x.warnings),
	}
	if x.Override == nil {
		out.InteractionID = &x.InteractionID
	}
	if x.target != nil {
		tag, name := x.target.String(), display.English.Tags().Name(*x.target)
		out.TranslationTargetLanguage, out.TranslationTargetLanguageName = &tag, &name
	}
	if x.FollowUps {
		out.FollowUpQuestions = questionsIn(answer.Text)
	}
	return out
}

// sentenceOf joins warnings; nil when there is none.
func sentenceOf(warnings []string) *string {
	if len(warnings) == 0 {
		return nil
	}
	return new(strings.Join(warnings, "; "))
}

// followUps is the line behind which a reply asks its questions.
const followUps = "Follow-up questions:"

// questionsIn reads the questions at a reply's end.
func questionsIn(reply string) []string {
	questions := []string{}
	_, list, _ := strings.Cut(reply, followUps)
	for line := range strings.Lines(list) {
		if question := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-*•0123456789. ")); question != "" {
			questions = append(questions, question)
		}
	}
	return questions
}

// interaction is what is kept; nil with an override.
func (x *exchange) interaction(p model.Principal, answer llm.Answer) *model.PersonaInteraction {
	if x.Override != nil {
		return nil
	}
	return &model.PersonaInteraction{
		ID: x.InteractionID, WorkspaceID: p.WorkspaceID, PersonaID: x.Persona.ID, SessionID: x.session, InteractionType: x.Type,
		InteractionName: x.InteractionName, InputContent: x.InputContent, OutputContent: answer.Text, DocumentID: x.DocumentID,
		ResponseLanguage: x.Language.String(), Model: answer.Model, Truncated: answer.Truncated, CreatedBy: p.Actor(), CreatedAt: model.Now(),
	}
}

// Interactions reads one page of what a persona was asked, newest first; nil when the workspace has no such persona.
func (s *Service) Interactions(
	ctx context.Context, personaID string, sessionID *string, args model.PageArgs,
) (*model.PersonaInteractionConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.byID(ctx, p.WorkspaceID, personaID, []string{"id"}); errs.Is(err, errs.NotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, newest)
	if err != nil {
		return nil, err
	}
	rows, err := s.interactions(ctx, p.WorkspaceID, personaID, sessionID, window)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(row *model.PersonaInteraction) (any, string) { return row.CreatedAt, row.ID })
	page.Count = func(ctx context.Context) (int, error) {
		return s.countInteractions(ctx, p.WorkspaceID, personaID, sessionID)
	}
	return &model.PersonaInteractionConnection{Connection: page}, nil
}
