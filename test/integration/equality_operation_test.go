package integration

import "testing"

func init() {
	addArea(map[string]call{
		"listAppVersions": {method: "GET", path: "/app-versions?page=1&per_page=5",
			variables: `{"page": 1, "per_page": 5}`},
		"getAppVersion": {method: "GET", path: "/app-versions/$appVersion", variables: `{"app_version_id": "$appVersion"}`},
		"listRegisteredOperations": {method: "GET", path: "/app-versions/$appVersion/operations?first=5",
			variables: `{"app_version_id": "$appVersion", "first": 5}`},
		"registerOperations": {method: "POST", path: "/app-versions",
			body:      `{"app": "phone", "version": "1", "manifest": {"home_id": "query Home { viewer { scopes } }"}}`,
			variables: `{"body": {"app": "phone", "version": "1", "manifest": {"home_id": "query Home { viewer { scopes } }"}}}`},
		"retireAppVersion": {method: "DELETE", path: "/app-versions/$appVersion",
			variables: `{"app_version_id": "$appVersion"}`, order: 3},
	}, prepareOperations)
}

// prepareOperations registers a version of a front end.
func prepareOperations(t *testing.T, s *state) {
	t.Helper()
	s.ids["$appVersion"] = s.post(t, "/app-versions",
		`{"app": "web", "version": "12", "manifest": {"home": "query Home { viewer { scopes } }"}}`, "id")
}
