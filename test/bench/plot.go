package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-analyze/charts"
)

// plot is an image of the results.
type plot struct {
	file, title string
	svg         []byte
}

// plots draws the measured results; parts that were not measured have no plot.
func (r *report) plots() ([]plot, error) {
	var all []plot
	add := func(p plot, err error) error {
		all = append(all, p)
		return err
	}
	for _, n := range r.settings.connections {
		if err := add(r.plotReads(n)); err != nil {
			return nil, err
		}
	}
	if r.growth != nil {
		if err := add(r.growth.plot()); err != nil {
			return nil, err
		}
	}
	if r.fanning != nil {
		if err := add(r.fanning.plot()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// plotReads shows each candidate's ratio to the hand-written handler.
func (r *report) plotReads(connections int) (plot, error) {
	p := plot{file: fmt.Sprintf("reads-%d.svg", connections),
		title: fmt.Sprintf("Rate of the hand-written handler = 1, %d connections", connections)}
	var answers, names []string
	values := map[string][]float64{}
	for _, m := range r.matches {
		if m.connections != connections {
			continue
		}
		for _, c := range m.candidates {
			if !slices.Contains(names, c.name) {
				names = append(names, c.name)
			}
			for len(values[c.name]) < len(answers) { // it has no result for the earlier shapes
				values[c.name] = append(values[c.name], charts.GetNullValue())
			}
			values[c.name] = append(values[c.name], c.ratio(m.handWritten()))
		}
		answers = append(answers, m.name)
	}
	bars := make(charts.BarSeriesList, len(names))
	for i, name := range names {
		for len(values[name]) < len(answers) {
			values[name] = append(values[name], charts.GetNullValue())
		}
		bars[i] = charts.BarSeries{Name: name, Values: values[name], Label: labelSeries(2)}
	}
	return p.bars(bars, names, answers)
}

// plot shows the response time of a page. Facets are left out, because their time would make the
// other bars too short to compare.
func (g *growthResult) plot() (plot, error) {
	p := plot{file: "growth.svg", title: fmt.Sprintf("Milliseconds for a page of 50 documents, %d connections",
		g.connections)}
	var pages []string
	median, tail := charts.BarSeries{Name: "median", Label: labelSeries(1)},
		charts.BarSeries{Name: "p99", Label: labelSeries(1)}
	for i, row := range growthRows {
		if row.isFacets() {
			continue
		}
		size, times := fewDocuments, g.rows[i].sortedTimes()
		if row.large {
			size = g.documents
		}
		pages = append(pages, fmt.Sprintf("%s of %d", row.name, size))
		median.Values = append(median.Values, inMilliseconds(percentile(times, 50)))
		tail.Values = append(tail.Values, inMilliseconds(percentile(times, 99)))
	}
	return p.bars(charts.BarSeriesList{median, tail}, []string{median.Name, tail.Name}, pages)
}

// plot shows the share of received events by time.
func (f *fanOutResult) plot() (plot, error) {
	p := plot{file: "fanout.svg", title: "Milliseconds from publishing to the last subscriber's reception, by percentile of events"}
	var shares []string
	many := charts.LineSeries{Name: fmt.Sprintf("%d subscribers", manySubscribers)}
	steady := charts.LineSeries{Name: fmt.Sprintf("%d subscribers, %d events a second", fewSubscribers, steadyRate)}
	for share := 5; share <= 100; share += 5 {
		shares = append(shares, fmt.Sprint(share))
		many.Values = append(many.Values, inMilliseconds(percentile(f.many.Last, float64(share))))
		steady.Values = append(steady.Values, inMilliseconds(percentile(f.steady.Last, float64(share))))
	}
	options := charts.NewLineChartOptionWithSeries(charts.LineSeriesList{many, steady})
	options.Title.Text, options.XAxis.Labels = p.title, shares
	options.Legend = legendOptions([]string{many.Name, steady.Name})
	painter := renderChart()
	if err := painter.LineChart(options); err != nil {
		return p, fmt.Errorf("draw %s: %w", p.file, err)
	}
	return p.drawn(painter)
}

func (p plot) bars(series charts.BarSeriesList, names, labels []string) (plot, error) {
	options := charts.NewBarChartOptionWithSeries(series)
	options.Title.Text, options.XAxis.Labels, options.XAxis.LabelCount = p.title, labels, len(labels)
	options.XAxis.LabelFontStyle.FontSize = 9 // otherwise adjacent labels are omitted
	options.Legend = legendOptions(names)
	painter := renderChart()
	if err := painter.BarChart(options); err != nil {
		return p, fmt.Errorf("draw %s: %w", p.file, err)
	}
	return p.drawn(painter)
}

func renderChart() *charts.Painter {
	return charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: 1200, Height: 440})
}

func legendOptions(names []string) charts.LegendOption {
	return charts.LegendOption{SeriesNames: names, Offset: charts.OffsetStr{Top: "30", Left: charts.PositionCenter}}
}

// labelSeries prints each bar's value above it, and nothing where there is no bar.
func labelSeries(digits int) charts.SeriesLabel {
	return charts.SeriesLabel{Show: charts.Ptr(true), ValueFormatter: func(v float64) string {
		if v == charts.GetNullValue() {
			return ""
		}
		return strconv.FormatFloat(v, 'f', digits, 64)
	}}
}

func (p plot) drawn(painter *charts.Painter) (plot, error) {
	svg, err := painter.Bytes()
	if err != nil {
		return p, fmt.Errorf("draw %s: %w", p.file, err)
	}
	p.svg = append(svg, '\n')
	return p, nil
}

func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
