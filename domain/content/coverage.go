package content

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/command"
	"rostrum/llm/text/proof"
	"rostrum/model"
)

var (
	//go:embed coverage.tmpl
	coverageText   string
	coveragePrompt = llm.MustPrompt("content.coverage", coverageText)

	coverageSchema = json.RawMessage(`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object",` +
		`"properties":{"point":{"type":"integer"},"verdict":{"enum":["covered","partly","contradicted","absent"]},"evidence":{"type":"string"}},` +
		`"required":["point","verdict","evidence"],"additionalProperties":false}}},"required":["rows"],"additionalProperties":false}`)
)

// CheckCoverage checks which points a text makes; without points it costs nothing. A point is
// covered, partly covered or contradicted only with a passage found in the text. If the model's
// answer cannot be parsed or omits points, these are not covered and parse_error is true. It fails
// with validation_failed, too_large, budget_exhausted, model_failed and model_timeout.
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
	if err := checkPointCount(points); err != nil {
		return 0, err
	}
	if err := checkLength("content", in.Content); err != nil {
		return 0, err
	}
	return min(len(points), runCost), nil
}

// checkPointCount returns errs.ValidationFailed for too many points.
func checkPointCount(points []*api.PullThroughPriorityInput) error {
	if len(points) <= maxPoints {
		return nil
	}
	return errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", maxPoints),
		"pullThroughPriorities"))
}

// JudgeCoverage is CheckCoverage for callers with their own reservation of runs, with the same
// errors.
func (s *Service) JudgeCoverage(ctx context.Context, content string,
	points []*api.PullThroughPriorityInput) (*api.CheckCoveragePayload, error) {
	if err := checkPointCount(points); err != nil {
		return nil, err
	}
	return s.judgeCoverage(ctx, content, points, nil)
}

func (s *Service) judgeCoverage(ctx context.Context, content string, points []*api.PullThroughPriorityInput,
	modelName *string) (*api.CheckCoveragePayload, error) {
	task, isCut, err := s.coverageTask(ctx, content, points)
	if err != nil {
		return nil, err
	}
	parsed, answer, err := llm.Ask[offline.CoverageAnswer](ctx, s.models, s.setModel(task, modelName))
	unread := err != nil && errs.Is(err, errs.ModelFailed) && answer.Text != ""
	if err != nil && !unread {
		return nil, err
	}
	out := &api.CheckCoveragePayload{Model: &answer.Model, ParseError: &unread}
	content = text.BlankStruck(command.Blank(content))
	read := offline.ReadText(content)
	for i, p := range points {
		row := &api.CoverageRow{Text: p.Text, Level: levelOf(p.Level.Value()), Verdict: model.CoverageVerdictUnknown}
		given, ok := findVerdict(parsed, i+1)
		switch {
		case !ok:
			unread = true
		case answer.Model == offline.Model:
			setFinding(row, read.Find(p.Text))
		default:
			setFinding(row, decide(p.Text, given, content, read, isCut))
		}
		out.Coverage = append(out.Coverage, row)
	}
	return out, nil
}

// coverageTask returns the task of a check. isCut is true if its prompt has only the nearest
// passages.
func (s *Service) coverageTask(ctx context.Context, content string,
	points []*api.PullThroughPriorityInput) (task llm.Task, isCut bool, err error) {
	input := offline.Coverage{Content: content}
	for _, p := range points {
		input.Points = append(input.Points, p.Text)
	}
	// of the whole text, as the end of a passage may be in the middle of a command
	kept, commands := command.Remove(content)
	excerpt, isCut, err := s.excerptFor(ctx, kept, input.Points)
	if err != nil {
		return task, false, err
	}
	task, err = coveragePrompt.Task(map[string]any{"Content": excerpt, "IsCut": isCut, "Points": points})
	task.Schema, task.MaxTokens, task.Input = coverageSchema, 300+200*len(points), input
	task.LeaveOut(commands)
	return task, isCut, err
}

// findVerdict returns the verdict on a point and whether there is one.
func findVerdict(answer offline.CoverageAnswer, point int) (offline.PointVerdict, bool) {
	for _, given := range answer.Rows {
		if given.Point == point {
			return given, true
		}
	}
	return offline.PointVerdict{}, false
}

// decide returns the finding on a point. The words of the text decide if they can. Otherwise the
// model does, if its passage is in the text and concerns the point. Without such a passage, the
// point is absent only if the model says so and saw the whole text.
func decide(point string, given offline.PointVerdict, content string, read *offline.Text, isCut bool) offline.Finding {
	found, concerns := read.Find(point), proof.Concerns
	if given.Verdict == model.CoverageVerdictAbsent && !isCut && found.Verdict == model.CoverageVerdictUnknown {
		return offline.Finding{Verdict: given.Verdict}
	}
	if given.Verdict != model.CoverageVerdictCovered {
		concerns = proof.Touches
	}
	confirmed := found.Verdict == model.CoverageVerdictUnknown || found.Verdict == model.CoverageVerdictCovered &&
		given.Verdict == found.Verdict
	if given.Verdict == model.CoverageVerdictAbsent {
		return found
	}
	if span, ok := text.Locate(content, given.Evidence); ok && confirmed && concerns(span.Text, point) {
		return offline.Finding{Verdict: given.Verdict, Evidence: span}
	}
	return found
}

// setFinding sets a verdict with its passage, which is the evidence of a covered point.
func setFinding(row *api.CoverageRow, found offline.Finding) {
	row.Verdict, row.Covered = found.Verdict, found.Verdict == model.CoverageVerdictCovered
	if found.Evidence.Text != "" {
		row.Passage = newPassage(found.Evidence)
	}
	if row.Covered {
		row.Evidence, row.Start, row.End = found.Evidence.Text, &found.Evidence.Start, &found.Evidence.End
	}
}
