package llm

import (
	"context"
	_ "embed"
	"encoding/json"

	"rostrum/errs"
)

var (
	//go:embed judge.tmpl
	judgeWords  string
	judgePrompt = MustPrompt("claim.judge", judgeWords)

	//go:embed judge.json
	judgeSchema json.RawMessage
)

// Judge asks a text model whether quotes prove claims. Without an engine it holds every claim for
// proved, because then words alone decide.
type Judge struct{ Engine Engine }

// Claim is a sentence that a text model derived from a quote.
type Claim struct{ Sentence, Quote string }

// mostJudged is the number of claims of one call.
const mostJudged = 20

// verdicts is the judge's answer.
type verdicts struct {
	Verdicts []struct {
		Claim    int  `json:"claim"`
		Entailed bool `json:"entailed"`
	} `json:"verdicts"`
}

// Entailed reports of each claim whether its quote entails it. If the model fails, its claims are not
// entailed and problem says why; so is a claim without one clear verdict. It returns the context's
// error.
func (j Judge) Entailed(ctx context.Context, claims []Claim) (entailed []bool, problem string, err error) {
	entailed = make([]bool, len(claims))
	for at := 0; at < len(claims); at += mostJudged {
		batch := claims[at:min(at+mostJudged, len(claims))]
		if j.Engine == nil {
			for i := range batch {
				entailed[at+i] = true
			}
			continue
		}
		failed, err := j.ask(ctx, batch, entailed[at:])
		if err != nil {
			return nil, "", err
		}
		if failed != "" {
			problem = failed
		}
	}
	return entailed, problem, nil
}

// ask sets the verdicts of a batch. It returns what failed, or the context's error.
func (j Judge) ask(ctx context.Context, batch []Claim, entailed []bool) (problem string, err error) {
	task, err := judgePrompt.Task(map[string]any{"Claims": batch})
	if err != nil {
		return "", err
	}
	task.Schema, task.MaxTokens = judgeSchema, 100+40*len(batch)
	answer, _, err := Ask[verdicts](ctx, j.Engine, task)
	switch {
	case err != nil && (ctx.Err() != nil || !IsFailure(err)):
		return "", err
	case err != nil:
		return errs.From(err).Message, nil
	}
	yes, no := make([]int, len(batch)), make([]int, len(batch))
	for _, v := range answer.Verdicts {
		switch {
		case v.Claim < 1 || v.Claim > len(batch):
		case v.Entailed:
			yes[v.Claim-1]++
		default:
			no[v.Claim-1]++
		}
	}
	for i := range batch {
		if entailed[i] = yes[i] == 1 && no[i] == 0; yes[i]+no[i] != 1 {
			problem = "the judge gave no clear verdict on a claim"
		}
	}
	return problem, nil
}
