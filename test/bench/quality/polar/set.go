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

// reading is a text with a persona that likes it better and a persona that likes it less.
type reading struct {
	title, text string
	more, less  *model.Persona
	split       string
}

var splits = []string{"tune", "spent", "hold"}

// set returns the labeled texts, one reading for each pair of personas.
func set() ([]reading, error) {
	var all []reading
	personas := map[string]*model.Persona{}
	split, fresh := "", 0 // the readings from fresh on belong to the current text
	for n, line := range strings.Split(polar, "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			split = strings.Trim(line, "[]")
			if !slices.Contains(splits, split) {
				return nil, fmt.Errorf("line %d does not start a split", n+1)
			}
		case strings.HasPrefix(line, "@"):
			part := strings.Split(line[1:], "|")
			if len(part) != 5 {
				return nil, fmt.Errorf("line %d is not a persona", n+1)
			}
			for i := range part {
				part[i] = strings.TrimSpace(part[i])
			}
			personas[part[0]] = &model.Persona{ID: part[0], Name: part[1], Description: part[2], Interests: part[3],
				Concerns: part[4]}
		case strings.HasPrefix(line, "="):
			title, pairs, _ := strings.Cut(line[1:], "|")
			fresh = len(all)
			for _, pair := range strings.Split(pairs, ",") {
				more, less, _ := strings.Cut(pair, ">")
				r := reading{title: strings.TrimSpace(title), split: split, more: personas[strings.TrimSpace(more)],
					less: personas[strings.TrimSpace(less)]}
				if r.more == nil || r.less == nil {
					return nil, fmt.Errorf("line %d names an unknown persona", n+1)
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
