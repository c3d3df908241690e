package executive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/errs"
	"rostrum/model"
)

// The bounds of what a comparison is asked for.
const (
	mostSubjects   = 10
	mostThemes     = 10 // beside the theme
	mostPersonas   = 10
	longestSubject = 500 // code points
)

// question is what a comparison was asked for, checked and with its defaults, as a job keeps it.
type question struct {
	Kind       model.ComparisonType `json:"comparison_type"`
	Themes     []string             `json:"themes"` // the first is the theme
	Subjects   []string             `json:"subjects"`
	Personas   []string             `json:"personas,omitempty"`
	Focus      string               `json:"focus_question,omitempty"`
	OwnCompany string               `json:"own_company,omitempty"`
	Map        bool                 `json:"strategic_map,omitempty"`
	Fresh      bool                 `json:"fresh,omitempty"`
	Runs       int                  `json:"runs,omitempty"` // what a job of it reserved
}

// key is a digest of all that the answer depends on but the documents.
func (q question) key(engine string) string {
	q.Fresh, q.Runs = false, 0
	text, _ := json.Marshal(q) //nolint:errchkjson // strings
	sum := sha256.Sum256(append(text, engine...))
	return hex.EncodeToString(sum[:16])
}

// question checks a request and fills in whom to compare. Every bad field is named at once, but for those that only the database knows.
func (s *Service) question(ctx context.Context, workspaceID string, in model.CompareInsightsInput) (question, error) {
	q := question{
		Kind: model.ValueOr(in.ComparisonType.Value(), model.ComparisonTypeExecutive), Personas: model.Distinct(in.Personas.Value()),
		Focus: strings.TrimSpace(model.ValueOr(in.FocusQuestion.Value(), "")), OwnCompany: strings.TrimSpace(model.ValueOr(in.OwnCompany.Value(), "")),
		Map: model.ValueOr(in.StrategicMap.Value(), false), Fresh: model.ValueOr(in.Fresh.Value(), false),
		Themes: model.Distinct(append([]string{in.Theme}, in.Themes.Value()...)),
	}
	field, given, others := "executives", in.Executives.Value(), in.Companies.Value()
	if q.Kind == model.ComparisonTypeCompany {
		field, given, others = "companies", others, given
	}
	q.Subjects = model.Distinct(given)
	bad := append(listErrors(field, given, mostSubjects), listErrors("themes", in.Themes.Value(), mostThemes)...)
	bad = append(bad, listErrors("personas", in.Personas.Value(), mostPersonas)...)
	if len(given) == 0 && len(others) > 0 {
		bad = append(bad, misplaced(q.Kind))
	}
	if len(bad) > 0 {
		return q, errs.Invalid(bad...)
	}
	if err := s.present(ctx, workspaceID, q.Kind, field, given, in.Personas.Value()); err != nil {
		return q, err
	}
	var err error
	if len(q.Subjects) == 0 {
		q.Subjects, err = s.leading(ctx, workspaceID, q.Kind)
	}
	return q, err
}

// misplaced says that subjects of the other kind were given than are compared: to compare anybody else would cost runs for nothing.
func misplaced(kind model.ComparisonType) errs.Field {
	if kind == model.ComparisonTypeCompany {
		return errs.BodyField("value_error", "only counts when executives are compared: name companies, or compare executives", "executives")
	}
	return errs.BodyField("value_error", "only counts when companies are compared: name executives, or compare companies", "companies")
}

// listErrors holds a list to its bounds.
func listErrors(field string, list []string, most int) (bad []errs.Field) {
	if len(model.Distinct(list)) > most {
		return []errs.Field{errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", most), field)}
	}
	for i, one := range list {
		switch {
		case strings.TrimSpace(one) == "":
			bad = append(bad, errs.BodyField("string_too_short", "must not be blank", field, i))
		case len([]rune(one)) > longestSubject:
			bad = append(bad, errs.BodyField("too_long", fmt.Sprintf("must have at most %d characters", longestSubject), field, i))
		}
	}
	return bad
}

// present holds that the workspace has the subjects and personas that a request names.
func (s *Service) present(ctx context.Context, workspaceID string, kind model.ComparisonType, field string, subjects, personas []string) error {
	known, err := s.known(ctx, workspaceID, kind, model.Distinct(subjects))
	if err != nil {
		return err
	}
	found, err := s.Personas.Opinions(ctx, workspaceID, model.Distinct(personas), nil)
	if err != nil {
		return err
	}
	var bad []errs.Field
	for i, name := range subjects {
		if !slices.Contains(known, strings.TrimSpace(name)) {
			bad = append(bad, errs.BodyField("unknown_name", "stands on no document of this workspace, and nobody is quoted by that name", field, i))
		}
	}
	for i, id := range personas {
		if !slices.ContainsFunc(found, func(o *model.PersonaOpinions) bool { return o.PersonaID == strings.TrimSpace(id) }) {
			bad = append(bad, errs.BodyField("unknown_id", "names no persona of this workspace", "personas", i))
		}
	}
	if len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}
