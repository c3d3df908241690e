package model_test

import (
	"fmt"
	"slices"
	"testing"

	"rostrum/model"
)

// TestRoles checks what the table of roles promises: an owner may do all, every role reads, a role
// has the abilities of a key with its scopes, and the former role is the editor.
func TestRoles(t *testing.T) {
	t.Parallel()
	for _, role := range model.Roles {
		if !role.Can(model.AbilityRead) {
			t.Errorf("the role %s cannot read", role)
		}
		for _, scope := range role.Scopes() {
			for _, ability := range scope.Abilities() {
				if !role.Can(ability) {
					t.Errorf("the role %s has the scope %s and not the ability %s", role, scope, ability)
				}
			}
		}
		if role.Can(model.AbilityManage) != (role == model.RoleOwner) {
			t.Errorf("the role %s manages: %v", role, role.Can(model.AbilityManage))
		}
	}
	if got := fmt.Sprint(model.RoleOwner.Scopes(), model.RoleEditor.Scopes(), model.RoleAuthor.Scopes()); got !=
		"[read write admin] [read write] [read]" {
		t.Errorf("the scopes of roles are %s", got)
	}
	if !slices.Equal(model.RoleMember.Abilities(), model.RoleMember.Current().Abilities()) ||
		model.RoleMember.Current() != model.RoleEditor {
		t.Error("the former role is no editor")
	}
	if model.Role("emperor").Can(model.AbilityRead) {
		t.Error("an unknown role reads")
	}
}
