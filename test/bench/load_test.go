package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// newMeasured creates a candidate with the given rates, whose responses took a millisecond.
func newMeasured(name string, rates ...float64) *candidate {
	c := &candidate{name: name, rates: rates}
	for range rates {
		c.times.Add(time.Millisecond)
	}
	return c
}

func TestRatiosOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		values, others []float64
		want           string
	}{
		// The machine was four times slower in the second round: rates differ, the ratio does not.
		"rates_of_the_same_round":  {[]float64{80, 20, 80, 80, 80, 80}, []float64{100, 25, 100, 100, 100, 100}, "0.80 ±0%"},
		"the_interval_of_6_rounds": {[]float64{60, 70, 80, 80, 90, 100}, []float64{100, 100, 100, 100, 100, 100}, "0.80 ±25%"},
		"few_rounds_have_none":     {[]float64{80, 80}, []float64{100, 100}, "0.80 ±∞"},
		"rounds_without_responses": {[]float64{50, 50}, []float64{0, 100}, "0.50 ±∞"},
		"no_rounds":                {nil, nil, "0.00 ±0%"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := formatRatio(ratiosOf(test.values, test.others)); got != test.want {
				t.Errorf("the ratio is %s, want %s", got, test.want)
			}
		})
	}
}

// serveCounting starts a server with the response and returns its address and the paths that were
// requested.
func serveCounting(t *testing.T, status int, body string) (address string, paths func() []string) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.URL.Path)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Sorted(slices.Values(seen))
	}
}

func TestAttack(t *testing.T) {
	t.Parallel()
	t.Run("sends_each_target_once", func(t *testing.T) {
		t.Parallel()
		address, paths := serveCounting(t, http.StatusOK, "")
		want := []string{"/a", "/b", "/c", "/d", "/e"}
		next := onceEach(len(want), func(i int) vegeta.Target {
			return vegeta.Target{Method: "GET", URL: address + want[i]}
		})
		err := attack(t.Context(), newClient(2, nil), 2, 0, next, func(r *vegeta.Result) error {
			return checkStatus(r, http.StatusOK)
		})
		if err != nil || !slices.Equal(paths(), want) {
			t.Errorf("the requests are %v (%v), want %v", paths(), err, want)
		}
	})
	t.Run("ends_with_an_invalid_response", func(t *testing.T) {
		t.Parallel()
		address, _ := serveCounting(t, http.StatusServiceUnavailable, "busy")
		c := &candidate{name: "a", requests: []request{{method: "GET", url: address, documents: 1}}}
		if _, err := c.measure(t.Context(), 2, time.Minute); err == nil || !strings.Contains(err.Error(), "busy") {
			t.Errorf("measure returns %v", err)
		}
		if len(c.rates) != 0 {
			t.Errorf("the rates are %v", c.rates)
		}
	})
	t.Run("measures_valid_responses", func(t *testing.T) {
		t.Parallel()
		address, paths := serveCounting(t, http.StatusOK, `{"workspaceId":"w"}`)
		c := &candidate{name: "a", requests: []request{{method: "GET", url: address, documents: 1}}}
		count, err := c.measure(t.Context(), 2, 50*time.Millisecond)
		if err != nil || count == 0 || count != len(paths()) || len(c.rates) != 1 || c.times.Max == 0 {
			t.Errorf("measure returns %d (%v) of %d requests with the rates %v", count, err, len(paths()), c.rates)
		}
	})
}

func TestCheckResponse(t *testing.T) {
	t.Parallel()
	two := []byte(`{"data":{"documents":[{"workspaceId":"w"},{"workspaceId":"w"}]}}`)
	for name, test := range map[string]struct {
		status int
		body   []byte
		good   bool
	}{
		"all_documents":      {200, two, true},
		"rest_spelling":      {200, []byte(`[{"workspace_id":"w"},{"workspace_id":"w"}]`), true},
		"error_in_a_success": {200, []byte(`{"errors":[{"message":"no"}],"data":null}`), false},
		"one_is_missing":     {200, []byte(`[{"workspace_id":"w"}]`), false},
		"error_beside_them":  {200, []byte(`{"errors":[{"message":"no"}],"data":{"documents":[{"workspaceId":"w"},{"workspaceId":"w"}]}}`), false},
		"error_status":       {500, two, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := checkResponse(test.status, test.body, 2); (err == nil) != test.good {
				t.Errorf("checkResponse returns %v", err)
			}
		})
	}
}
