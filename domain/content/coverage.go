package content

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"rostrum/api"
	"rostrum/domain/content/cover"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

var (
	//go:embed coverage.tmpl
	coverageText   string
	coveragePrompt = llm.MustPrompt("content.coverage", coverageText)

	coverageSchema = json.RawMessage(`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object",` +
		`"properties":{"point":{"type":"integer"},"covered":{"type":"boolean"},"evidence":{"type":"string"}},` +
		`"required":["point","covered","evidence"],"additionalProperties":false}}},"required":["rows"],"additionalProperties":false}`)
)

// coverageAnswer is the answer of a model to the coverage prompt.
type coverageAnswer struct {
	Rows []pointVerdict `json:"rows"`
}

// pointVerdict is the verdict of a model on one point, numbered from 1.
type pointVerdict struct {
	Point    int    `json:"point"`
	Covered  bool   `json:"covered"`
	Evidence string `json:"evidence"`
}

// CheckCoverage checks which points a text makes; without points it costs nothing. A point is covered only with a passage found in the text.
// If the model's answer cannot be parsed or omits points, their rows are not covered and parse_error is true. It fails with
// validation_failed, too_large, budget_exhausted, model_failed and model_timeout.
func (s *Service) CheckCoverage(ctx context.Context, in api.CheckCoverageInput) (*api.CheckCoveragePayload, error) {
	cost, err := coverageCost(in)
	if err != nil {
		return nil, err
	}
	readable := false
	out := &api.CheckCoveragePayload{Coverage: []*api.CoverageRow{}, ParseError: &readable}
	if cost == 0 {
		return out, nil
	}
	err = s.spendRun(ctx, "coverage", func(ctx context.Context) (err error) {
		out, err = s.judgeCoverage(ctx, in.Content, in.PullThroughPriorities.Value(), in.Model.Value())
		return err
	})
	return out, err
}

// EstimateCoverage returns the cost of CheckCoverage, and its errors for an invalid text.
func (s *Service) EstimateCoverage(ctx context.Context, in api.CheckCoverageInput) (*model.Estimate, error) {
	cost, err := coverageCost(in)
	if err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, cost)
}

// coverageCost returns the runs of a check. It returns errs.TooLarge or errs.ValidationFailed.
func coverageCost(in api.CheckCoverageInput) (int, error) {
	points := in.PullThroughPriorities.Value()
	if len(points) > maxPoints {
		return 0, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", maxPoints), "pullThroughPriorities"))
	}
	if err := checkLength("content", in.Content); err != nil {
		return 0, err
	}
	return min(len(points), runCost), nil
}

// JudgeCoverage is CheckCoverage for callers with their own reservation of runs. It returns the same errors.
func (s *Service) JudgeCoverage(ctx context.Context, content string, points []*api.PullThroughPriorityInput) (*api.CheckCoveragePayload, error) {
	if len(points) > maxPoints {
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", maxPoints), "pullThroughPriorities"))
	}
	return s.judgeCoverage(ctx, content, points, nil)
}

func (s *Service) judgeCoverage(ctx context.Context, content string, points []*api.PullThroughPriorityInput, modelName *string) (*api.CheckCoveragePayload, error) {
	task, err := coverageTask(content, points)
	if err != nil {
		return nil, err
	}
	parsed, answer, err := llm.Ask[coverageAnswer](ctx, s.models, s.setModel(task, modelName))
	unread := err != nil && errs.Is(err, errs.ModelFailed) && answer.Text != ""
	if err != nil && !unread {
		return nil, err
	}
	out := &api.CheckCoveragePayload{Model: &answer.Model, ParseError: &unread}
	read := cover.Read(content)
	for i, p := range points {
		row := &api.CoverageRow{Text: p.Text, Level: levelOf(p.Level.Value())}
		if judged, ok := parsed.forPoint(i + 1); ok {
			setEvidence(row, judged, content, read)
		} else {
			unread = true
		}
		out.Coverage = append(out.Coverage, row)
	}
	return out, nil
}

func coverageTask(content string, points []*api.PullThroughPriorityInput) (llm.Task, error) {
	task, err := coveragePrompt.Task(map[string]any{"Content": content, "Points": points})
	task.Schema, task.MaxTokens = coverageSchema, 300+200*len(points)
	task.Builtin = func(ctx context.Context) (string, error) {
		read := cover.Read(content)
		var all coverageAnswer
		for i, p := range points {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			found := read.Find(p.Text)
			all.Rows = append(all.Rows, pointVerdict{i + 1, found.Covered, found.Evidence.Text})
		}
		encoded, err := json.Marshal(all)
		return string(encoded), err
	}
	return task, err
}

// forPoint returns the verdict on a point and whether there is one.
func (v coverageAnswer) forPoint(point int) (pointVerdict, bool) {
	for _, j := range v.Rows {
		if j.Point == point {
			return j, true
		}
	}
	return pointVerdict{}, false
}

// setEvidence sets the evidence of a covered point. If the model's passage is not found in the text, the point is searched by its words.
func setEvidence(row *api.CoverageRow, verdict pointVerdict, content string, read *cover.Text) {
	if !verdict.Covered {
		return
	}
	span, ok := text.Locate(content, verdict.Evidence)
	if !ok {
		found := read.Find(row.Text)
		span, ok = found.Evidence, found.Covered
	}
	if ok {
		row.Covered, row.Evidence, row.Start, row.End = true, span.Text, &span.Start, &span.End
	}
}
