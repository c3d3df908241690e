package link

import (
	"context"
	"math"

	"rostrum/model"
)

const (
	// rateDeviations is the number of standard deviations on each side of a 95 % interval.
	rateDeviations = 1.959964
	// minVariantOpens and minConverted are the sessions of each variant, and the converted ones of all,
	// below which nothing is said.
	minVariantOpens = 100
	minConverted    = 10
	// chanceOfVerdict is how often a verdict that one variant is better may come by chance.
	chanceOfVerdict = 0.01
)

// ConversionRates returns the share of the sessions of each variant that converted, with Wilson's
// score interval (Wilson 1927, "Probable inference"); nil for a variant without sessions.
func (s *Service) ConversionRates(variants []*model.LinkVariant) []*model.ConversionRate {
	out := make([]*model.ConversionRate, len(variants))
	for i, v := range variants {
		if v.OpenCount > 0 {
			out[i] = newConversionRate(v.ConvertedCount, v.OpenCount)
		}
	}
	return out
}

func newConversionRate(converted, opens int) *model.ConversionRate {
	n := float64(opens)
	rate, z := min(float64(converted)/n, 1), rateDeviations*rateDeviations
	middle := (rate + z/(2*n)) / (1 + z/n)
	margin := rateDeviations * math.Sqrt(rate*(1-rate)/n+z/(4*n*n)) / (1 + z/n)
	return &model.ConversionRate{Rate: rate, Low: max(middle-margin, 0), High: min(middle+margin, 1)}
}

// SplitTests returns what the split test of each link tells so far; nil for a link without one. It
// reads all variants with one statement.
func (s *Service) SplitTests(ctx context.Context, links []*model.Link) ([]*model.LinkSplitTest, error) {
	s.committer.waitForFlush(ctx)
	variants, err := s.Variants(ctx, links)
	out := make([]*model.LinkSplitTest, len(links))
	for i := range variants {
		if len(variants[i]) > 1 {
			out[i] = newSplitTest(variants[i])
		}
	}
	return out, err
}

// newSplitTest compares the variant with the highest rate with each other one, by two-sided tests of
// two proportions with pooled variance. The chance of an error is divided by their number (Bonferroni).
func newSplitTest(variants []*model.LinkVariant) *model.LinkSplitTest {
	best, converted := variants[0], 0
	for _, v := range variants {
		converted += v.ConvertedCount
		if v.OpenCount < minVariantOpens {
			return &model.LinkSplitTest{Verdict: model.SplitTestVerdictTooFew}
		}
		if v.ConvertedCount*best.OpenCount > best.ConvertedCount*v.OpenCount {
			best = v
		}
	}
	if converted < minConverted {
		return &model.LinkSplitTest{Verdict: model.SplitTestVerdictTooFew}
	}
	limit := math.Sqrt2 * math.Erfinv(1-chanceOfVerdict/float64(len(variants)-1))
	for _, v := range variants {
		if v != best && deviationsBetween(best, v) <= limit {
			return &model.LinkSplitTest{Verdict: model.SplitTestVerdictNoDifference}
		}
	}
	return &model.LinkSplitTest{Verdict: model.SplitTestVerdictBetter, BestVariant: best}
}

// deviationsBetween returns by how many standard deviations the rate of a is higher than that of b.
func deviationsBetween(a, b *model.LinkVariant) float64 {
	n, m := float64(a.OpenCount), float64(b.OpenCount)
	pooled := float64(a.ConvertedCount+b.ConvertedCount) / (n + m)
	spread := math.Sqrt(pooled * (1 - pooled) * (1/n + 1/m))
	if spread == 0 {
		return 0
	}
	return (float64(a.ConvertedCount)/n - float64(b.ConvertedCount)/m) / spread
}
