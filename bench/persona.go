package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"
)

// parity is an answer about personas beside the one about documents whose speed it is claimed to have.
type parity struct {
	name                string
	documents, personas *contender
}

// parityClaim is the least ratio of personas' rate to documents'. A persona has half as many fields again.
const parityClaim = 0.7

const personaFields = `id workspaceId name category description communicationStyle concerns interests tone instructions template avatarSource
 avatarUrl createdAt createdBy updatedAt defaultVoiceProfileId entityKind entityKindResolved externalSources includeInAudience
 includeInVoiceList isActive responseLanguage sourcePersonaId voiceVisibility writingSampleDocumentIds socialLinks { platform url }
 groundedStatements { statement quote documentId documentTitle start end } refinements { id instruction feedbackId createdAt }
 healthState { status adherence consistency spread positivity groundedShare flags probes measuredAt }`

// parities seeds personas and plays both sides in turns, through GraphQL.
func parities(ctx context.Context, g *gateway, places []*place, s settings) ([]*parity, error) {
	progress("seeding %d × %d personas", len(places), rows)
	ids := make([][]string, len(places))
	for i, p := range places {
		for n := range rows {
			id, err := g.persona(ctx, p, n)
			if err != nil {
				return nil, err
			}
			ids[i] = append(ids[i], id)
		}
	}
	one, err := g.parity(ctx, "one persona, one document", places, shape{one: true, tags: true}, func(p, n int) request {
		return graphOf(g.base, places[p], 1, `query ($id: ID!) { persona(id: $id) { `+personaFields+` } }`, map[string]any{"id": ids[p][n]})
	})
	if err != nil {
		return nil, err
	}
	list, err := g.parity(ctx, "50 with what stands beside them, total", places, shape{tags: true, total: true}, func(p, _ int) request {
		return graphOf(g.base, places[p], rows, `query { personas(limit: 50) { totalCount nodes { `+personaFields+` } } }`, nil)
	})
	if err != nil {
		return nil, err
	}
	all := []*parity{one, list}
	for round := range rounds {
		for _, one := range all {
			if err := one.play(ctx, round, s); err != nil {
				return nil, fmt.Errorf("%s: %w", one.name, err)
			}
		}
	}
	return all, nil
}

// persona makes a persona and what it learned; it gives the id.
func (g *gateway) persona(ctx context.Context, p *place, n int) (string, error) {
	v := newInventor(uint64(n))
	made, err := g.post(ctx, p, "/api/v1/personas", map[string]any{
		"name": v.words(2), "category": v.words(1), "description": v.words(40), "interests": v.words(8), "concerns": v.words(8),
		"social_links": []map[string]string{{"platform": "x", "url": "https://x.example/"}},
	})
	if err != nil {
		return "", err
	}
	_, err = g.post(ctx, p, "/api/v1/personas/"+made.PersonaID+"/feedback", map[string]any{"feedback_type": "negative", "description": v.words(12)})
	return made.PersonaID, err
}

type madePersona struct {
	PersonaID string `json:"persona_id"`
}

func (g *gateway) post(ctx context.Context, p *place, path string, body any) (madePersona, error) {
	var made madePersona
	req, err := request{method: http.MethodPost, url: g.base + path, key: p.key, body: body}.http(ctx)
	if err != nil {
		return made, err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return made, fmt.Errorf("make a persona: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return made, fmt.Errorf("make a persona: status %d (%w): %.300s", answer.StatusCode, err, text)
	}
	return made, json.Unmarshal(text, &made)
}

func graphOf(base string, p *place, documents int, query string, variables map[string]any) request {
	body := map[string]any{"query": query, "variables": variables}
	return request{method: http.MethodPost, url: base + "/graphql", key: p.key, body: body, documents: documents}
}

func (g *gateway) parity(
	ctx context.Context, name string, places []*place, s shape, ask func(place, n int) request,
) (*parity, error) {
	var beside, requests []request
	for n := range rows {
		for i, p := range places {
			t := target{place: p, page: 1}
			if s.one {
				t.id = p.documents[n%len(p.documents)]
			}
			beside, requests = append(beside, s.graphQL(g.base, t)), append(requests, ask(i, n))
		}
	}
	documents, err := newContender(ctx, "documents", g.base, beside)
	if err != nil {
		return nil, err
	}
	personas, err := newContender(ctx, "personas", g.base, requests)
	return &parity{name, documents, personas}, err
}

func (p *parity) play(ctx context.Context, round int, s settings) error {
	sides := []*contender{p.documents, p.personas}
	if round%2 == 1 {
		slices.Reverse(sides)
	}
	for _, side := range sides {
		taken, err := side.load(ctx, s.connections[0], s.slice())
		if err != nil {
			return err
		}
		side.rounds = append(side.rounds, taken)
	}
	return nil
}

func (r *report) personas(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "answer\tpersonas/s\tdocuments/s\tratio\tasked\t")
	for _, p := range r.parities {
		ratio := p.personas.ratio(p.documents)
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.2f\tat least %.1f: %s\t\n", p.name, p.personas.perSecond(), p.documents.perSecond(), ratio,
			parityClaim, verdict(ratio >= parityClaim))
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}
