package house

import (
	"context"
	"errors"
	"fmt"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/llm/text"
	rules "rostrum/llm/text/house"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
)

// maxShown is the greatest number of findings of a check that are returned.
const maxShown = 500

// ruleSet are parsed rules with their ids.
type ruleSet struct {
	parsed []*rules.Rule
	ids    map[*rules.Rule]string // without rules that are not stored
}

// Check returns what house rules find in a text. It fails with validation_failed for wrong rules,
// and with too_large if they take too long.
func (s *Service) Check(ctx context.Context, in api.HouseCheckInput) (*api.HouseCheck, error) {
	language := optional.ValueOr(in.Language.Value(), "")
	if language != "" && rules.BaseOf(language) == "" {
		return nil, errs.Invalid(errs.BodyField("value_error", "must be the tag of a language, such as de", "language"))
	}
	set, err := s.setFor(ctx, in)
	if err != nil {
		return nil, err
	}
	return set.check(ctx, in.Content, language)
}

// setFor returns the rules that came with a text, or else those of the workspace.
func (s *Service) setFor(ctx context.Context, in api.HouseCheckInput) (ruleSet, error) {
	given := in.Rules.Value()
	if given == nil {
		return s.stored(ctx, principal.Must(ctx).WorkspaceID)
	}
	parsed, err := rules.ParseAll(*given)
	switch {
	case err != nil:
		return ruleSet{}, errs.Invalid(errs.BodyField("bad_rule", err.Error(), "rules"))
	case len(parsed) > MaxRules:
		return ruleSet{}, errs.Invalid(errs.BodyField("too_long",
			fmt.Sprintf("has more than %d rules", MaxRules), "rules"))
	}
	return ruleSet{parsed: parsed}, nil
}

// stored returns the workspace's rules. One that a later version stored and this one cannot read is
// an error, because a check without it would be wrong.
func (s *Service) stored(ctx context.Context, workspaceID string) (ruleSet, error) {
	rows, err := s.all(ctx, workspaceID)
	if err != nil {
		return ruleSet{}, err
	}
	set := ruleSet{ids: make(map[*rules.Rule]string, len(rows))}
	for _, row := range rows {
		parsed, known := s.parsed.Get(row.Source)
		if !known {
			if parsed, err = rules.Parse(row.Source); err != nil {
				return ruleSet{}, fmt.Errorf("house rule %s: %w", row.ID, err)
			}
			s.parsed.Add(row.Source, parsed)
		}
		set.parsed = append(set.parsed, parsed)
		set.ids[parsed] = row.ID
	}
	return set, nil
}

// CheckTexts returns what the workspace's rules find in each text.
func (s *Service) CheckTexts(ctx context.Context, workspaceID string, texts []string) ([]*api.HouseCheck, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	set, err := s.stored(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	out := make([]*api.HouseCheck, len(texts))
	for i, content := range texts {
		if out[i], err = set.check(ctx, content, ""); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// CheckApproval returns errs.InvalidState, with the number of findings, if a text has a lower score
// than the workspace requires.
func (s *Service) CheckApproval(ctx context.Context, workspaceID, content string) error {
	required, err := s.Accounts.RequiredHouseScore(ctx, workspaceID)
	if err != nil || required == nil {
		return err
	}
	checks, err := s.CheckTexts(ctx, workspaceID, []string{content})
	if err != nil {
		return err
	}
	found := checks[0]
	if found.Score >= *required {
		return nil
	}
	return errs.New(errs.InvalidState,
		"the text has the score %d by house rules, with %d findings (%d errors, %d warnings, %d suggestions): %d is required",
		found.Score, found.FindingCount, found.ErrorCount, found.WarningCount, found.SuggestionCount, *required)
}

func (r ruleSet) check(ctx context.Context, content, language string) (out *api.HouseCheck, err error) {
	var report rules.Report
	waited := slot.Compute(ctx, len(content)*(1+len(r.parsed)), func() {
		report, err = rules.Check(ctx, r.parsed, content, language)
	})
	switch {
	case waited != nil:
		return nil, waited
	case errors.Is(err, rules.ErrSlow):
		return nil, errs.Wrap(err, errs.TooLarge, "the house rules take too long for this text: %s", err.Error())
	case err != nil:
		return nil, err
	}
	return r.shown(report), nil
}

// shown returns a report as the graph has it.
func (r ruleSet) shown(report rules.Report) *api.HouseCheck {
	out := &api.HouseCheck{
		Score: report.Score(), FindingCount: len(report.Findings), Findings: []*api.HouseFinding{},
		ErrorCount:      report.Count(model.HouseRuleLevelError),
		WarningCount:    report.Count(model.HouseRuleLevelWarning),
		SuggestionCount: report.Count(model.HouseRuleLevelSuggestion),
		WordCount:       report.Words, Language: report.Language,
	}
	for _, found := range report.Findings[:min(len(report.Findings), maxShown)] {
		out.Findings = append(out.Findings, &api.HouseFinding{
			RuleID: optional.NonEmpty(r.ids[found.Rule]), RuleName: found.Rule.Name, Level: found.Rule.Level,
			Message: found.Message, Passage: passageOf(found.Passage),
			Replacements: append([]string{}, found.Replacements...),
		})
	}
	if ease := report.Readability; ease != nil {
		out.Readability = &api.Readability{Measure: ease.Measure, Value: ease.Value}
	}
	return out
}

func passageOf(span *text.Span) *api.TextPassage {
	if span == nil {
		return nil
	}
	return &api.TextPassage{Text: span.Text, Start: span.Start, End: span.End}
}
