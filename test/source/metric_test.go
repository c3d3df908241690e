package source_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// madeMetric matches where a metric is made, and namedMetric where one is named.
	madeMetric  = regexp.MustCompile(`(?:Name: |NewDesc\()"(rostrum_[a-z_]+)"`)
	namedMetric = regexp.MustCompile(`rostrum_[a-z_]+`)
	// ofHistogram are the ends that Prometheus gives the names of a histogram's series.
	ofHistogram = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// TestMetrics compares the metrics of the program with docs/monitoring.md, and with the names in the
// rules of alerts and the dashboard of deploy.
func TestMetrics(t *testing.T) {
	made := map[string]bool{}
	for name := range trackedFiles(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, match := range madeMetric.FindAllStringSubmatch(readFile(t, name), -1) {
			made[match[1]] = true
		}
	}
	if len(made) < 15 {
		t.Fatalf("only %d metrics are found", len(made))
	}
	documented := namedMetric.FindAllString(readFile(t, "docs/monitoring.md"), -1)
	for name := range made {
		if !slices.Contains(documented, name) {
			t.Errorf("docs/monitoring.md does not name %s", name)
		}
	}
	for _, page := range []string{"docs/monitoring.md", "deploy/prometheus/alerts.yaml", "deploy/grafana/rostrum.json"} {
		for _, name := range namedMetric.FindAllString(readFile(t, page), -1) {
			if !made[name] && !made[ofHistogram.ReplaceAllString(name, "")] {
				t.Errorf("%s names %s, which is no metric", page, name)
			}
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
