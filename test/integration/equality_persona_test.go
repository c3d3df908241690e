package integration

import "testing"

func init() {
	addArea(map[string]call{
		"listPersonas": {method: "GET",
			path: "/personas?limit=2&offset=0&category=press&q=tidal&entity_kind=person&is_active=true&order_by=name",
			variables: `{"limit": 2, "offset": 0, "category": "press", "q": "tidal", "entity_kind": "PERSON", "is_active": true,
				"order_by": {"field": "NAME", "direction": "ASC"}}`},
		"getPersona": {method: "GET", path: "/personas/$persona",
			variables: `{"persona_id": "$persona"}`},
		"listPersonaCategories": {method: "GET", path: "/personas/categories", variables: `{}`},
		"createPersona": {method: "POST", path: "/personas",
			body:      `{"name": "n", "voice_visibility": "private", "external_sources": [{"a": 1}]}`,
			variables: `{"body": {"name": "n", "voiceVisibility": "PRIVATE", "externalSources": [{"a": 1}]}}`},
		"updatePersona": {method: "PATCH", path: "/personas/$persona",
			body:      `{"tone": "dry", "entity_kind": null}`,
			variables: `{"body": {"personaId": "$persona", "tone": "dry", "entityKind": null}}`},
		"deletePersona": {method: "DELETE", path: "/personas/$persona",
			variables: `{"persona_id": "$persona"}`, order: 3},
		"personaFeedback": {method: "POST", path: "/personas/$persona/feedback",
			body:      `{"feedback_type": "negative", "description": "d", "message_id": "m"}`,
			variables: `{"body": {"personaId": "$persona", "feedbackType": "NEGATIVE", "description": "d", "messageId": "m"}}`},
		"listPersonaRefinements": {method: "GET", path: "/personas/$persona/refinements",
			variables: `{"persona_id": "$persona"}`},
		"deletePersonaRefinement": {method: "DELETE", path: "/personas/$persona/refinements/$refinement",
			variables: `{"persona_id": "$persona", "refinement_id": "$refinement"}`, order: 2},
		"interact": {method: "POST", path: "/personas/interact",
			body: `{"persona_id": "$persona", "message": "The tidal plant is late.", "interaction_type": "conversation"}`, variables: `{"body": {"personaId": "$persona", "inputContent": "The tidal plant is late.", "interactionType": "CONVERSATION"}}`},
		"interactStream": {method: "POST", path: "/personas/interact",
			body:      `{"persona_id": "$persona", "input_content": "Tidal power grows."}`,
			variables: `{"body": {"personaId": "$persona", "inputContent": "Tidal power grows."}}`, accept: stream},
		"estimateInteract": {method: "POST", path: "/personas/interact?estimate=true",
			body:      `{"persona_id": "$persona", "message": "x"}`,
			variables: `{"body": {"personaId": "$persona", "inputContent": "x"}}`},
		"interactAsync": {method: "POST", path: "/personas/interact/async",
			body:      `{"persona_id": "$persona", "message": "x"}`,
			variables: `{"body": {"personaId": "$persona", "inputContent": "x"}}`, order: 1},
		"estimateInteractAsync": {method: "POST", path: "/personas/interact/async?estimate=true",
			body:      `{"persona_id": "$persona", "message": "x"}`,
			variables: `{"body": {"personaId": "$persona", "inputContent": "x"}}`},
		"listPersonaInteractions": {method: "GET", path: "/personas/$persona/interactions?per_page=1",
			variables: `{"persona_id": "$persona", "per_page": 1}`},
		"draftPersona": {method: "POST", path: "/personas/draft",
			body:      `{"name": "Retail investors", "overwrite_existing": true, "tone": "t"}`,
			variables: `{"body": {"name": "Retail investors", "overwriteExisting": true, "tone": "t"}}`},
		"estimateDraftPersona": {method: "POST", path: "/personas/draft?estimate=true",
			body: `{"name": "n"}`, variables: `{"body": {"name": "n"}}`},
		"draftPersonaAsync": {method: "POST", path: "/personas/draft/async", body: `{"name": "n"}`,
			variables: `{"body": {"name": "n"}}`, order: 1},
		"estimateDraftPersonaAsync": {method: "POST", path: "/personas/draft/async?estimate=true",
			body: `{"name": "n"}`, variables: `{"body": {"name": "n"}}`},
		"buildPersona": {method: "POST", path: "/personas/build/async",
			body: `{"name": "n", "document_ids": []}`, variables: `{"body": {"name": "n", "documentIds": []}}`,
			order: 1},
		"estimateBuildPersona": {method: "POST", path: "/personas/build/async?estimate=true",
			body: `{"name": "n", "document_ids": []}`, variables: `{"body": {"name": "n", "documentIds": []}}`},
		"personaGenerateContent": {method: "POST", path: "/personas/$persona/generate-content",
			body:      `{"topic": "Tides", "content_type": "blog", "length": "long"}`,
			variables: `{"body": {"personaId": "$persona", "topic": "Tides", "contentType": "blog", "length": "LONG"}}`},
		"estimatePersonaGenerateContent": {method: "POST",
			path: "/personas/$persona/generate-content?estimate=true", body: `{"topic": "t"}`,
			variables: `{"body": {"personaId": "$persona", "topic": "t"}}`},
		"personaGenerateContentAsync": {method: "POST", path: "/personas/$persona/generate-content/async",
			body: `{"topic": "t"}`, variables: `{"body": {"personaId": "$persona", "topic": "t"}}`, order: 1},
		"estimatePersonaGenerateContentAsync": {method: "POST",
			path: "/personas/$persona/generate-content/async?estimate=true", body: `{"topic": "t"}`,
			variables: `{"body": {"personaId": "$persona", "topic": "t"}}`},
		"measurePersonaHealth": {method: "POST", path: "/personas/$persona/health/async",
			variables: `{"body": {"personaId": "$persona"}}`, refusal: "engine_required", order: 1},
		"estimateMeasurePersonaHealth": {method: "POST", path: "/personas/$persona/health/async?estimate=true",
			variables: `{"body": {"personaId": "$persona"}}`},
	}, preparePersonas)
}

// preparePersonas creates a persona with an insight.
func preparePersonas(t *testing.T, s *state) {
	t.Helper()
	s.ids["$persona"] = s.post(t, "/personas", `{"name": "Marit Solheim", "category": "press", "description": "Writes on tidal power.",
		"social_links": [{"platform": "x", "url": "https://x.example/marit"}]}`, "persona_id")
	s.ids["$refinement"] = s.post(t, "/personas/"+s.ids["$persona"]+"/feedback",
		`{"feedback_type": "negative", "description": "Ask for the price."}`, "refinement", "id")
	s.post(t, "/documents", `{"title": "Dividends", "content": "Retail investors ask for steady dividends.", "content_type": "text"}`, "document", "id")
	s.post(t, "/personas/interact", `{"persona_id": "Marit Solheim", "message": "Tides rise."}`, "interaction_id")
}
