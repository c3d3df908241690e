package model

import "slices"

// Role is the role of a workspace's member.
type Role string

// The values of Role.
const (
	RoleOwner    Role = "owner"
	RoleEditor   Role = "editor"
	RoleAuthor   Role = "author"
	RoleReviewer Role = "reviewer"
	RoleViewer   Role = "viewer"
	// RoleMember is the former name of RoleEditor. Gateways of earlier revisions may store it.
	RoleMember Role = "member"
)

// Roles are the roles that members have, the one with most abilities first.
var Roles = []Role{RoleOwner, RoleEditor, RoleAuthor, RoleReviewer, RoleViewer}

// Ability is what a field of the graph needs its caller to be able to do.
type Ability string

// The values of Ability.
const (
	AbilityRead   Ability = "read"
	AbilityReview Ability = "review"
	AbilityAsk    Ability = "ask"
	AbilityWrite  Ability = "write"
	AbilityEdit   Ability = "edit"
	AbilityManage Ability = "manage"
)

// Abilities are all abilities, in the order in which they are shown.
var Abilities = []Ability{AbilityRead, AbilityReview, AbilityAsk, AbilityWrite, AbilityEdit, AbilityManage}

// roleAbilities is the table of what each role may do.
var roleAbilities = map[Role][]Ability{
	RoleOwner:    Abilities,
	RoleEditor:   {AbilityRead, AbilityReview, AbilityAsk, AbilityWrite, AbilityEdit},
	RoleAuthor:   {AbilityRead, AbilityAsk, AbilityWrite},
	RoleReviewer: {AbilityRead, AbilityReview, AbilityAsk},
	RoleViewer:   {AbilityRead},
	RoleMember:   {AbilityRead, AbilityReview, AbilityAsk, AbilityWrite, AbilityEdit},
}

// Abilities returns what the role may do; nothing for an unknown role.
func (r Role) Abilities() []Ability { return roleAbilities[r] }

// Can reports whether the role has the ability.
func (r Role) Can(a Ability) bool { return slices.Contains(roleAbilities[r], a) }

// Scopes returns the scopes of keys that may do no more than the role.
func (r Role) Scopes() []Scope {
	scopes := []Scope{}
	for _, scope := range []Scope{ScopeRead, ScopeWrite, ScopeAdmin} {
		if !slices.ContainsFunc(scope.Abilities(), func(a Ability) bool { return !r.Can(a) }) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

// Current returns the role under its present name.
func (r Role) Current() Role {
	if r == RoleMember {
		return RoleEditor
	}
	return r
}

// Abilities returns what a key with the scope may do.
func (s Scope) Abilities() []Ability {
	switch s {
	case ScopeRead:
		return []Ability{AbilityRead}
	case ScopeWrite:
		return RoleEditor.Abilities()
	case ScopeAdmin:
		return Abilities
	}
	return nil
}
