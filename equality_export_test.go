package main

import (
	"testing"
)

func init() {
	cover(map[string]call{
		"exportContent": {
			method: "POST", path: "/content-creation/export",
			body:      `{"format": "docx", "title": "计划 (1)", "content_html": "<p>Hello</p>", "themes": ["growth"]}`,
			variables: `{"body": {"format": "DOCX", "title": "计划 (1)", "contentHtml": "<p>Hello</p>", "themes": ["growth"]}}`,
		},
	}, func(*testing.T, *state) {})
}
