package persona

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

//go:embed health_probes.txt
var probeLines string

// Limits of a healthy persona's figures, and the number of its probes.
const (
	minSpread         = 0.1
	maxPositivity     = 0.95
	minAdherence      = 0.5
	minConsistency    = 0.3
	minGroundedShare  = 0.8
	positiveThreshold = 0.05 // sentiment above which a reply counts as positive
	maxProbedCares    = 2    // phrases of the interests, and of the concerns
	repeatedProbes    = 3    // probes asked a second time to measure consistency
)

// StartHealthCheck queues a job that asks a persona fixed probes and stores figures from its
// replies. It fails with not_found, and with engine_required without a text model.
func (s *Service) StartHealthCheck(ctx context.Context, in api.StartPersonaHealthCheckInput) (*model.StartedJob,
	error) {
	if _, err := s.byID(ctx, principal.Must(ctx).WorkspaceID, in.PersonaID, []string{"id"}); err != nil {
		return nil, err
	}
	if s.isOffline() {
		return nil, offline.Required("a health check")
	}
	return s.startJob(ctx, fieldHealth, "", job.Request{Type: JobHealth, Parameters: healthRequest{in.PersonaID}})
}

// EstimateHealthCheck returns the cost of StartHealthCheck, or not_found.
func (s *Service) EstimateHealthCheck(ctx context.Context, in api.StartPersonaHealthCheckInput) (*model.Estimate,
	error) {
	if _, err := s.byID(ctx, principal.Must(ctx).WorkspaceID, in.PersonaID, []string{"id"}); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

// healthRequest holds the parameters of a health job.
type healthRequest struct {
	PersonaID string `json:"persona_id"`
}

func (s *Service) workHealth(ctx context.Context, run *job.Run) (any, error) {
	p := principal.Must(ctx)
	in, err := job.Parameters[healthRequest](run.Job)
	if err != nil {
		return nil, err
	}
	persona, err := s.byID(ctx, p.WorkspaceID, in.PersonaID, nil)
	if err != nil {
		return nil, err
	}
	replies, repeated, err := s.askProbes(ctx, run, persona)
	if err != nil {
		return nil, err
	}
	grounded, err := s.groundedShare(ctx, persona)
	if err != nil {
		return nil, err
	}
	health := scoreReplies(Cares(persona, nil), replies, repeated, grounded)
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.updatePersona(ctx, tx, p.WorkspaceID, persona.ID, func(p *model.Persona) { p.HealthState = health })
		return err
	})
	return health, err
}

// listProbes returns a persona's probes: a good and a bad message per care, and neutral messages.
func listProbes(p *model.Persona) []string {
	var cares []string
	for _, list := range []string{p.Interests, p.Concerns} {
		phrases := phrasesOf(list)
		cares = append(cares, phrases[:min(len(phrases), maxProbedCares)]...)
	}
	var out []string
	for line := range strings.Lines(probeLines) {
		if line = strings.TrimSpace(line); !strings.Contains(line, "{care}") {
			out = append(out, line)
			continue
		}
		for _, care := range cares {
			out = append(out, strings.ReplaceAll(line, "{care}", care))
		}
	}
	return out
}

// askProbes asks every probe once, and the first repeatedProbes twice. It returns the first error.
func (s *Service) askProbes(ctx context.Context, run *job.Run, p *model.Persona) (replies, repeated []string,
	err error) {
	learned, err := s.learnedRefinements(ctx, p.WorkspaceID, p.ID)
	if err != nil {
		return nil, nil, err
	}
	if p, err = s.asReader(ctx, p); err != nil {
		return nil, nil, err
	}
	list := listProbes(p)
	ask := func(probe string) (string, error) {
		x := &replyTask{interactRequest: interactRequest{InputContent: probe}, Type: model.InteractionTypeCommunication,
			Persona:     p,
			Refinements: learned, Language: language.English}
		task, err := interactTask(x)
		if err != nil {
			return "", err
		}
		task.Name = "persona.probe"
		answer, err := s.askWithin(probeLimit)(ctx, task)
		return answer.Text, err
	}
	for i, probe := range append(list, list[:min(len(list), repeatedProbes)]...) {
		reply, err := ask(probe)
		if err != nil {
			return nil, nil, err
		}
		if i < len(list) {
			replies = append(replies, reply)
		} else {
			repeated = append(repeated, reply)
		}
		if err := run.Progress(ctx, 90*(i+1)/(len(list)+repeatedProbes), "asking probes"); err != nil {
			return nil, nil, err
		}
	}
	return replies, repeated, nil
}

