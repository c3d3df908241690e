package audience

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

var (
	//go:embed react.tmpl
	reactWords string
	//go:embed react.json
	reactSchema json.RawMessage

	reactPrompt = llm.MustPrompt("audience.react", reactWords)
)

// The bounds of an answer: its tokens, and what is kept of its lists.
const (
	reactTokens = 1500
	mostListed  = 8
	entryRunes  = 300
	mostQuotes  = 5
	saidRunes   = 8000 // of the free text
)

// said is a model's answer: the free text first, then what is taken from it.
type said struct {
	Text    string   `json:"text"`
	Themes  []string `json:"themes"`
	Risks   []string `json:"risks"`
	Actions []string `json:"actions"`
	Quotes  []string `json:"quotes"`
}

// reading is one persona before one text.
type reading struct {
	*subject
	Reader *reader
	*study
	at time.Time // when the persona was given it: another time for each
}

// study is what is told of a text once for all readers.
type study struct {
	text  *text.Study
	about []text.Phrase
}

func newStudy(of *subject) *study {
	return &study{text.NewStudy(of.Title, of.Read()), text.Keyphrases(of.Read(), shownThemes)}
}

// Language is the language of the reaction.
func (r reading) Language() string {
	if tag, err := language.Parse(r.Reader.ResponseLanguage); err == nil && tag != language.Und {
		return display.English.Tags().Name(tag)
	}
	return display.English.Tags().Name(language.English)
}

func reactTask(r reading) (llm.Task, error) {
	task, err := reactPrompt.Task(r)
	task.Schema, task.MaxTokens = reactSchema, reactTokens
	task.Builtin = func(context.Context) (string, error) {
		raw, err := json.Marshal(builtinReaction(r))
		return string(raw), err
	}
	return task, err
}

// react asks one persona, and keeps of its answer what holds. It fails with model_failed and model_timeout.
func (s *Service) react(ctx context.Context, r reading) (*model.Reaction, error) {
	task, err := reactTask(r)
	if err != nil {
		return nil, err
	}
	answered, answer, err := llm.AskWithin[said](ctx, s.Engine, jobTime, task)
	if err != nil {
		return nil, err
	}
	out := r.blank()
	if out.Text = text.Truncate(strings.TrimSpace(answered.Text), saidRunes); out.Text == "" {
		return nil, errs.New(errs.ModelFailed, "the text model's reaction is empty")
	}
	rating, sentiment := rate(out.Text)
	out.Status, out.Rating, out.Sentiment, out.Model = model.ReactionStatusCompleted, &rating, &sentiment, answer.Model
	out.Themes, out.Risks, out.Actions = listed(answered.Themes), listed(answered.Risks), listed(answered.Actions)
	out.Quotes = verified(r.Content, answered.Quotes)
	return out, nil
}

// blank is a reaction that is not there yet.
func (r reading) blank() *model.Reaction {
	return &model.Reaction{
		ID: model.NewID(model.ReactionPrefix), WorkspaceID: r.Reader.WorkspaceID, PersonaID: r.Reader.ID, SubjectID: r.ID,
		DocumentID: r.DocumentID, DraftID: r.DraftID, Version: r.Version, PersonaVersion: r.Reader.Version,
		Themes: []string{}, Risks: []string{}, Actions: []string{}, Quotes: []*model.ReactionQuote{}, CreatedAt: r.at,
	}
}

// failed is the reaction of a persona that could not react.
func (r reading) failed(cause error, by string) *model.Reaction {
	shown := errs.From(cause)
	out, code := r.blank(), string(shown.Code)
	out.Status, out.ErrorCode, out.ErrorMessage, out.Model = model.ReactionStatusFailed, &code, &shown.Message, by
	return out
}

// listed keeps the entries of a model's list that say something, each once.
func listed(given []string) []string {
	out := []string{}
	for _, entry := range given {
		entry = text.Truncate(strings.Join(strings.Fields(entry), " "), entryRunes)
		if entry != "" && len(out) < mostListed && !slices.ContainsFunc(out, func(known string) bool { return strings.EqualFold(known, entry) }) {
			out = append(out, entry)
		}
	}
	return out
}

// aroundRunes is how far around a quote words are looked at that it may cut.
const aroundRunes = 40

// whole reports a passage that has words and cuts none at its ends: a letter stands in every text.
func whole(content []rune, span text.Span) bool {
	from, to := max(0, span.Start-aroundRunes), min(len(content), span.End+aroundRunes)
	spoken := false
	for _, word := range text.Words(string(content[from:to])) {
		start, end := from+word.Start, from+word.End
		if start < span.Start && span.Start < end || start < span.End && span.End < end {
			return false
		}
		spoken = spoken || span.Start <= start && end <= span.End
	}
	return spoken
}

// verified keeps the quotes that stand in the text in whole words, with the place where they do, each once; no other quote leaves.
func verified(content string, quotes []string) []*model.ReactionQuote {
	out, runes := []*model.ReactionQuote{}, []rune(content)
	for _, quote := range quotes {
		span, ok := text.Locate(content, quote)
		again := slices.ContainsFunc(out, func(known *model.ReactionQuote) bool { return known.Start < span.End && span.Start < known.End })
		if ok && !again && len(out) < mostQuotes && whole(runes, span) {
			out = append(out, &model.ReactionQuote{Text: span.Text, Start: span.Start, End: span.End})
		}
	}
	return out
}
