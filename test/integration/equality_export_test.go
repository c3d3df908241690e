package integration

import (
	"testing"
)

func init() {
	addArea(map[string]call{
		"exportContent": {
			method: "POST", path: "/content-creation/export",
			body:      `{"format": "pdf", "title": "计划 (1)", "content_html": "<p>Hello ཀ</p>", "themes": ["growth"]}`,
			variables: `{"body": {"format": "PDF", "title": "计划 (1)", "contentHtml": "<p>Hello ཀ</p>", "themes": ["growth"]}}`,
		},
	}, func(*testing.T, *state) {})
}