// groundedShare returns the share of grounded statements with a quote still in their document; nil
// without statements.
func (s *Service) groundedShare(ctx context.Context, p *model.Persona) (*float64, error) {
	if len(p.GroundedStatements) == 0 {
		return nil, nil
	}
	var ids []string
	for _, statement := range p.GroundedStatements {
		ids = append(ids, statement.DocumentID)
	}
	docs, err := s.documents.ByIDs(ctx, p.WorkspaceID, distinctIDs(ids), readColumns...)
	if err != nil {
		return nil, err
	}
	content := map[string]string{}
	for _, doc := range docs {
		content[doc.ID] = optional.ValueOr(doc.Content, "")
	}
	n := 0
	for _, statement := range p.GroundedStatements {
		if quoteMatches(statement, content[statement.DocumentID]) {
			n++
		}
	}
	return new(roundHundredth(float64(n) / float64(len(ids)))), nil
}

// scoreReplies measures the replies without asking a model.
func scoreReplies(cares []offline.Concern, replies, repeated []string, grounded *float64) *model.PersonaHealth {
	adherent, positive, alike := 0, 0, 0.0
	lowest, highest := 1.0, -1.0
	for _, reply := range replies {
		if slices.ContainsFunc(cares, func(c offline.Concern) bool { return c.Mentioned(reply) }) {
			adherent++
		}
		feeling := text.Sentiment(reply)
		lowest, highest = min(lowest, feeling), max(highest, feeling)
		if feeling > positiveThreshold {
			positive++
		}
	}
	for i, reply := range repeated {
		alike += text.Overlap(replies[i], reply)
	}
	share := func(n float64, of int) *float64 { return new(roundHundredth(n / float64(max(of, 1)))) }
	h := &model.PersonaHealth{
		Adherence: share(float64(adherent), len(replies)), Positivity: share(float64(positive), len(replies)),
		Consistency: share(alike, len(repeated)), Spread: new(roundHundredth(max(highest-lowest, 0) / 2)),
		GroundedShare: grounded,
		Probes:        len(replies), MeasuredAt: new(model.Now()),
	}
	flagHealth(h)
	return h
}

// flagHealth sets the flags and the status from the figures.
func flagHealth(h *model.PersonaHealth) {
	h.Flags, h.Status = []model.PersonaHealthFlag{}, model.PersonaHealthStatusHealthy
	for _, check := range []struct {
		flag  model.PersonaHealthFlag
		there bool
	}{
		{model.PersonaHealthFlagFlat, *h.Spread < minSpread},
		{model.PersonaHealthFlagAlwaysPositive, *h.Positivity >= maxPositivity},
		{model.PersonaHealthFlagOffTopic, *h.Adherence < minAdherence},
		{model.PersonaHealthFlagInconsistent, *h.Consistency < minConsistency},
		{model.PersonaHealthFlagUngrounded, h.GroundedShare != nil && *h.GroundedShare < minGroundedShare},
	} {
		if check.there {
			h.Flags, h.Status = append(h.Flags, check.flag), model.PersonaHealthStatusFlagged
		}
	}
}

func parseTag(tag string) language.Tag { return language.Make(tag) }

// languageName returns the English name of a language.
func languageName(tag string) string { return display.English.Tags().Name(parseTag(tag)) }
