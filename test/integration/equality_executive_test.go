package integration

import "testing"

func init() {
	addArea(map[string]call{
		"listSignals": {method: "GET", path: "/signals?per_page=5&certainty=proved&q=the",
			variables: `{"per_page": 5, "certainty": "PROVED", "q": "the"}`},
		"getExecutive": {method: "GET", path: "/executives/Ines%20Okafor%20%2F%20A?fresh=true",
			variables: `{"name": "Ines Okafor / A", "fresh": true}`},
		"listExecutives": {method: "GET", path: "/executives?per_page=1&page=2&order_by=-documents",
			variables: `{"per_page": 1, "page": 2, "order_by": {"field": "DOCUMENTS", "direction": "DESC"}}`},
		"listExecutiveVoices": {method: "GET", path: "/executive-voices", variables: `{}`},
		"setVoiceEnabled": {method: "PATCH", path: "/executive-voices/$voice", body: `{"enabled": false}`,
			variables: `{"body": {"personaId": "$voice", "enabled": false}}`},
		"toggleVoice": {method: "POST", path: "/executive-voices/toggle",
			body:      `{"executive": "Marcus Lee", "enabled": true}`,
			variables: `{"body": {"executive": "Marcus Lee", "enabled": true}}`},
		"workspaceSignals": {method: "POST", path: "/workspace/signals",
			body: `{"document_id": "$second", "user_id": "u"}`, variables: `{"body": {"documentId": "$second"}}`},
		"estimateWorkspaceSignals": {method: "POST", path: "/workspace/signals?estimate=true",
			body: `{"document_id": "$second"}`, variables: `{"body": {"documentId": "$second"}}`},
		"workspaceSignalsAsync": {method: "POST", path: "/workspace/signals/async",
			body: `{"document_id": "$second"}`, variables: `{"body": {"documentId": "$second"}}`, order: 1},
		"compareInsights": {method: "POST", path: "/insights/compare",
			body: `{"theme": "tidal power", "comparison_type": "company", "strategic_map": true, "own_company": "Tidewall", "personas": ["$neighbour"]}`, variables: `{"body": {"theme": "tidal power", "comparisonType": "COMPANY", "strategicMap": true, "ownCompany": "Tidewall", "personas": ["$neighbour"]}}`},
		"estimateCompareInsights": {method: "POST", path: "/insights/compare?estimate=true", body: `{"theme": "t"}`,
			variables: `{"body": {"theme": "t"}}`},
		"compareInsightsAsync": {method: "POST", path: "/insights/compare/async", body: `{"theme": "t"}`,
			variables: `{"body": {"theme": "t"}}`, order: 1},
	}, prepareExecutives)
}

// prepareExecutives stores statements of two executives; the first has a voice and signals.
func prepareExecutives(t *testing.T, s *state) {
	t.Helper()
	s.ids["$first"] = s.post(t, "/documents", `{"title": "A", "content": "Tidal power is a great success for the harbour.", "executive": "Ines Okafor / A", "company": "Tidewall"}`, "document", "id")
	s.ids["$second"] = s.post(t, "/documents", `{"title": "B", "content": "Tidal power is a terrible risk for the eels.", "executive": "Marcus Lee", "company": "Saltmarsh"}`, "document", "id")
	s.post(t, "/workspace/signals", `{"document_id": "`+s.ids["$first"]+`"}`, "document_id")
	s.ids["$voice"] = s.post(t, "/executive-voices/toggle", `{"executive": "Ines Okafor / A", "enabled": true}`,
		"persona_id")
	s.ids["$neighbour"] = s.post(t, "/personas", `{"name": "Neighbours", "interests": "success", "concerns": "eels"}`,
		"persona_id")
}
