package integration

import (
	"fmt"
	"strings"
	"testing"

	"rostrum/domain/account"
	"rostrum/model"
)

func init() {
	addArea(map[string]call{
		"getWorkspace": {method: "GET", path: "/workspace", variables: `{}`},
		"listKeys":     {method: "GET", path: "/auth/keys", variables: `{}`},
		"mintKey": {method: "POST", path: "/auth/keys", body: `{"name": "n"}`,
			variables: `{"body": {"name": "n"}}`},
		"rotateKey": {method: "POST", path: "/auth/keys/$key/rotate", body: `{"overlap_seconds": 5}`,
			variables: `{"body": {"keyId": "$key", "overlapSeconds": 5}}`},
		"revokeKey":   {method: "DELETE", path: "/auth/keys/$key", variables: `{"key_id": "$key"}`, order: 1},
		"listMembers": {method: "GET", path: "/members", variables: `{}`},
		"updateMember": {method: "PATCH", path: "/members/$member", body: `{"role": "viewer"}`,
			variables: `{"body": {"memberId": "$member", "role": "VIEWER"}}`},
		"resetPassword": {method: "POST", path: "/members/$member/password-link",
			variables: `{"member_id": "$member"}`, order: 1},
		"removeMember": {method: "DELETE", path: "/members/$member", variables: `{"member_id": "$member"}`, order: 2},
		"listInvites":  {method: "GET", path: "/invites", variables: `{}`},
		"inviteMember": {method: "POST", path: "/invites", body: `{"email": "new@example.org", "role": "author"}`,
			variables: `{"body": {"email": "new@example.org", "role": "AUTHOR"}}`},
		"renewInvite":  {method: "POST", path: "/invites/$invite/renew", variables: `{"invite_id": "$invite"}`},
		"revokeInvite": {method: "DELETE", path: "/invites/$invite", variables: `{"invite_id": "$invite"}`, order: 1},
		"changePassword": {method: "PUT", path: "/auth/password",
			body:      `{"current_password": "a", "new_password": "b"}`,
			variables: `{"body": {"currentPassword": "a", "newPassword": "b"}}`, refusal: "invalid_state"},
		"getSecondFactor": {method: "GET", path: "/auth/second-factor", variables: `{}`},
		"startSecondFactor": {method: "POST", path: "/auth/second-factor", body: `{"current_password": "a"}`,
			variables: `{"body": {"currentPassword": "a"}}`, refusal: "invalid_state"},
		"confirmSecondFactor": {method: "POST", path: "/auth/second-factor/confirm", body: `{"code": "123456"}`,
			variables: `{"body": {"code": "123456"}}`, refusal: "invalid_state"},
		"renewRecoveryCodes": {method: "POST", path: "/auth/second-factor/recovery-codes", body: `{"code": "123456"}`,
			variables: `{"body": {"code": "123456"}}`, refusal: "invalid_state"},
		"removeSecondFactor": {method: "POST", path: "/auth/second-factor/remove", body: `{"code": "123456"}`,
			variables: `{"body": {"code": "123456"}}`, refusal: "invalid_state"},
		"resetSecondFactor": {method: "DELETE", path: "/members/$member/second-factor",
			variables: `{"member_id": "$member"}`, refusal: "invalid_state"},
		"listSessions": {method: "GET", path: "/auth/sessions", variables: `{}`},
		"endSession": {method: "DELETE", path: "/auth/sessions/sgn_1", variables: `{"session_id": "sgn_1"}`,
			refusal: "not_found"},
		"getMailSettings": {method: "GET", path: "/auth/mail-settings", variables: `{}`},
		"updateMailSettings": {method: "PATCH", path: "/auth/mail-settings", body: `{"alerts": ["document.ready"]}`,
			variables: `{"body": {"alerts": ["DOCUMENT_READY"]}}`, refusal: "invalid_state"},
		"updateWorkspace": {method: "PATCH", path: "/workspace", body: `{"name": "Renamed", "market_language": "de"}`,
			variables: `{"body": {"name": "Renamed", "marketLanguage": "de"}}`},
	}, func(t *testing.T, s *state) {
		s.ids["$member"] = addEqualMember(t, s)
		s.ids["$invite"] = s.post(t, "/invites", `{"email": "guest@example.org", "role": "viewer"}`, "invite", "id")
		s.ids["$key"] = s.post(t, "/auth/keys", `{"name": "k", "scopes": ["read"]}`, "key", "id")
	})
}

// addEqualMember adds a member to the workspace of a state and returns the member's id.
func addEqualMember(t *testing.T, s *state) string {
	t.Helper()
	if _, err := s.app.AddUser(t.Context(), account.NewUser{Email: fmt.Sprintf("%s@example.org",
		strings.ToLower(model.NewID("member"))), Name: "Ola", WorkspaceID: s.app.WorkspaceID,
		Role: model.RoleEditor}); err != nil {
		t.Fatal(err)
	}
	answer := s.app.Do(t, "GET", "/api/v1/members", nil, "").Want(t, 200)
	_, id, _ := strings.Cut(string(answer.Body), `"id":"`)
	return id[:strings.Index(id, `"`)]
}
