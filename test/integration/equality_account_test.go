package integration

import "testing"

func init() {
	addArea(map[string]call{
		"getWorkspace": {method: "GET", path: "/workspace", variables: `{}`},
		"listKeys":     {method: "GET", path: "/auth/keys", variables: `{}`},
		"mintKey": {method: "POST", path: "/auth/keys", body: `{"name": "n"}`,
			variables: `{"body": {"name": "n"}}`},
		"rotateKey": {method: "POST", path: "/auth/keys/$key/rotate", body: `{"overlap_seconds": 5}`,
			variables: `{"body": {"keyId": "$key", "overlapSeconds": 5}}`},
		"revokeKey": {method: "DELETE", path: "/auth/keys/$key", variables: `{"key_id": "$key"}`, order: 1},
	}, func(t *testing.T, s *state) {
		s.ids["$key"] = s.post(t, "/auth/keys", `{"name": "k", "scopes": ["read"]}`, "key", "id")
	})
}
