package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"rostrum/model"
)

//go:embed polar.txt
var polar string

// reading is a text beside a persona that likes it better and one that likes it less.
type reading struct {
	title, text string
	more, less  *model.Persona
	hold        bool
}

// set reads the labelled texts, one reading for each pair of personas.
func set() ([]reading, error) {
	var all []reading
	personas := map[string]*model.Persona{}
	hold, fresh := false, 0 // the readings from fresh on are of the present text
	for n, line := range strings.Split(polar, "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == "[tune]", line == "[hold]":
			hold = line == "[hold]"
		case strings.HasPrefix(line, "@"):
			part := strings.Split(line[1:], " | ")
			if len(part) != 3 {
				return nil, fmt.Errorf("line %d is no persona", n+1)
			}
			personas[part[0]] = &model.Persona{ID: part[0], Name: part[0], Interests: part[1], Concerns: part[2]}
		case strings.HasPrefix(line, "="):
			title, pairs, _ := strings.Cut(line[1:], "|")
			fresh = len(all)
			for _, pair := range strings.Split(pairs, ",") {
				more, less, _ := strings.Cut(pair, ">")
				r := reading{title: strings.TrimSpace(title), hold: hold, more: personas[strings.TrimSpace(more)], less: personas[strings.TrimSpace(less)]}
				if r.more == nil || r.less == nil {
					return nil, fmt.Errorf("line %d names a persona that is not there", n+1)
				}
				all = append(all, r)
			}
		default:
			for i := range all[fresh:] {
				all[fresh+i].text = strings.TrimSpace(all[fresh+i].text + " " + line)
			}
		}
	}
	return slices.Clip(all), nil
}
