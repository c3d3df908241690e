package main

import (
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	for name, test := range map[string]struct {
		sorted []time.Duration
		p      float64
		want   time.Duration
	}{
		"middle_of_many":      {hundred, 50, 50},
		"tail_of_many":        {hundred, 99, 99},
		"whole":               {hundred, 100, 100},
		"between_two_ranks":   {hundred[:3], 50, 2},
		"tail_of_few_is_last": {hundred[:3], 99, 3},
		"smallest_share":      {hundred, 0.1, 1},
		"of_none":             {nil, 50, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := percentile(test.sorted, test.p); got != test.want {
				t.Errorf("percentile(%v) is %d, want %d", test.p, got, test.want)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		values []float64
		want   float64
	}{
		"odd":  {[]float64{9, 1, 5}, 5},
		"even": {[]float64{4, 1, 2, 9}, 3},
		"none": {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := median(test.values); got != test.want {
				t.Errorf("median is %v, want %v", got, test.want)
			}
		})
	}
}

// newMeasured creates a candidate with the given number of responses in each round of one second.
func newMeasured(name string, counts ...int) *candidate {
	c := &candidate{name: name}
	for _, n := range counts {
		times := make([]time.Duration, n)
		for i := range times {
			times[i] = time.Millisecond
		}
		c.rounds = append(c.rounds, loadSample{took: time.Second, times: times})
	}
	return c
}

func TestRatio(t *testing.T) {
	t.Parallel()
	t.Run("compares_rates_of_the_same_round", func(t *testing.T) {
		t.Parallel()
		// The machine was four times slower in the second round: rates differ, the ratio does not.
		if got := newMeasured("a", 80, 20, 80).ratio(newMeasured("b", 100, 25, 100)); got != 0.8 {
			t.Errorf("ratio is %v, want 0.8", got)
		}
	})
	t.Run("ignores_rounds_without_responses", func(t *testing.T) {
		t.Parallel()
		if got := newMeasured("a", 50, 50).ratio(newMeasured("b", 0, 100)); got != 0.5 {
			t.Errorf("ratio is %v, want 0.5", got)
		}
	})
}

func TestCheck(t *testing.T) {
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
