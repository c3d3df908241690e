package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"
)

// personaComparison compares a response with personas and the response with documents whose rate is
// its reference.
type personaComparison struct {
	name                string
	documents, personas *candidate
}

// parityClaim is the minimum ratio of the personas' rate to the documents'. A persona has half as
// many fields again.
const parityClaim = 0.7

const personaFields = `id workspaceId name category description communicationStyle concerns interests tone instructions template avatarSource
 avatarUrl createdAt createdBy updatedAt defaultVoiceProfileId entityKind entityKindResolved externalSources includeInAudience
 includeInVoiceList isActive responseLanguage sourcePersonaId voiceVisibility writingSampleDocumentIds socialLinks { platform url }
 groundedStatements { statement quote documentId documentTitle start end } refinements { id instruction feedbackId createdAt }
 healthState { status adherence consistency spread positivity groundedShare flags probes measuredAt }`

// comparePersonas seeds personas and loads both sides in alternation, through GraphQL.
func comparePersonas(ctx context.Context, g *gateway, tenants []*seededWorkspace, s settings) ([]*personaComparison,
	error) {
	logProgress("seeding %d × %d personas", len(tenants), listSize)
	ids := make([][]string, len(tenants))
	for i, p := range tenants {
		for n := range listSize {
			id, err := g.createPersona(ctx, p, n)
			if err != nil {
				return nil, err
			}
			ids[i] = append(ids[i], id)
		}
	}
	one, err := g.newPersonaComparison(ctx, "one persona, one document", tenants, shape{single: true, tags: true},
		func(p, n int) request {
			return graphRequest(g.base, tenants[p], 1, `query ($id: ID!) { persona(id: $id) { `+personaFields+` } }`,
				map[string]any{"id": ids[p][n]})
		})
	if err != nil {
		return nil, err
	}
	list, err := g.newPersonaComparison(ctx, "50 with related data, total", tenants, shape{tags: true, total: true},
		func(p, _ int) request {
			return graphRequest(g.base, tenants[p], listSize, `query { personas(first: 50) { totalCount nodes { `+
				personaFields+` } } }`, nil)
		})
	if err != nil {
		return nil, err
	}
	all := []*personaComparison{one, list}
	for round := range rounds {
		for _, one := range all {
			if err := one.runRound(ctx, round, s); err != nil {
				return nil, fmt.Errorf("%s: %w", one.name, err)
			}
		}
	}
	return all, nil
}

// createPersona creates a persona with insights and returns its id.
func (g *gateway) createPersona(ctx context.Context, p *seededWorkspace, n int) (string, error) {
	v := newGenerator(uint64(n))
	made, err := g.post(ctx, p, "/api/v1/personas", map[string]any{
		"name": v.words(2), "category": v.words(1), "description": v.words(40), "interests": v.words(8),
		"concerns":     v.words(8),
		"social_links": []map[string]string{{"platform": "x", "url": "https://x.example/"}},
	})
	if err != nil {
		return "", err
	}
	_, err = g.post(ctx, p, "/api/v1/personas/"+made.PersonaID+"/feedback",
		map[string]any{"feedback_type": "negative", "description": v.words(12)})
	return made.PersonaID, err
}

type madePersona struct {
	PersonaID string `json:"persona_id"`
}

func (g *gateway) post(ctx context.Context, p *seededWorkspace, path string, body any) (madePersona, error) {
	var made madePersona
	if err := (request{method: http.MethodPost, url: g.base + path, key: p.key, body: body}).
		read(ctx, &made); err != nil {
		return made, fmt.Errorf("create a persona: %w", err)
	}
	return made, nil
}

func graphRequest(base string, p *seededWorkspace, documents int, query string, variables map[string]any) request {
	body := map[string]any{"query": query, "variables": variables}
	return request{method: http.MethodPost, url: base + "/graphql", key: p.key, body: body, documents: documents}
}

func (g *gateway) newPersonaComparison(
	ctx context.Context, name string, tenants []*seededWorkspace, s shape, ask func(place, n int) request,
) (*personaComparison, error) {
	var reference, requests []request
	for n := range listSize {
		for i, p := range tenants {
			t := target{workspace: p, page: 1}
			if s.single {
				t.id = p.documents[n%len(p.documents)]
			}
			reference, requests = append(reference, s.graphQL(g.base, t)), append(requests, ask(i, n))
		}
	}
	documents, err := newCandidate(ctx, "documents", g.base, reference)
	if err != nil {
		return nil, err
	}
	personas, err := newCandidate(ctx, "personas", g.base, requests)
	return &personaComparison{name, documents, personas}, err
}

func (p *personaComparison) runRound(ctx context.Context, round int, s settings) error {
	sides := []*candidate{p.documents, p.personas}
	if round%2 == 1 {
		slices.Reverse(sides)
	}
	for _, side := range sides {
		taken, err := side.sendLoad(ctx, s.connections[0], s.slice())
		if err != nil {
			return err
		}
		side.rounds = append(side.rounds, taken)
	}
	return nil
}

func (r *report) personas(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "answer\tpersonas/s\tdocuments/s\tratio\tclaim\t")
	for _, p := range r.parities {
		ratio := p.personas.ratio(p.documents)
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.2f\tat least %.1f: %s\t\n", p.name, p.personas.perSecond(),
			p.documents.perSecond(), ratio,
			parityClaim, formatVerdict(ratio >= parityClaim))
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}
