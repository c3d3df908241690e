package audience

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rostrum/errs"
	"rostrum/llm/server"
	"rostrum/llm/text"
	"rostrum/test/kit/llmtest"
)

// TestSharesOf compares distributions, their mean and concentration with a calculation by hand.
func TestSharesOf(t *testing.T) {
	rising := []float64{0.1, 0.2, 0.3, 0.4, 0.5} // less 0.1, by 1: 0, 0.1, 0.2, 0.3, 0.4
	middle := []float64{0.2, 0.2, 0.6, 0.4, 0.2} // less 0.2, by 0.6: 0, 0, 2/3, 1/3, 0
	equal := []float64{0.3, 0.3, 0.3, 0.3, 0.3}
	for name, c := range map[string]struct {
		similarities          []float64
		shares                []float64
		rating, concentration float64
	}{
		// 0.2 + 0.6 + 1.2 + 2; the variance is 0.4 + 0.2 + 0.4 = 1
		"one_set": {rising, []float64{0, 0.1, 0.2, 0.3, 0.4}, 4, 0.5},
		// 0.1 + 1.3 + 1.267 + 1; the variance is 0.722
		"mean_of_two_sets": {slices.Concat(rising, middle), []float64{0, 0.05, 0.4333, 0.3167, 0.2}, 3.7, 0.64},
		// the sets of equal similarities are left out
		"a_set_without_an_answer": {slices.Concat(equal, rising, equal), []float64{0, 0.1, 0.2, 0.3, 0.4}, 4, 0.5},
		// the variance is 2/3
		"thirds_add_to_1": {[]float64{0, 0, 1, 1, 1}, []float64{0, 0, 0.3334, 0.3333, 0.3333}, 4, 0.67},
		// less -0.5, by 1.25; the variance is 0.16
		"negative_similarities": {[]float64{-0.5, -0.25, 0.5, -0.5, -0.5}, []float64{0, 0.2, 0.8, 0, 0}, 2.8, 0.92},
		// the variance is 4
		"both_ends": {[]float64{1, 0, 0, 0, 1}, []float64{0.5, 0, 0, 0, 0.5}, 3, 0},
		// (1 + 2/3) / 2
		"rejected": {slices.Concat([]float64{1, 0, 0, 0, 0}, []float64{1, 0.5, 0, 0, 0}),
			[]float64{0.8333, 0.1667, 0, 0, 0}, 1.2, 0.93},
		"no_answer": {slices.Concat(equal, equal), nil, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			shares := sharesOf(c.similarities)
			if difference := cmp.Diff(c.shares, shares); difference != "" {
				t.Error(difference)
			}
			if shares == nil {
				return
			}
			if got := meanRating(shares); got != c.rating {
				t.Errorf("the rating is %g, want %g", got, c.rating)
			}
			if got := concentration(shares); got != c.concentration {
				t.Errorf("the concentration is %g, want %g", got, c.concentration)
			}
		})
	}
}

// TestAnchorStatements checks that each language has six sets of distinct statements in that
// language. One request embeds them all.
func TestAnchorStatements(t *testing.T) {
	all := 0
	for _, language := range []string{"de", "en", "es", "fr"} {
		statements := anchorStatements()[language]
		all += len(statements)
		if len(statements) != 6*ratingSteps || len(slices.Compact(slices.Sorted(slices.Values(statements)))) != len(
			statements) {
			t.Errorf("%s has %d statements, or one of them twice", language, len(statements))
		}
		if found := text.Language(strings.Join(statements, " ")); found != language {
			t.Errorf("the statements of %s are in %s", language, found)
		}
	}
	if len(anchorStatements()) != 4 || all > 128 {
		t.Errorf("%d languages, %d statements", len(anchorStatements()), all)
	}
}

// newScriptedRater returns a rater with an embedder that asks a scripted server.
func newScriptedRater(t *testing.T, answers ...llmtest.Answer) (*llmtest.Server, *similarityRater) {
	t.Helper()
	scripted := llmtest.NewServer(t, answers...)
	return scripted, newSimilarityRater(server.NewEmbedder(server.Config{BaseURL: scripted.URL, Model: "vectors"}))
}

// cosine returns the similarity of the words of two texts.
func cosine(scripted *llmtest.Server, a, b string) float64 {
	dot, first, second := 0.0, 0.0, 0.0
	others := scripted.WordVector(b)
	for i, value := range scripted.WordVector(a) {
		dot, first, second = dot+value*others[i], first+value*value, second+others[i]*others[i]
	}
	return dot / math.Sqrt(first*second)
}

// TestDistribute/… compare texts with the statements of their language by a scripted server.
func TestDistribute(t *testing.T) {
	t.Run("equals_the_similarities_of_the_words", func(t *testing.T) {
		scripted, rater := newScriptedRater(t)
		for language, opinion := range map[string]string{"en": "I fully support this announcement. It will help us.",
			"de": "Ich lehne diese Ankündigung entschieden ab."} {
			got, err := rater.distribute(t.Context(), language, opinion)
			if err != nil {
				t.Fatal(err)
			}
			var similarities []float64
			for _, statement := range anchorStatements()[language] {
				similarities = append(similarities, cosine(scripted, opinion, statement))
			}
			for i, want := range sharesOf(similarities) {
				if math.Abs(got[i]-want) > 0.00015 { // the vectors have 32 bits
					t.Errorf("%s: the share of %d is %g, want %g", language, i+1, got[i], want)
				}
			}
		}
	})
	t.Run("embeds_the_statements_once", func(t *testing.T) {
		scripted, rater := newScriptedRater(t)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if _, err := rater.distribute(t.Context(), "en", "I support it."); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		long := slices.DeleteFunc(scripted.Calls(),
			func(call llmtest.Call) bool { return !strings.Contains(call.Prompt, "\n") })
		if calls := len(scripted.Calls()); calls != 9 || len(long) != 1 {
			t.Errorf("%d requests, %d of them for the statements", calls, len(long))
		}
	})
	t.Run("a_failure_is_not_kept", func(t *testing.T) {
		_, rater := newScriptedRater(t, llmtest.Answer{Task: llmtest.EmbeddingTask, Status: 400, Times: 1})
		if _, err := rater.distribute(t.Context(), "en", "I support it."); !errs.Is(err, errs.ModelFailed) {
			t.Error(err)
		}
		if _, err := rater.distribute(t.Context(), "en", "I support it."); err != nil {
			t.Error(err)
		}
	})
	t.Run("a_text_that_cannot_be_compared", func(t *testing.T) {
		scripted, rater := newScriptedRater(t)
		for language, opinion := range map[string]string{"pt": "Apoio este anúncio.", "en": " … "} {
			if _, err := rater.distribute(t.Context(), language, opinion); !errs.Is(err, errs.ModelFailed) {
				t.Errorf("%s: %v", language, err)
			}
		}
		if calls := len(scripted.Calls()); calls != 0 {
			t.Errorf("%d requests", calls)
		}
	})
	t.Run("a_canceled_caller_does_not_wait", func(t *testing.T) {
		_, rater := newScriptedRater(t)
		rater.loading <- struct{}{}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := rater.distribute(ctx, "en", "I support it."); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
