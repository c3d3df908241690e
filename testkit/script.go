package testkit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// modelAnswers reads the answers of a model from the files model/TASK and model/TASK/WORD of a scenario, in their order. Lines that begin
// with @ stand before the text:
//
//	@when WORDS       only for prompts that hold these words
//	@times N          only for the first N calls that it fits
//	@truncated        the text ends at the model's longest length
//	@declined         the model declines
//	@status N [WAIT]  the server fails with this status, and Retry-After where WAIT is given
//	@cut              the connection ends in the middle of the text
//	@slow             nothing comes until the caller has gone
//	@searched         only for calls that let the model search the web
//	@refuses KIND     the server refuses this kind of response_format, json_schema or json_object, or web_search
func modelAnswers(files []txtar.File) ([]ModelAnswer, error) {
	var answers []ModelAnswer
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Name, "model/")
		if !ok {
			continue
		}
		task, _, _ := strings.Cut(name, "/")
		answer := ModelAnswer{Task: task}
		rest := string(f.Data)
		for strings.HasPrefix(rest, "@") {
			var line string
			line, rest, _ = strings.Cut(rest, "\n")
			if err := answer.direct(strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		answer.Text = strings.TrimSpace(rest)
		answers = append(answers, answer)
	}
	return answers, nil
}

func (a *ModelAnswer) direct(line string) (err error) {
	word, value, _ := strings.Cut(line, " ")
	switch word {
	case "@when":
		a.When = value
	case "@times":
		a.Times, err = strconv.Atoi(value)
	case "@truncated":
		a.Truncated = true
	case "@declined":
		a.Declined = true
	case "@status":
		status, wait, _ := strings.Cut(value, " ")
		a.RetryAfter = wait
		a.Status, err = strconv.Atoi(status)
	case "@cut":
		a.Cut = true
	case "@slow":
		a.Slow = true
	case "@searched":
		a.Searched = true
	case "@refuses":
		a.Refuses = append(slices.Clip(a.Refuses), value)
	default:
		err = fmt.Errorf("%s is no line of a script", word)
	}
	return err
}
