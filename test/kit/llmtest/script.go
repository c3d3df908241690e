package llmtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// ParseScript parses the answers of a model from the files model/TASK and model/TASK/WORD of a
// scenario, in their order. An unknown directive is an error that names the file. Directives are
// lines that begin with @, before the text:
//
//	@when WORDS       matches only prompts that contain these words
//	@times N          matches only the first N calls
//	@truncated        the text ends at the model's maximum length
//	@declined         the model declines
//	@status N [WAIT]  the server fails with this status, and with Retry-After: WAIT
//	@cut              the connection closes in the middle of the text
//	@slow             no answer is sent until the client disconnects
//	@malformed KIND   the vectors of an embedding are unusable; see Answer
//	@searched         matches only calls that let the model search the web
//	@refuses KIND     the server refuses this kind of response_format, json_schema or json_object, or web_search
func ParseScript(files []txtar.File) ([]Answer, error) {
	var answers []Answer
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Name, "model/")
		if !ok {
			continue
		}
		task, _, _ := strings.Cut(name, "/")
		answer := Answer{Task: task}
		rest := string(f.Data)
		for strings.HasPrefix(rest, "@") {
			var line string
			line, rest, _ = strings.Cut(rest, "\n")
			if err := answer.applyDirective(strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		answer.Text = strings.TrimSpace(rest)
		answers = append(answers, answer)
	}
	return answers, nil
}

func (a *Answer) applyDirective(line string) (err error) {
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
	case "@malformed":
		a.Malformed = value
	case "@searched":
		a.Searched = true
	case "@refuses":
		a.Refuses = append(slices.Clip(a.Refuses), value)
	default:
		err = fmt.Errorf("unknown directive %s", word)
	}
	return err
}
