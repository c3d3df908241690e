package content

import "strings"

// levelMust is the level of a point that a piece cannot do without.
const levelMust = "must"

// levelOf is a point's level; it is a must when nothing else is said (shared/spec/workspace-api.md, "PullThroughPriority").
func levelOf(level *string) string {
	if level = given(level); level == nil {
		return levelMust
	}
	return strings.ToLower(strings.TrimSpace(*level))
}
