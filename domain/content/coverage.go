package content

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"rostrum/domain/content/cover"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
)

var (
	//go:embed coverage.tmpl
	coverageWords  string
	coveragePrompt = llm.MustPrompt("content.coverage", coverageWords)

	coverageSchema = json.RawMessage(`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object",` +
		`"properties":{"point":{"type":"integer"},"covered":{"type":"boolean"},"evidence":{"type":"string"}},` +
		`"required":["point","covered","evidence"],"additionalProperties":false}}},"required":["rows"],"additionalProperties":false}`)
)

// verdict is a model's answer to a coverage task.
type verdict struct {
	Rows []judgement `json:"rows"`
}

// judgement is what a model says of one point, by its number from 1.
type judgement struct {
	Point    int    `json:"point"`
	Covered  bool   `json:"covered"`
	Evidence string `json:"evidence"`
}

// Coverage checks which points a text makes. A point counts as covered only with a passage that stands in the text. An answer of the model
// that cannot be read, or leaves points out, gives rows for them that are not covered, and says so; a model that does not answer fails with model_failed or model_timeout.
func (s *Service) Coverage(ctx context.Context, in model.CoverageInput, estimate bool) (*model.CoveragePayload, error) {
	points := in.PullThroughPriorities.Value()
	if len(points) > mostPoints {
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", mostPoints), "pullThroughPriorities"))
	}
	if err := checkLength("content", in.Content); err != nil {
		return nil, err
	}
	cost := runs
	if len(points) == 0 {
		cost = 0
	}
	if estimate {
		costs, err := s.estimate(ctx, cost)
		return &model.CoveragePayload{Estimate: costs}, err
	}
	readable := false
	out := &model.CoveragePayload{Coverage: []*model.CoverageRow{}, ParseError: &readable}
	if cost == 0 {
		return out, nil
	}
	err := s.spend(ctx, "coverage", func(ctx context.Context) (err error) {
		out, err = s.cover(ctx, in.Content, points, in.Model.Value())
		return err
	})
	return out, err
}

func (s *Service) cover(ctx context.Context, content string, points []*model.PullThroughPriorityInput, chosen *string) (*model.CoveragePayload, error) {
	task, err := coverageTask(content, points)
	if err != nil {
		return nil, err
	}
	said, answer, err := llm.Ask[verdict](ctx, s.models, s.choose(task, chosen))
	unread := err != nil && errs.Is(err, errs.ModelFailed) && answer.Text != ""
	if err != nil && !unread {
		return nil, err
	}
	out := &model.CoveragePayload{Model: &answer.Model, ParseError: &unread}
	text := cover.Read(content)
	for i, p := range points {
		row := &model.CoverageRow{Text: p.Text, Level: levelOf(p.Level.Value())}
		if judged, ok := said.of(i + 1); ok {
			fill(row, judged, content, text)
		} else {
			unread = true
		}
		out.Coverage = append(out.Coverage, row)
	}
	return out, nil
}

func coverageTask(content string, points []*model.PullThroughPriorityInput) (llm.Task, error) {
	task, err := coveragePrompt.Task(map[string]any{"Content": content, "Points": points})
	task.Schema, task.MaxTokens = coverageSchema, 300+200*len(points)
	task.Builtin = func(ctx context.Context) (string, error) {
		text := cover.Read(content)
		var all verdict
		for i, p := range points {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			found := text.Find(p.Text)
			all.Rows = append(all.Rows, judgement{i + 1, found.Covered, found.Evidence.Text})
		}
		said, err := json.Marshal(all)
		return string(said), err
	}
	return task, err
}

// of is what was said of a point, if anything was.
func (v verdict) of(point int) (judgement, bool) {
	for _, j := range v.Rows {
		if j.Point == point {
			return j, true
		}
	}
	return judgement{}, false
}

// fill says where the passage stands that a point is covered by. One that does not stand in the text proves nothing: the point is then looked
// for by its words.
func fill(row *model.CoverageRow, said judgement, content string, text *cover.Text) {
	if !said.Covered {
		return
	}
	span, ok := locate(content, said.Evidence)
	if !ok {
		found := text.Find(row.Text)
		span, ok = found.Evidence, found.Covered
	}
	if ok {
		row.Covered, row.Evidence, row.Start, row.End = true, span.Text, &span.Start, &span.End
	}
}
