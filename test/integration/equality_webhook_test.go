package integration

import (
	"encoding/json"
	"testing"

	"rostrum/model"
)

func init() {
	addArea(map[string]call{
		"listWebhooks": {method: "GET", path: "/webhooks", variables: `{}`},
		"getWebhook":   {method: "GET", path: "/webhooks/$hook", variables: `{"webhook_id": "$hook"}`},
		"createWebhook": {method: "POST", path: "/webhooks",
			body:      `{"url": "https://example.com/x", "label": "l", "signing": true}`,
			variables: `{"body": {"url": "https://example.com/x", "label": "l", "signing": true}, "signing": true}`},
		"updateWebhook": {method: "PATCH", path: "/webhooks/$hook",
			body:      `{"is_active": false, "label": "new"}`,
			variables: `{"body": {"webhookId": "$hook", "isActive": false, "label": "new"}}`, order: 2},
		"deleteWebhook": {method: "DELETE", path: "/webhooks/$hook", variables: `{"webhook_id": "$hook"}`,
			order: 3},
		"rotateWebhookSecret": {method: "POST", path: "/webhooks/$hook/rotate-secret", body: `{"overlap_seconds": 5}`,
			variables: `{"body": {"webhookId": "$hook", "overlapSeconds": 5}}`},
		"listWebhookDeliveries": {method: "GET", path: "/webhooks/$hook/deliveries?status=failed&event=conversion&first=1&created_from=2020-01-01&order_by=created_at",
			variables: `{"webhook_id": "$hook", "status": "FAILED", "event": "CONVERSION", "first": 1,
				"created_from": "2020-01-01T00:00:00Z", "order_by": {"field": "CREATED_AT", "direction": "ASC"}}`},
		"getWebhookDelivery": {method: "GET", path: "/webhooks/$hook/deliveries/$delivery",
			variables: `{"webhook_id": "$hook", "delivery_id": "$delivery"}`},
		"redeliver": {method: "POST", path: "/webhooks/$hook/deliveries/$delivery/redeliver",
			variables: `{"webhook_id": "$hook", "delivery_id": "$delivery"}`, alone: true},
		"replay": {method: "POST", path: "/webhooks/$hook/replay",
			body:      `{"since": "2026-01-01", "only_failed": true}`,
			variables: `{"body": {"webhookId": "$hook", "since": "2026-01-01", "onlyFailed": true}}`},
		"testWebhook": {method: "POST", path: "/webhooks/$hook/test", body: `{"event": "conversion"}`,
			variables: `{"body": {"webhookId": "$hook", "event": "CONVERSION"}}`, order: 1},
	}, prepareWebhooks)
}

// prepareWebhooks creates a webhook with an unreachable receiver and tests it.
func prepareWebhooks(t *testing.T, s *state) {
	t.Helper()
	s.app.SetWorkspacePlan(t, model.PlanPro)
	s.ids["$hook"] = s.post(t, "/webhooks", `{"url": "https://127.0.0.1:1/x"}`, "id")
	s.post(t, "/webhooks/"+s.ids["$hook"]+"/test", `{"event": "conversion"}`, "error")
	answer := s.app.Do(t, "GET", "/api/v1/webhooks/"+s.ids["$hook"]+"/deliveries", nil, "")
	var body struct{ Deliveries []struct{ ID string } }
	if err := json.Unmarshal(answer.Body, &body); err != nil || len(body.Deliveries) != 1 {
		t.Fatalf("%s (%v)", answer.Body, err)
	}
	s.ids["$delivery"] = body.Deliveries[0].ID
}
