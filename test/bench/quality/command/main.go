// Command command counts the lines of ordinary texts that are taken for commands to a text model,
// and so would be left out of prompts.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"rostrum/llm/text/command"
	"rostrum/test/bench/quality"
)

func main() {
	speakers := flag.String("speakers", "test/bench/quality/speaker/dev/*.json",
		"the texts with labeled speakers, as JSON")
	verbose := flag.Bool("v", false, "print the passages that would be left out")
	flag.Parse()
	pages, err := readPages()
	said, speakerErr := readSpeakers(*speakers)
	if err = errors.Join(err, speakerErr); err != nil {
		fmt.Fprintln(os.Stderr, "command:", err)
		os.Exit(1)
	}
	report := io.Discard
	if *verbose {
		report = os.Stdout
	}
	quality.PrintRow(os.Stdout, "commands", "lines of pages left out wrongly", measure(report, pages))
	quality.PrintRow(os.Stdout, "commands", "lines of speakers' texts left out wrongly", measure(report, said))
}

// measure returns the share of lines with a passage that is taken for a command.
func measure(out io.Writer, texts []string) quality.Share {
	s := quality.Share{}
	for _, content := range texts {
		for line := range strings.Lines(content) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			s.Total++
			if found := command.Find(line); len(found) > 0 {
				s.Right++
				fmt.Fprintln(out, "   ", found[0].Text)
			}
		}
	}
	return s
}

// readPages returns the texts of the labeled pages.
func readPages() ([]string, error) {
	files, err := quality.Set()
	if err != nil {
		return nil, err
	}
	pages, err := quality.Load(files)
	var texts []string
	for _, page := range pages {
		if page.Want != "" {
			texts = append(texts, page.Want)
		}
	}
	return texts, err
}

// readSpeakers returns the texts of the files that a pattern matches.
func readSpeakers(pattern string) ([]string, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("list the texts: %w", err)
	}
	var texts []string
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("open a text: %w", err)
		}
		for decoder := json.NewDecoder(file); err == nil; {
			labeled := struct{ Text string }{}
			if err = decoder.Decode(&labeled); err == nil {
				texts = append(texts, labeled.Text)
			}
		}
		if err := errors.Join(file.Close(), ignoreEnd(err)); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("no texts match %s", pattern)
	}
	return texts, nil
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
