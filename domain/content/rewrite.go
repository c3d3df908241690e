package content

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"rostrum/domain/content/style"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

var (
	//go:embed rewrite.tmpl
	rewriteWords  string
	rewritePrompt = llm.MustPrompt("content.rewrite", rewriteWords)

	rewriteSchema = json.RawMessage(`{"type":"object","properties":{"parts":{"type":"array","items":{"type":"object",` +
		`"properties":{"part":{"type":"integer"},"text":{"type":"string"}},"required":["part","text"],"additionalProperties":false}}},` +
		`"required":["parts"],"additionalProperties":false}`)
)

// contextLength is how much of a draft a model sees around the parts that it rewrites, in code points.
const contextLength = 20_000

// wordings is a model's answer to a rewriting task: parts by their numbers from 1.
type wordings struct {
	Parts []wording `json:"parts"`
}

type wording struct {
	Part int    `json:"part"`
	Text string `json:"text"`
}

// RewriteSegments writes parts of a draft anew. It fails naming the parts that the draft does not have or that overlap.
func (s *Service) RewriteSegments(ctx context.Context, in model.RewriteInput, estimate bool) (*model.GeneratedText, error) {
	return s.rewrite(ctx, "rewriteSegments", in, estimate)
}

// RewritePhrases is RewriteSegments for parts within sentences.
func (s *Service) RewritePhrases(ctx context.Context, in model.RewriteInput, estimate bool) (*model.GeneratedText, error) {
	return s.rewrite(ctx, "rewritePhrases", in, estimate)
}

func (s *Service) rewrite(ctx context.Context, operation string, in model.RewriteInput, estimate bool) (*model.GeneratedText, error) {
	if err := checkLength("full_draft", in.FullDraft); err != nil {
		return nil, err
	}
	if len(in.Segments.Value()) > mostPoints {
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", mostPoints), "segments"))
	}
	parts, err := place(in.FullDraft, in.Segments.Value())
	if err != nil {
		return nil, err
	}
	cost := min(len(parts), runs)
	if estimate {
		costs, err := s.estimate(ctx, cost)
		return &model.GeneratedText{Estimate: costs}, err
	}
	out := &model.GeneratedText{Content: in.FullDraft}
	if cost == 0 {
		return out, nil
	}
	err = s.spend(ctx, operation, func(ctx context.Context) (err error) {
		out, err = s.reword(ctx, rewriting{RewriteInput: in, Phrases: operation == "rewritePhrases"}, parts)
		return err
	})
	return out, err
}

// rewriting is what a rewriting prompt is made from.
type rewriting struct {
	model.RewriteInput
	Phrases bool
	Parts   []doubt
}

// doubt is a part to rewrite, and what was wrong with the wording before.
type doubt struct {
	*segment
	Problem string
}

// reword asks for new wordings, once more for those that lose something, and leaves the parts that lose something again as they are. So do
// those of an answer that cannot be read.
func (s *Service) reword(ctx context.Context, r rewriting, parts []*segment) (*model.GeneratedText, error) {
	for _, p := range parts {
		r.Parts = append(r.Parts, doubt{segment: p})
	}
	out := &model.GeneratedText{}
	for range 2 {
		said, answer, err := s.askWordings(ctx, r)
		unread := err != nil && errs.Is(err, errs.ModelFailed) && answer.Text != ""
		if err != nil && !unread {
			return nil, err
		}
		if unread {
			said = r.readPlain(answer.Text)
		}
		out.Model = &answer.Model
		if r.Parts = r.take(said); len(r.Parts) == 0 || unread {
			break
		}
	}
	out.Content = join(r.FullDraft, parts)
	var left []string
	for _, p := range r.Parts {
		left = append(left, fmt.Sprintf("%s stays as it was: a new wording was given up because %s", quote(p.SegmentText), p.Problem))
	}
	if out.Content == r.FullDraft && len(left) == 0 {
		left = []string{"nothing was found that is better said in another way"}
	}
	if len(left) > 0 {
		warning := strings.Join(left, "; ")
		out.Warning = &warning
	}
	return out, nil
}

// readPlain takes an answer without form as the wording of the only part; of several parts it tells nothing.
func (r rewriting) readPlain(answer string) wordings {
	if text := strings.TrimSpace(bare(answer)); len(r.Parts) == 1 && text != "" && !strings.ContainsAny(text[:1], "{[") {
		return wordings{Parts: []wording{{Part: 1, Text: text}}}
	}
	return wordings{}
}

func (s *Service) askWordings(ctx context.Context, r rewriting) (wordings, llm.Answer, error) {
	task, err := r.task()
	if err != nil {
		return wordings{}, llm.Answer{}, err
	}
	return llm.Ask[wordings](ctx, s.models, s.choose(task, r.Model.Value()))
}

func (r rewriting) task() (llm.Task, error) {
	task, err := rewritePrompt.Task(map[string]any{
		"Phrases": r.Phrases, "Parts": r.Parts, "Draft": text.Truncate(r.FullDraft, contextLength),
		"Kind": model.ValueOr(r.ContentTypeLabel.Value(), ""), "Tone": model.ValueOr(r.TonePersonaLabel.Value(), ""), "ToneHelp": model.ValueOr(r.TonePersonaHelper.Value(), ""),
	})
	task.Schema = rewriteSchema
	task.Builtin = func(context.Context) (string, error) {
		var all wordings
		for i, p := range r.Parts {
			all.Parts = append(all.Parts, wording{i + 1, plainly(p.SegmentText, p.Actions.Value())})
		}
		said, err := json.Marshal(all)
		return string(said), err
	}
	return task, err
}

// take keeps the wordings that lose nothing, and gives the parts that still need one.
func (r rewriting) take(said wordings) []doubt {
	given := map[int]string{}
	for _, w := range said.Parts {
		given[w.Part] = w.Text
	}
	var left []doubt
	for i, p := range r.Parts {
		text, ok := given[i+1]
		text = bare(text)
		if !ok {
			left = append(left, doubt{p.segment, "none was given that can be read"})
			continue
		}
		if r.Phrases {
			text = phrase(p.SegmentText, text)
		}
		proof, err := proven(p.SegmentText, text, r.sources(p.segment)...)
		if err != nil {
			left = append(left, doubt{p.segment, err.Error()})
			continue
		}
		p.text = proof
	}
	return left
}

// sources are the texts that a new wording may take facts from.
func (r rewriting) sources(p *segment) []string {
	return append([]string{r.FullDraft, model.ValueOr(p.Summary.Value(), "")}, p.Actions.Value()...)
}

// phrase puts a wording into one line, and takes away a full stop that the old one did not have.
func phrase(old, wording string) string {
	wording = strings.Join(strings.Fields(wording), " ")
	if !strings.HasSuffix(strings.TrimSpace(old), ".") {
		wording = strings.TrimSuffix(wording, ".")
	}
	return wording
}

// plainly is the built-in engine's wording: without the tells of machines, in shorter sentences where that is asked for, and of the
// sentences without facts only the weightier half where something short is asked for.
func plainly(part string, actions []string) string {
	asked := strings.ToLower(strings.Join(actions, " "))
	if anyOf(asked, "short", "concise", "brief", "trim", "condense", "kürz", "court", "breve") {
		part = condensed(part)
	}
	if anyOf(asked, "short", "simpl", "clear", "plain", "split", "einfach", "clair", "claro") {
		part = strings.ReplaceAll(part, "; ", ". ")
		part = capitalised(part)
	}
	return style.Rewrite(part)
}

func anyOf(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
