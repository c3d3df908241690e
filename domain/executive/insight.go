package executive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// The bounds of a comparison.
const (
	mostSubjects   = 10
	mostThemes     = 10
	mostPersonas   = 10
	mostExtracted  = 20 // documents that one comparison looks through
	extractAtOnce  = 4
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

// Compare holds what executives or companies say on themes beside one another. A comparison that is kept is given again and costs nothing, unless a
// fresh one is asked for; a new one costs a run, and one for each document that it has to look through first. It fails with validation_failed for
// lists that are too long and for unknown personas, with budget_exhausted, and as the text model does.
func (s *Service) Compare(ctx context.Context, in model.CompareInsightsInput, estimate bool) (*model.CompareInsightsPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	q, err := s.question(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.look(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	runs := compareRuns(kept, unread)
	switch {
	case estimate:
		costs, err := s.estimate(ctx, p.WorkspaceID, runs)
		return &model.CompareInsightsPayload{Estimate: costs, AiAnalysis: &model.InsightAnalysis{}}, err
	case kept != nil:
		return kept, s.Accounts.TellBudget(ctx, p.WorkspaceID)
	}
	var out *model.CompareInsightsPayload
	err = s.Accounts.Spend(ctx, p.WorkspaceID, opCompare, runs, func(ctx context.Context) (Finish, error) {
		made, err := within(ctx, callTime, func(ctx context.Context) (*model.Insight, error) { return s.compare(ctx, p.WorkspaceID, q, unread) })
		if err != nil {
			return nil, err
		}
		out = made.Answer
		return func(ctx context.Context, tx dbx.Tx) error { return keepInsight(ctx, tx, made) }, nil
	})
	if err != nil {
		return nil, fmt.Errorf("compare insights: %w", err)
	}
	return out, nil
}

// CompareAsync is Compare by a job; it fails as that does, but for what the text model does.
func (s *Service) CompareAsync(ctx context.Context, in model.CompareInsightsInput) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	q, err := s.question(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.look(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	q.Runs = compareRuns(kept, unread)
	return s.enqueue(ctx, p, job.Request{Type: JobCompare, Parameters: q}, opCompare, q.Runs)
}

func compareRuns(kept *model.CompareInsightsPayload, unread []*model.Document) int {
	if kept != nil {
		return 0
	}
	return oneRun + min(len(unread), mostExtracted)
}

func compareCost(of *model.Job) (int, error) {
	var q question
	if err := json.Unmarshal([]byte(*of.Parameters), &q); err != nil {
		return 0, fmt.Errorf("read the job's parameters: %w", err)
	}
	return max(q.Runs, oneRun), nil
}

// workCompare compares for a job and spends of its runs what it took. It looks through no more documents than it has runs for.
func (s *Service) workCompare(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	q, err := parametersOf[question](run)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.look(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	if kept != nil {
		return kept, run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.Accounts.Settle(ctx, tx, run.Job.ID, 0) })
	}
	unread = unread[:min(len(unread), max(q.Runs-oneRun, 0))]
	if err := run.Progress(ctx, 10, fmt.Sprintf("looking through %d documents", len(unread))); err != nil {
		return nil, err
	}
	made, err := within(ctx, jobTime, func(ctx context.Context) (*model.Insight, error) { return s.compare(ctx, p.WorkspaceID, q, unread) })
	if err != nil {
		return nil, refusal(err)
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := keepInsight(ctx, tx, made); err != nil {
			return err
		}
		return s.Accounts.Settle(ctx, tx, run.Job.ID, oneRun+len(unread))
	})
	return made.Answer, err
}

// question checks a request and fills in whom to compare.
func (s *Service) question(ctx context.Context, workspaceID string, in model.CompareInsightsInput) (question, error) {
	q := question{
		Kind: valueOr(in.ComparisonType.Value(), model.ComparisonTypeExecutive), Personas: distinct(in.Personas.Value()),
		Focus: strings.TrimSpace(valueOr(in.FocusQuestion.Value(), "")), OwnCompany: strings.TrimSpace(valueOr(in.OwnCompany.Value(), "")),
		Map: valueOr(in.StrategicMap.Value(), false), Fresh: valueOr(in.Fresh.Value(), false),
		Themes: distinct(append([]string{in.Theme}, in.Themes.Value()...)), Subjects: distinct(in.Executives.Value()),
	}
	field := "executives"
	if q.Kind == model.ComparisonTypeCompany {
		q.Subjects, field = distinct(in.Companies.Value()), "companies"
	}
	bad := append(tooLong(field, q.Subjects, mostSubjects), tooLong("themes", q.Themes, mostThemes+1)...)
	bad = append(bad, tooLong("personas", q.Personas, mostPersonas)...)
	if len(bad) > 0 {
		return q, errs.Invalid(bad...)
	}
	found, err := s.Personas.Opinions(ctx, workspaceID, q.Personas, nil)
	if err != nil {
		return q, err
	}
	for i, id := range in.Personas.Value() {
		if !slices.ContainsFunc(found, func(o *model.PersonaOpinions) bool { return o.PersonaID == id }) {
			bad = append(bad, errs.BodyField("unknown_id", "names no persona of this workspace", "personas", i))
		}
	}
	if len(bad) > 0 {
		return q, errs.Invalid(bad...)
	}
	if len(q.Subjects) == 0 {
		q.Subjects, err = s.leading(ctx, workspaceID, q.Kind)
	}
	return q, err
}

func tooLong(field string, list []string, most int) (bad []errs.Field) {
	if len(list) > most {
		return []errs.Field{errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", most), field)}
	}
	for i, one := range list {
		if len([]rune(one)) > longestSubject {
			bad = append(bad, errs.BodyField("too_long", fmt.Sprintf("must have at most %d characters", longestSubject), field, i))
		}
	}
	return bad
}

// distinct keeps each text once, in the order given, without blank ones.
func distinct(list []string) []string {
	out := []string{}
	for _, one := range list {
		if one = strings.TrimSpace(one); one != "" && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// look finds the comparison that is kept of a question, brought up to date, and the subjects' documents whose signals are not, latest first.
func (s *Service) look(ctx context.Context, workspaceID string, q question) (*model.CompareInsightsPayload, []*model.Document, error) {
	row, err := s.keptInsight(ctx, workspaceID, q)
	if err != nil {
		return nil, nil, err
	}
	if row == nil || q.Fresh {
		unread, err := s.unread(ctx, workspaceID, q)
		return nil, unread, err
	}
	if err := s.mark(ctx, row); err != nil {
		return nil, nil, err
	}
	row.Answer.CachedAt = &row.CreatedAt
	row.Answer.UnreadDocuments, err = s.countUnread(ctx, workspaceID, q, &row.CreatedAt)
	return row.Answer, nil, err
}

// compare looks through the documents that need it and makes a comparison, which is not stored yet.
func (s *Service) compare(ctx context.Context, workspaceID string, q question, unread []*model.Document) (*model.Insight, error) {
	if err := s.extractAll(ctx, workspaceID, unread[:min(len(unread), mostExtracted)]); err != nil {
		return nil, err
	}
	m, err := s.material(ctx, workspaceID, q)
	if err != nil {
		return nil, err
	}
	made := &model.Insight{
		ID: model.NewID(model.InsightPrefix), WorkspaceID: workspaceID, RequestKey: q.key(s.Engine.Model()), CreatedAt: model.Now(),
	}
	if made.Answer, err = s.answer(ctx, m); err != nil {
		return nil, err
	}
	if made.Answer.AudienceResonance, err = s.resonance(ctx, m); err != nil {
		return nil, err
	}
	if made.Answer.UnreadDocuments, err = s.countUnread(ctx, workspaceID, q, nil); err != nil {
		return nil, err
	}
	made.Sources, err = s.versions(ctx, made)
	return made, err
}

// extractAll looks through documents, some at once, and keeps what each says, whatever becomes of the comparison.
func (s *Service) extractAll(ctx context.Context, workspaceID string, unread []*model.Document) error {
	ids := make([]string, len(unread))
	for i, doc := range unread {
		ids[i] = doc.ID
	}
	docs, err := s.Documents.ByIDs(ctx, workspaceID, ids, readColumns...)
	if err != nil {
		return err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(extractAtOnce)
	for _, doc := range docs {
		work.Go(func() error {
			found, err := s.extract(ctx, doc)
			if err != nil {
				return err
			}
			err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.keepExtraction(ctx, tx, found) })
			if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Conflict) {
				return nil // kept, gone or changed meanwhile: what is there counts
			}
			return err
		})
	}
	return work.Wait()
}
