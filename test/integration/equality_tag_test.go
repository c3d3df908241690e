package integration

import (
	"encoding/json"
	"net/http"
	"testing"
)

func init() {
	addArea(map[string]call{
		"listAutoTags": {method: "GET", path: "/auto-tags?per_page=1", variables: `{"per_page": 1}`},
		"getAutoTag":   {method: "GET", path: "/auto-tags/$sector", variables: `{"id": "$sector"}`},
		"createAutoTag": {method: "POST", path: "/auto-tags",
			body:      `{"name": "Place", "tag_type": "place", "examples": [{"snippet": "In Bergen", "value": "Bergen"}]}`,
			variables: `{"body": {"name": "Place", "tagType": "place", "examples": [{"snippet": "In Bergen", "value": "Bergen"}]}}`},
		"updateAutoTag": {method: "PATCH", path: "/auto-tags/$sector", body: `{"min_confidence": 0.7}`,
			variables: `{"body": {"autoTagId": "$sector", "minConfidence": 0.7}}`},
		"deleteAutoTag": {method: "DELETE", path: "/auto-tags/$unlinked", variables: `{"id": "$unlinked"}`,
			alone: true},
		"listDocumentAutoTags": {method: "GET", path: "/documents/$doc/auto-tags",
			variables: `{"doc_id": "$doc"}`},
		"applyAutoTags": {method: "POST", path: "/documents/$doc/auto-tags",
			body:      `{"auto_tag_ids": ["$sector"]}`,
			variables: `{"body": {"documentId": "$doc", "autoTagIds": ["$sector"]}}`, order: 1},
		"estimateApplyAutoTags": {method: "POST", path: "/documents/$doc/auto-tags?estimate=true",
			variables: `{"body": {"documentId": "$doc"}}`},
		"applyAutoTagsAsync": {method: "POST", path: "/documents/$doc/auto-tags/async",
			variables: `{"body": {"documentId": "$doc"}}`, order: 1},
		"estimateApplyAutoTagsAsync": {method: "POST", path: "/documents/$doc/auto-tags/async?estimate=true",
			variables: `{"body": {"documentId": "$doc"}}`},
		"listAutoTagReviews": {method: "GET", path: "/auto-tag-reviews?document_id=$doc",
			variables: `{"document_id": "$doc"}`},
		"acceptAutoTagValue": {method: "POST", path: "/auto-tag-reviews/$review/accept",
			variables: `{"id": "$review"}`},
		"correctAutoTagValue": {method: "POST", path: "/auto-tag-reviews/$applied/correct",
			body: `{"value": "solar power"}`, variables: `{"body": {"reviewId": "$applied", "value": "solar power"}}`},
		"rejectAutoTagValue": {method: "POST", path: "/auto-tag-reviews/$review/reject",
			variables: `{"id": "$review"}`, alone: true},
		"listCommunications": {method: "GET", path: "/communications?show_filtered=true&auto_tags=$sector:Energy&order_by=-created_at",
			variables: `{"show_filtered": true, "auto_tags": [{"autoTagId": "$sector", "value": "Energy"}],
				"order_by": {"field": "CREATED_AT", "direction": "DESC"}}`},
		"getCommsFilters": {method: "GET", path: "/comms-filters", variables: `{}`},
		"replaceCommsFilters": {method: "PUT", path: "/comms-filters",
			body:      `{"filters": {"$manual": false, "$sector": {"enabled": true, "values": ["Solar power"]}}}`,
			variables: `{"body": {"filters": {"$manual": false, "$sector": {"enabled": true, "values": ["Solar power"]}}}}`},
		"tryCommsFilters": {method: "PUT", path: "/comms-filters?dry_run=true", body: `{"filters": {}}`,
			variables: `{"body": {"filters": {}, "dryRun": true}}`},
		"createFilterTag": {method: "POST", path: "/comms-filters/tags",
			body:      `{"name": "Adverts", "enabled": false}`,
			variables: `{"body": {"name": "Adverts", "enabled": false}}`},
		"updateFilterTag": {method: "PATCH", path: "/comms-filters/tags/$manual", body: `{"enabled": false}`,
			variables: `{"body": {"tagId": "$manual", "enabled": false}}`},
		"deleteFilterTag": {method: "DELETE", path: "/comms-filters/tags/$manual",
			variables: `{"tag_id": "$manual"}`, order: 2},
		"listLinkableTags": {method: "GET", path: "/comms-filters/linkable-tags?q=mo",
			variables: `{"q": "mo"}`},
		"linkTag": {method: "PUT", path: "/comms-filters/linked-tags/$unlinked",
			body: `{"values": ["x"]}`, variables: `{"body": {"autoTagId": "$unlinked", "values": ["x"]}}`},
		"unlinkTag": {method: "DELETE", path: "/comms-filters/linked-tags/$sector",
			variables: `{"auto_tag_id": "$sector"}`},
		"listFilterTagValues": {method: "GET", path: "/comms-filters/tags/$sector/values?limit=5",
			variables: `{"tag_id": "$sector", "limit": 5}`},
		"excludeDocument": {method: "POST", path: "/comms-filters/tags/$manual/exclusions",
			body: `{"document_id": "$doc"}`, variables: `{"body": {"tagId": "$manual", "documentId": "$doc"}}`},
		"unhideDocument": {method: "DELETE", path: "/comms-filters/tags/$sector/exclusions/$doc",
			variables: `{"tag_id": "$sector", "document_id": "$doc"}`},
		"backfillFilter": {method: "POST", path: "/comms-filters/tags/$manual/backfill",
			body: `{"limit": 1}`, variables: `{"body": {"tagId": "$manual", "limit": 1}}`, order: 1},
		"tryBackfillFilter": {method: "POST", path: "/comms-filters/tags/$manual/backfill?dry_run=true",
			variables: `{"body": {"tagId": "$manual", "dryRun": true}}`},
		"estimateBackfillFilter": {method: "POST", path: "/comms-filters/tags/$manual/backfill?estimate=true",
			variables: `{"body": {"tagId": "$manual"}}`},
	}, prepareTags)
}

