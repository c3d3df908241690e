package dbx

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var statementSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name: "rostrum_sql_seconds", Help: "Statements by kind: select, insert, update, delete, other, or batch, which is several reads in one round trip.",
	Buckets: []float64{.0005, .002, .01, .05, .2, 1, 5},
}, []string{"kind"})

// kindSeconds has the observer of each kind of statement, by the first word of its text.
var kindSeconds = map[string]prometheus.Observer{
	"SELECT": statementSeconds.WithLabelValues("select"), "INSERT": statementSeconds.WithLabelValues("insert"),
	"UPDATE": statementSeconds.WithLabelValues("update"), "DELETE": statementSeconds.WithLabelValues("delete"),
	"": statementSeconds.WithLabelValues("other"), "batch": statementSeconds.WithLabelValues("batch"),
}

// observeStatement adds a statement that began at start to the metrics of its kind.
func observeStatement(kind string, start time.Time) {
	seconds, ok := kindSeconds[kind]
	if !ok {
		seconds = kindSeconds[""]
	}
	seconds.Observe(time.Since(start).Seconds())
}

// PoolStats says how many connections of the database are in use, open and allowed, and how often a
// statement had to wait for one.
type PoolStats struct {
	InUse, Open, Max int
	Waits            int64
}

// PoolStats returns the state of the connections for statements. The queue's own are not counted.
func (db *DB) PoolStats() PoolStats {
	if db.pool != nil {
		stat := db.pool.Stat()
		return PoolStats{InUse: int(stat.AcquiredConns()), Open: int(stat.TotalConns()), Max: int(stat.MaxConns()),
			Waits: stat.EmptyAcquireCount()}
	}
	var out PoolStats
	for _, pool := range db.bunPools() {
		stat := pool.Stats()
		out.InUse, out.Open = out.InUse+stat.InUse, out.Open+stat.OpenConnections
		out.Max, out.Waits = out.Max+stat.MaxOpenConnections, out.Waits+stat.WaitCount
	}
	return out
}
