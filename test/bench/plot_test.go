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
	hand, graph, rest := newMeasured(handName, 1000), newMeasured(graphName, 870), newMeasured(restName, 910)
	times := []time.Duration{time.Millisecond, 80 * time.Millisecond}
	s := settings{connections: countList{16, 64}, large: 1_000_000}
	r := &reads{settings: s, matches: []*readComparison{
		{comparison{name: "one document"}, 16, []*candidate{hand, graph}},
		{comparison{name: "one document, text, auto-tags"}, 16, []*candidate{hand, graph, rest}},
		{comparison{name: "50 documents"}, 16, []*candidate{hand, graph}},
		{comparison{name: "50 documents, auto-tags"}, 16, []*candidate{hand, graph}},
		{comparison{name: "50 documents, total"}, 16, []*candidate{hand, graph, rest}},
		{comparison{name: "50 documents"}, 64, []*candidate{hand, newMeasured(graphName, 770)}},
	}}
	growth := &growthResult{settings: s, rows: slices.Repeat([]*candidate{hand}, len(growthRows))}
	events := &fanOut{settings: s, many: receptionTimes{Last: times}, steady: receptionTimes{Last: times}}
	var plots []plot
	for _, draw := range []func() (plot, error){
		func() (plot, error) { return r.plot(16) }, func() (plot, error) { return r.plot(64) },
		growth.plot, events.plot,
	} {
		p, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		plots = append(plots, p)
	}
	for i, want := range []struct {
		file    string
		words   []string
		without string
	}{
		{"reads-16.svg", []string{"GraphQL", "REST", "one document, text, auto-tags", "50 documents, auto-tags",
			"50 documents, total", "0.87", "0.91"}, "000"},
		{"reads-64.svg", []string{"GraphQL", "0.77"}, "000"},
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
