package integration

import "testing"

func init() {
	addArea(map[string]call{
		"listHouseRules": {method: "GET", path: "/house-rules?page=1&per_page=5", variables: `{"page": 1, "per_page": 5}`},
		"getHouseRule":   {method: "GET", path: "/house-rules/$rule", variables: `{"rule_id": "$rule"}`},
		"checkHouseRules": {method: "POST", path: "/house-rules/check", body: `{"content": "We utilize it.", "language": "en"}`,
			variables: `{"body": {"content": "We utilize it.", "language": "en"}}`},
		"getDraftHouseCheck": {method: "GET", path: "/content-creation/drafts/$words/house-check",
			variables: `{"draft_id": "$words"}`},
		"createHouseRule": {method: "POST", path: "/house-rules",
			body:      `{"source": "name: Other\nextends: existence\nmessage: Avoid it.\ntokens: [very]\n"}`,
			variables: `{"body": {"source": "name: Other\nextends: existence\nmessage: Avoid it.\ntokens: [very]\n"}}`},
		"updateHouseRule": {method: "PUT", path: "/house-rules/$rule",
			body:      `{"source": "name: New\nextends: existence\nmessage: Avoid it.\ntokens: [very]\n"}`,
			variables: `{"body": {"houseRuleId": "$rule", "source": "name: New\nextends: existence\nmessage: Avoid it.\ntokens: [very]\n"}}`,
			order:     1},
		"importHouseRules": {method: "POST", path: "/house-rules/import",
			body:      `{"source": "name: Third\nextends: existence\nmessage: Avoid it.\ntokens: [very]\n"}`,
			variables: `{"body": {"source": "name: Third\nextends: existence\nmessage: Avoid it.\ntokens: [very]\n"}}`,
			order:     2},
		"deleteHouseRule": {method: "DELETE", path: "/house-rules/$rule", variables: `{"rule_id": "$rule"}`, order: 3},
	}, prepareHouseRules)
}

// prepareHouseRules adds a rule, and a draft that does not keep to it.
func prepareHouseRules(t *testing.T, s *state) {
	t.Helper()
	s.ids["$rule"] = s.post(t, "/house-rules",
		`{"source": "name: Words\nextends: substitution\nmessage: '%s, not %s'\nswap: {utilize: use}\n"}`, "id")
	s.ids["$words"] = s.post(t, "/content-creation/drafts", `{"title": "Words", "content": "We utilize it."}`, "draft", "id")
}
