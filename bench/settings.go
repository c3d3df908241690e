package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// settings are the command line.
type settings struct {
	database    string
	seconds     float64
	connections counts
	documents   int
	large       int
	reads       bool
	write       bool
	fanOut      bool
	command     string // that asks for these settings; the database's address is the machine's own affair
}

// standardServer is where a development machine has its Postgres.
const standardServer = "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

func readSettings() (settings, error) {
	s := settings{connections: counts{16, 64}}
	flag.StringVar(&s.database, "database", cmp.Or(os.Getenv("TEST_DATABASE_URL"), standardServer), "address of a Postgres server on which a database can be made; its parameters hold for the gateway too")
	flag.Float64Var(&s.seconds, "seconds", 1, "length of one slice of load")
	flag.Var(&s.connections, "connections", "connections that send at once, with commas between; what is not measured at each takes the first")
	flag.IntVar(&s.documents, "documents", 10_000, "documents in each of the ten workspaces, at least 50")
	flag.IntVar(&s.large, "large", 1_000_000, "documents in the workspace whose pages are compared with those of one of 10,000, at least 50,000")
	flag.BoolVar(&s.reads, "reads", false, "measure reads only")
	flag.BoolVar(&s.write, "write", false, "also write "+resultsFile+" and its plots")
	flag.BoolVar(&s.fanOut, "fanout", false, "measure events to subscribers and nothing else")
	flag.Parse()
	s.command = "go run ./bench"
	flag.Visit(func(f *flag.Flag) {
		if f.Name != "database" {
			s.command += " -" + f.Name + "=" + f.Value.String()
		}
	})
	if s.documents < rows || s.large < farPage*rows || s.seconds <= 0 || flag.NArg() > 0 {
		return s, fmt.Errorf("it takes at least %d documents, %d in the large workspace and a positive time, and no arguments", rows, farPage*rows)
	}
	return s, nil
}

func (s settings) slice() time.Duration { return time.Duration(s.seconds * float64(time.Second)) }

// counts are positive numbers with commas between.
type counts []int

func (c *counts) String() string {
	words := make([]string, len(*c))
	for i, n := range *c {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// Set reads what a flag says; a flag that says nothing leaves no number and is refused.
func (c *counts) Set(text string) error {
	*c = nil
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no positive number", word)
		}
		*c = append(*c, n)
	}
	return nil
}
