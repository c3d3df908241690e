package app

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rostrum/platform/job"
)

// The metrics of a process that are read when /metrics is asked for.
var (
	buildInfo = prometheus.NewDesc("rostrum_build_info", "1, with the revision of the source.", []string{"version"}, nil)
	openJobs  = prometheus.NewDesc("rostrum_jobs_open", "Jobs of all processes that have not ended, by type and status; 10,000 are counted at most.", []string{"type", "status"}, nil)
	oldestJob = prometheus.NewDesc("rostrum_job_age_seconds", "Age of the oldest job that has not ended, by type and status.", []string{"type", "status"}, nil)
	redisUp   = prometheus.NewDesc("rostrum_redis_connected", "Whether Redis answers: 1 or 0.", nil, nil)
	dbInUse   = prometheus.NewDesc("rostrum_database_connections_in_use", "Connections to the database that run a statement or a transaction.", nil, nil)
	dbOpen    = prometheus.NewDesc("rostrum_database_connections_open", "Open connections to the database.", nil, nil)
	dbMax     = prometheus.NewDesc("rostrum_database_connections_max", "Connections to the database that this process may open.", nil, nil)
	dbWaits   = prometheus.NewDesc("rostrum_database_waits_total", "Statements that waited for a connection.", nil, nil)
)

// processCollector reads the metrics of a process. The jobs are read once in jobsAge, so that asking
// often costs the database nothing.
type processCollector struct {
	app    *App
	mu     sync.Mutex
	jobs   []*job.OpenJobs
	readAt time.Time
}

const (
	jobsAge     = 5 * time.Second
	jobsTimeout = 2 * time.Second
)

// Describe implements prometheus.Collector.
func (*processCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{buildInfo, openJobs, oldestJob, redisUp, dbInUse, dbOpen, dbMax, dbWaits} {
		out <- desc
	}
}

// Collect implements prometheus.Collector. Jobs are missing while the database does not answer.
func (c *processCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	gauge(buildInfo, 1, version())
	connected := 0.0
	if c.app.live.Connected() {
		connected = 1
	}
	gauge(redisUp, connected)
	pool := c.app.db.PoolStats()
	gauge(dbInUse, float64(pool.InUse))
	gauge(dbOpen, float64(pool.Open))
	gauge(dbMax, float64(pool.Max))
	out <- prometheus.MustNewConstMetric(dbWaits, prometheus.CounterValue, float64(pool.Waits))
	now := c.app.db.Now()
	for _, open := range c.openJobs() {
		labels := []string{open.Type, string(open.Status)}
		gauge(openJobs, float64(open.Count), labels...)
		gauge(oldestJob, max(now.Sub(open.Oldest).Seconds(), 0), labels...)
	}
}

func (c *processCollector) openJobs() []*job.OpenJobs {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.readAt) < jobsAge {
		return c.jobs
	}
	ctx, cancel := context.WithTimeout(context.Background(), jobsTimeout)
	defer cancel()
	jobs, err := c.app.jobs.Open(ctx)
	if err != nil {
		slog.WarnContext(ctx, "the open jobs cannot be counted", "error", err)
	}
	c.jobs, c.readAt = jobs, time.Now()
	return c.jobs
}

// serveMetrics serves the metrics in Prometheus' formats.
func (a *App) serveMetrics() http.Handler {
	own := prometheus.NewRegistry()
	own.MustRegister(&processCollector{app: a})
	return promhttp.HandlerFor(prometheus.Gatherers{prometheus.DefaultGatherer, own}, promhttp.HandlerOpts{})
}
