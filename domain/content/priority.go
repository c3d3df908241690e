package content

import "strings"

// levelMust is the level of a required point.
const levelMust = "must"

// levelOf returns the level of a point, by default levelMust (shared/spec/workspace-api.md, "PullThroughPriority").
func levelOf(level *string) string {
	if level = nonBlank(level); level == nil {
		return levelMust
	}
	return strings.ToLower(strings.TrimSpace(*level))
}
