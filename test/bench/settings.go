package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// settings are the command line's settings.
type settings struct {
	database    string
	seconds     float64
	connections countList
	documents   int
	large       int
	short       bool
	write       bool
	only        string // the one measurement to take; empty for all
	// that selects these settings; the database's address is omitted because it belongs to the machine
	command string
}

// onlyPeers selects the comparison with other servers.
const onlyPeers = "peers"

// standardServer is the default Postgres server of a development machine.
const standardServer = "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

func readSettings() (settings, error) {
	s := settings{connections: countList{16, 64}}
	only := []string{onlyPeers}
	about := "measure only peers (reads of other GraphQL servers, which are installed from their packages)"
	for _, m := range measurements {
		only, about = append(only, m.name), about+", "+m.name+" ("+m.about+")"
	}
	flag.StringVar(&s.database, "database", cmp.Or(os.Getenv("TEST_DATABASE_URL"), standardServer),
		"address of a Postgres server on which databases can be created; its parameters also apply to the gateway")
	flag.Float64Var(&s.seconds, "seconds", 1, "seconds of load in each slice")
	flag.Var(&s.connections, "connections", "numbers of concurrent connections, separated by commas; some measurements use the first number only")
	flag.IntVar(&s.documents, "documents", 10_000, "documents in each of the ten workspaces, at least 50")
	flag.IntVar(&s.large, "large", 1_000_000, "documents in the workspace whose pages are compared with those of one of 10,000, at least 50,000")
	flag.BoolVar(&s.short, "short", false,
		"measure fewer rounds and smaller numbers, to see that a measurement runs; its figures mean nothing")
	flag.BoolVar(&s.write, "write", false, "also write "+resultsFile+" and its plots; with -only=peers "+peersFile+
		" instead")
	flag.StringVar(&s.only, "only", "", about)
	flag.Parse()
	s.command = "go run ./test/bench"
	flag.Visit(func(f *flag.Flag) {
		if f.Name != "database" {
			s.command += " -" + f.Name + "=" + f.Value.String()
		}
	})
	if s.documents < listSize || s.large < deepPage*listSize || s.seconds <= 0 || flag.NArg() > 0 {
		return s, fmt.Errorf("requires at least %d documents, %d in the large workspace and a positive time, and no arguments", listSize, deepPage*listSize)
	}
	if s.only != "" && !slices.Contains(only, s.only) {
		return s, fmt.Errorf("-only is one of %s", strings.Join(only, ", "))
	}
	if s.write && (s.short || s.only != "" && s.only != onlyPeers) {
		return s, fmt.Errorf("-write needs a full run of all measurements, or of %s", onlyPeers)
	}
	return s, nil
}

func (s settings) slice() time.Duration { return time.Duration(s.seconds * float64(time.Second)) }

// rounds returns the number of load slices of each candidate. Six are the fewest whose median has an
// interval of 95 %.
func (s settings) rounds() int {
	if s.short {
		return 1
	}
	return 6
}

// count returns a number of a measurement, which is smaller in a short run.
func (s settings) count(n int) int {
	if s.short {
		return max(n/50, 1)
	}
	return n
}

// countList is a list of positive numbers, separated by commas.
type countList []int

func (c *countList) String() string {
	words := make([]string, len(*c))
	for i, n := range *c {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// Set parses a flag; it returns an error for an empty list or a number below 1.
func (c *countList) Set(text string) error {
	*c = nil
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a positive number", word)
		}
		*c = append(*c, n)
	}
	return nil
}
