package main

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPlots(t *testing.T) {
	t.Parallel()
	hand, graph, rest := newMeasured("hand-written", 1000), newMeasured("GraphQL", 870), newMeasured("REST", 910)
	times := []time.Duration{time.Millisecond, 80 * time.Millisecond}
	r := report{
		settings: settings{connections: countList{16, 64}},
		matches: []*readComparison{
			{comparison{name: "one document"}, 16, []*candidate{hand, graph}},
			{comparison{name: "one document, text, auto-tags"}, 16, []*candidate{hand, graph, rest}},
			{comparison{name: "50 documents"}, 16, []*candidate{hand, graph}},
			{comparison{name: "50 documents, auto-tags"}, 16, []*candidate{hand, graph}},
			{comparison{name: "50 documents, total"}, 16, []*candidate{hand, graph, rest}},
			{comparison{name: "50 documents"}, 64, []*candidate{hand, newMeasured("GraphQL", 770)}},
		},
		growth: &growthResult{documents: 1_000_000, connections: 16,
			rows: slices.Repeat([]*candidate{hand}, len(growthRows))},
		fanning: &fanOutResult{many: receptionTimes{Last: times}, steady: receptionTimes{Last: times}},
	}
	plots, err := r.plots()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		file    string
		words   []string
		without string
	}{
		{"reads-16.svg", []string{"GraphQL", "REST", "one document, text, auto-tags", "50 documents, auto-tags",
			"50 documents, total", "0.87", "0.91"}, "000"},
		{"reads-64.svg", []string{"GraphQL", "0.77"}, "REST"},
		{"growth.svg", []string{"first page of 10000", "first page of 1000000", "page 1,000 of 1000000",
			"first page, total of 1000000", "search by two words of 1000000", "p99"}, "facets"},
		{"fanout.svg", []string{"10000 subscribers", "1000 events a second"}, "REST"},
	} {
		t.Run(want.file, func(t *testing.T) {
			t.Parallel()
			if plots[i].file != want.file {
				t.Fatalf("the plot is %s", plots[i].file)
			}
			shown := chartText(t, string(plots[i].svg))
			for _, word := range want.words {
				if !strings.Contains(shown, word) {
					t.Errorf("%q is not in %q", word, shown)
				}
			}
			if strings.Contains(shown, want.without) {
				t.Errorf("%q is in %q", want.without, shown)
			}
		})
	}
	t.Run("no_plot_without_measurements", func(t *testing.T) {
		t.Parallel()
		r := r
		r.growth, r.fanning = nil, nil
		if plots, err := r.plots(); err != nil || len(plots) != 2 {
			t.Errorf("%d plots (%v)", len(plots), err)
		}
	})
}

// chartText returns the text of an image, which must be XML.
func chartText(t *testing.T, svg string) string {
	t.Helper()
	var b strings.Builder
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			b.Write(text)
			b.WriteByte('\n')
		}
	}
}
