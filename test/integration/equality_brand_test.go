package integration

import "testing"

func init() {
	addArea(map[string]call{
		"getBrand": {method: "GET", path: "/workspace/brand", variables: `{}`},
		"updateBrand": {method: "PATCH", path: "/workspace/brand",
			body:      `{"name": "Tidewall", "accent_color": "#0A5C36", "imprint": "Quay 1", "privacy_url": "https://example.org/privacy"}`,
			variables: `{"body": {"name": "Tidewall", "accentColor": "#0A5C36", "imprint": "Quay 1", "privacyUrl": "https://example.org/privacy"}}`},
	}, func(*testing.T, *state) {})
}
