package integration

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"rostrum/model"
	"rostrum/test/kit"
)

// TestWebhook_paused_beside_events pauses and resumes webhooks, also an ordered one, while events of links are sent
// to them and the plan changes: nobody waits for each other's locks in a circle, which the database would end.
func TestWebhook_paused_beside_events(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		app.SetWorkspacePlan(t, model.PlanTeam)
		send := func(method, path, body string) {
			answer := app.Do(t, method, "/api/v1"+path, http.Header{"Content-Type": {"application/json"}}, body)
			if answer.Status >= http.StatusInternalServerError {
				t.Errorf("%s %s %s: %d %s", method, path, body, answer.Status, answer.Body)
			}
		}
		var work sync.WaitGroup
		for i := range 2 {
			path := "/webhooks/" + (&state{app: app}).post(t, "/webhooks", fmt.Sprintf(`{"url": "https://hooks.example/x", "ordered": %t}`, i == 0), "id")
			work.Go(func() {
				for round := range 20 {
					send(http.MethodPatch, path, fmt.Sprintf(`{"is_active": %t}`, round%2 == 1))
				}
			})
		}
		work.Go(func() {
			for i := range 20 {
				send(http.MethodPost, "/links", fmt.Sprintf(`{"destination_url": "https://example.com/%d"}`, i))
			}
		})
		work.Go(func() {
			for range 5 {
				for _, plan := range []model.Plan{model.PlanFree, model.PlanTeam} {
					if err := app.SetPlan(t.Context(), app.WorkspaceID, plan); err != nil {
						t.Error(err)
					}
				}
			}
		})
		work.Wait()
	})
}
