package persona

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/llm/text"
	"rostrum/model"
)

//go:embed probe.txt
var probeLines string

// What a persona's figures must reach, and what of its cares it is probed with.
const (
	leastSpread      = 0.1
	mostPositivity   = 0.95
	leastAdherence   = 0.5
	leastConsistency = 0.3
	leastGrounded    = 0.8
	feels            = 0.05 // replies above this are positive
	probedCares      = 2    // of its interests, and of its concerns
	askedTwice       = 3    // probes that are asked again
)

// MeasureHealth asks a persona a small set of probes by a job, and keeps what its replies show. It fails with not_found.
func (s *Service) MeasureHealth(ctx context.Context, personaID string, estimate bool) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.byID(ctx, p.WorkspaceID, personaID, []string{"id"}); err != nil {
		return nil, err
	}
	return s.enqueue(ctx, p, JobHealth, opHealth, "", checkup{personaID}, estimate)
}

// checkup is whom a job probes.
type checkup struct {
	PersonaID string `json:"persona_id"`
}

func (s *Service) workHealth(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	in, err := job.Parameters[checkup](run.Job)
	if err != nil {
		return nil, err
	}
	persona, err := s.byID(ctx, p.WorkspaceID, in.PersonaID, nil)
	if err != nil {
		return nil, err
	}
	replies, again, err := s.probe(ctx, run, persona)
	if err != nil {
		return nil, err
	}
	grounded, err := s.groundedShare(ctx, persona)
	if err != nil {
		return nil, err
	}
	health := judge(Cares(persona, nil), replies, again, grounded)
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.amend(ctx, tx, p.WorkspaceID, persona.ID, func(p *model.Persona) { p.HealthState = health })
		return err
	})
	return health, err
}

// probes are what a persona is asked: of each thing it minds that it comes and that it goes, and something that it does not mind.
func probes(p *model.Persona) []string {
	var cares []string
	for _, list := range []string{p.Interests, p.Concerns} {
		phrases := phrasesOf(list)
		cares = append(cares, phrases[:min(len(phrases), probedCares)]...)
	}
	var out []string
	for line := range strings.Lines(probeLines) {
		if line = strings.TrimSpace(line); !strings.Contains(line, "{care}") {
			out = append(out, line)
			continue
		}
		for _, care := range cares {
			out = append(out, strings.ReplaceAll(line, "{care}", lowerFirst(care)))
		}
	}
	return out
}

// probe asks every probe, and the first ones twice.
func (s *Service) probe(ctx context.Context, run *job.Run, p *model.Persona) (replies, again []string, err error) {
	learned, err := s.refinements(ctx, p.WorkspaceID, p.ID)
	if err != nil {
		return nil, nil, err
	}
	list := probes(p)
	ask := func(probe string) (string, error) {
		x := &exchange{question: question{InputContent: probe}, Type: model.InteractionTypeCommunication, Persona: p,
			Refinements: learned, Language: language.English}
		task, err := interactTask(x)
		if err != nil {
			return "", err
		}
		task.Name = "persona.probe"
		answer, err := s.asking(probeTime)(ctx, task)
		return answer.Text, err
	}
	for i, probe := range append(list, list[:min(len(list), askedTwice)]...) {
		reply, err := ask(probe)
		if err != nil {
			return nil, nil, err
		}
		if i < len(list) {
			replies = append(replies, reply)
		} else {
			again = append(again, reply)
		}
		if err := run.Progress(ctx, 90*(i+1)/(len(list)+askedTwice), "asking probes"); err != nil {
			return nil, nil, err
		}
	}
	return replies, again, nil
}

// groundedShare is how many of the statements' quotes still stand in their documents; nil when there are no statements.
func (s *Service) groundedShare(ctx context.Context, p *model.Persona) (*float64, error) {
	if len(p.GroundedStatements) == 0 {
		return nil, nil
	}
	var ids []string
	for _, statement := range p.GroundedStatements {
		ids = append(ids, statement.DocumentID)
	}
	docs, err := s.documents.ByIDs(ctx, p.WorkspaceID, once(ids), readColumns...)
	if err != nil {
		return nil, err
	}
	content := map[string]string{}
	for _, doc := range docs {
		content[doc.ID] = model.ValueOr(doc.Content, "")
	}
	n := 0
	for _, statement := range p.GroundedStatements {
		if stands(statement, content[statement.DocumentID]) {
			n++
		}
	}
	return new(rounded(float64(n) / float64(len(ids)))), nil
}

// judge measures replies; nobody is asked how they did.
func judge(cares []text.Care, replies, again []string, grounded *float64) *model.PersonaHealth {
	adherent, positive, alike := 0, 0, 0.0
	lowest, highest := 1.0, -1.0
	for _, reply := range replies {
		if slices.ContainsFunc(cares, func(c text.Care) bool { return c.Spoken(reply) }) {
			adherent++
		}
		feeling := text.Sentiment(reply)
		lowest, highest = min(lowest, feeling), max(highest, feeling)
		if feeling > feels {
			positive++
		}
	}
	for i, reply := range again {
		alike += text.Overlap(replies[i], reply)
	}
	share := func(n float64, of int) *float64 { return new(rounded(n / float64(max(of, 1)))) }
	h := &model.PersonaHealth{
		Adherence: share(float64(adherent), len(replies)), Positivity: share(float64(positive), len(replies)),
		Consistency: share(alike, len(again)), Spread: new(rounded(max(highest-lowest, 0) / 2)), GroundedShare: grounded,
		Probes: len(replies), MeasuredAt: new(model.Now()),
	}
	flag(h)
	return h
}

// flag names what is wrong with a persona's figures.
func flag(h *model.PersonaHealth) {
	h.Flags, h.Status = []string{}, model.PersonaHealthStatusHealthy
	for _, fault := range []struct {
		name  string
		there bool
	}{
		{"flat", *h.Spread < leastSpread}, {"always_positive", *h.Positivity >= mostPositivity},
		{"off_topic", *h.Adherence < leastAdherence}, {"inconsistent", *h.Consistency < leastConsistency},
		{"ungrounded", h.GroundedShare != nil && *h.GroundedShare < leastGrounded},
	} {
		if fault.there {
			h.Flags, h.Status = append(h.Flags, fault.name), model.PersonaHealthStatusFlagged
		}
	}
}

func tagOf(tag string) language.Tag { return language.Make(tag) }

// languageName is a language's name in English.
func languageName(tag string) string { return display.English.Tags().Name(tagOf(tag)) }
