package executive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// The limits of a comparison's request.
const (
	mostSubjects   = 10
	mostThemes     = 10 // in addition to the theme
	mostPersonas   = 10
	longestSubject = 500 // code points
)

// comparisonQuestion is a validated request with its defaults, as a job stores it.
type comparisonQuestion struct {
	Kind       model.ComparisonType `json:"comparison_type"`
	Themes     []string             `json:"themes"` // the first is the theme
	Subjects   []string             `json:"subjects"`
	Personas   []string             `json:"personas,omitempty"`
	Focus      string               `json:"focus_question,omitempty"`
	OwnCompany string               `json:"own_company,omitempty"`
	Map        bool                 `json:"strategic_map,omitempty"`
	Fresh      bool                 `json:"fresh,omitempty"`
	Runs       int                  `json:"runs,omitempty"` // runs that its job reserved
}

// requestKey returns a digest of everything that the answer depends on, except the documents.
func (q comparisonQuestion) requestKey(engine string) string {
	q.Fresh, q.Runs = false, 0
	text, _ := json.Marshal(q) //nolint:errchkjson // strings
	sum := sha256.Sum256(append(text, engine...))
	return hex.EncodeToString(sum[:16])
}

// parseQuestion validates a request and adds the default subjects. One error names all invalid
// fields that can be checked without the database.
func (s *Service) parseQuestion(ctx context.Context, workspaceID string,
	in api.CompareInsightsInput) (comparisonQuestion, error) {
	q := comparisonQuestion{
		Kind:       optional.ValueOr(in.ComparisonType.Value(), model.ComparisonTypeExecutive),
		Personas:   optional.Distinct(in.Personas.Value()),
		Focus:      strings.TrimSpace(optional.ValueOr(in.FocusQuestion.Value(), "")),
		OwnCompany: strings.TrimSpace(optional.ValueOr(in.OwnCompany.Value(), "")),
		Map:        optional.ValueOr(in.StrategicMap.Value(), false), Fresh: optional.ValueOr(in.Fresh.Value(), false),
		Themes: optional.Distinct(append([]string{in.Theme}, in.Themes.Value()...)),
	}
	field, given, others := "executives", in.Executives.Value(), in.Companies.Value()
	if q.Kind == model.ComparisonTypeCompany {
		field, given, others = "companies", others, given
	}
	var invalid errs.FieldErrors
	checkList(&invalid, field, given, mostSubjects)
	checkList(&invalid, "themes", in.Themes.Value(), mostThemes)
	checkList(&invalid, "personas", in.Personas.Value(), mostPersonas)
	if len(given) == 0 && len(others) > 0 {
		refuseSubjects(&invalid, q.Kind)
	}
	if err := invalid.Err(); err != nil {
		return q, err
	}
	subjects, err := s.Parties.CanonicalNames(ctx, workspaceID, partyKind(q.Kind), given...)
	if err != nil {
		return q, err
	}
	if err := s.checkSubjects(ctx, workspaceID, q.Kind, field, subjects, in.Personas.Value()); err != nil {
		return q, err
	}
	if q.OwnCompany, err = s.ownCompanyName(ctx, workspaceID, q.OwnCompany); err != nil {
		return q, err
	}
	if q.Subjects = optional.Distinct(subjects); len(q.Subjects) == 0 {
		q.Subjects, err = s.leadingSubjects(ctx, workspaceID, q.Kind)
	}
	return q, err
}

// refuseSubjects adds the error for subjects of the other comparison type.
func refuseSubjects(invalid *errs.FieldErrors, kind model.ComparisonType) {
	if kind == model.ComparisonTypeCompany {
		invalid.Body("value_error", "only counts when executives are compared: name companies, or compare executives",
			"executives")
		return
	}
	invalid.Body("value_error", "only counts when companies are compared: name executives, or compare companies",
		"companies")
}

// checkList adds the errors of a list that exceeds its limits.
func checkList(invalid *errs.FieldErrors, field string, list []string, most int) {
	if len(optional.Distinct(list)) > most {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", most), field)
		return
	}
	for i, one := range list {
		switch {
		case strings.TrimSpace(one) == "":
			invalid.Body("string_too_short", "must not be blank", field, i)
		case len([]rune(one)) > longestSubject:
			invalid.Body("too_long", fmt.Sprintf("must have at most %d characters", longestSubject), field, i)
		}
	}
}

// checkSubjects returns an error if the workspace lacks a requested subject or persona.
func (s *Service) checkSubjects(ctx context.Context, workspaceID string, kind model.ComparisonType, field string,
	subjects, personas []string) error {
	known, err := s.knownSubjects(ctx, workspaceID, kind, optional.Distinct(subjects))
	if err != nil {
		return err
	}
	found, err := s.Personas.PassagesOf(ctx, workspaceID, optional.Distinct(personas), nil)
	if err != nil {
		return err
	}
	var invalid errs.FieldErrors
	for i, name := range subjects {
		if !slices.Contains(known, strings.TrimSpace(name)) {
			invalid.Body("unknown_name", "is neither attributed nor quoted in the documents of this workspace", field,
				i)
		}
	}
	for i, id := range personas {
		if !slices.ContainsFunc(found, func(o *model.PersonaPassages) bool {
			return o.PersonaID == strings.TrimSpace(id)
		}) {
			invalid.Body("unknown_id", "names no persona of this workspace", "personas", i)
		}
	}
	return invalid.Err()
}