// prepareTags creates a document with a value that hides it and a value in review, a manual filter,
// and an auto-tag that is no filter.
func prepareTags(t *testing.T, s *state) {
	t.Helper()
	s.ids["$doc"] = s.post(t, "/documents", `{"title": "T", "content": "Offshore wind was excellent this year."}`,
		"document", "id")
	s.post(t, "/documents", `{"title": "U", "content": "Nothing of note."}`, "document", "id")
	s.ids["$sector"] = s.post(t, "/auto-tags", `{"name": "Sector", "tag_type": "topic", "allowed_values": ["Offshore wind", "Solar power"]}`, "auto_tag", "id")
	s.ids["$unlinked"] = s.post(t, "/auto-tags", `{"name": "Mood", "tag_type": "sentiment", "min_confidence": 1}`,
		"auto_tag", "id")
	s.ids["$manual"] = s.post(t, "/comms-filters/tags", `{"name": "Notices"}`, "tag", "id")
	s.app.Do(t, http.MethodPut, "/api/v1/comms-filters/linked-tags/"+s.ids["$sector"], nil, "{}")
	var applied struct {
		AutoTags []struct{ ID string } `json:"auto_tags"`
	}
	if err := json.Unmarshal(s.app.Do(t, http.MethodPost, "/api/v1/documents/"+s.ids["$doc"]+"/auto-tags", nil, "").
		Body, &applied); err != nil {
		t.Fatal(err)
	}
	var waiting struct{ Reviews []struct{ ID string } }
	if err := json.Unmarshal(s.app.Do(t, http.MethodGet, "/api/v1/auto-tag-reviews", nil, "").Body,
		&waiting); err != nil {
		t.Fatal(err)
	}
	s.ids["$applied"], s.ids["$review"] = applied.AutoTags[0].ID, waiting.Reviews[0].ID
}
