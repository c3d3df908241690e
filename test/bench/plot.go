package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/go-analyze/charts"
)

// plot is an image of the results.
type plot struct {
	file, title string
	svg         []byte
}

// plot shows each candidate's ratio to the hand-written handler at a number of connections.
func (r *reads) plot(connections int) (plot, error) {
	p := plot{file: fmt.Sprintf("reads-%d.svg", connections),
		title: fmt.Sprintf("Rate of the hand-written handler = 1, %d connections", connections)}
	var answers []string
	names := []string{handName, graphName, restName}
	bars := make(charts.BarSeriesList, len(names))
	for _, m := range r.matches {
		if m.connections != connections {
			continue
		}
		answers = append(answers, m.name)
		for i, name := range names {
			value := charts.GetNullValue() // where it has no result for a shape
			if i < len(m.candidates) {
				value = median(ratiosOf(m.candidates[i].rates, m.candidates[0].rates))
			}
			bars[i].Name, bars[i].Values, bars[i].Label = name, append(bars[i].Values, value), labelSeries(2)
		}
	}
	return p.bars(bars, names, answers)
}

// plot shows the response time of a page. Facets are left out, because their time would make the
// other bars too short to compare.
func (g *growthResult) plot() (plot, error) {
	p := plot{file: "growth.svg", title: fmt.Sprintf("Milliseconds for a page of 50 documents, %d connections",
		g.settings.connections[0])}
	var pages []string
	middle, tail := charts.BarSeries{Name: "median", Label: labelSeries(1)},
		charts.BarSeries{Name: "p99", Label: labelSeries(1)}
	for i, row := range growthRows {
		if row.isFacets() {
			continue
		}
		pages = append(pages, fmt.Sprintf("%s of %d", row.name, g.size(row)))
		middle.Values = append(middle.Values, inMilliseconds(quantile(g.rows[i].times, 0.5)))
		tail.Values = append(tail.Values, inMilliseconds(quantile(g.rows[i].times, 0.99)))
	}
	return p.bars(charts.BarSeriesList{middle, tail}, []string{middle.Name, tail.Name}, pages)
}

// plot shows the share of received events by time.
func (f *fanOut) plot() (plot, error) {
	p := plot{file: "fanout.svg", title: "Milliseconds from publishing to the last subscriber's reception, by percentile of events"}
	var shares []string
	many := charts.LineSeries{Name: fmt.Sprintf("%d subscribers", f.settings.count(manySubscribers))}
	steady := charts.LineSeries{Name: fmt.Sprintf("%d subscribers, %d events a second", fewSubscribers, steadyRate)}
	last, receptions := latencies(f.many.Last), latencies(f.steady.Last)
	for share := 5; share <= 100; share += 5 {
		shares = append(shares, fmt.Sprint(share))
		many.Values = append(many.Values, inMilliseconds(last.Quantile(float64(share)/100)))
		steady.Values = append(steady.Values, inMilliseconds(receptions.Quantile(float64(share)/100)))
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
