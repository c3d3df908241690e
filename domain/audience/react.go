package audience

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/command"
	"rostrum/model"
	"rostrum/model/optional"
)

var (
	//go:embed react.tmpl
	reactWords string
	//go:embed react.json
	reactSchema json.RawMessage

	reactPrompt = llm.MustPrompt("audience.react", reactWords)
)

// Limits of a model's answer.
const (
	reactTokens = 1500
	mostListed  = 8
	entryRunes  = 300
	mostQuotes  = 5
	saidRunes   = 8000 // of the free text
)

// modelReaction is a model's answer: the free text first, then lists derived from it.
type modelReaction struct {
	Text    string   `json:"text"`
	Stance  string   `json:"stance"` // a model.ReactionSentiment
	Themes  []string `json:"themes"`
	Risks   []string `json:"risks"`
	Actions []string `json:"actions"`
	Quotes  []string `json:"quotes"`
}

// personaReading is the input of one persona's reaction to a text.
type personaReading struct {
	*subject
	Reader *reader
	study  *offline.Study // of the text, shared by all personas
	at     time.Time      // creation time, unique per persona
}

// Language returns the English name of the reaction's language.
func (r personaReading) Language() string {
	if tag, err := language.Parse(r.Reader.ResponseLanguage); err == nil && tag != language.Und {
		return display.English.Tags().Name(tag)
	}
	return display.English.Tags().Name(language.English)
}

// offlineReaction returns the reading for the offline engine.
func (r personaReading) offlineReaction() offline.Reaction {
	return offline.Reaction{Study: r.study, Concerns: r.Reader.cares, Options: r.Reader.ignored}
}

func reactTask(r personaReading) (llm.Task, error) {
	task, err := reactPrompt.Task(r)
	task.Schema, task.MaxTokens = reactSchema, reactTokens
	task.Input = r.offlineReaction()
	return task, err
}

// askPersona asks one persona and returns the validated and rated reaction. It returns
// errs.ModelFailed or errs.ModelTimeout.
func (s *Service) askPersona(ctx context.Context, r personaReading) (*model.Reaction, error) {
	task, err := reactTask(r)
	if err != nil {
		return nil, err
	}
	answered, answer, err := llm.AskWithin[modelReaction](ctx, s.Engine, jobTime, task)
	if err != nil {
		return nil, err
	}
	out := r.newReaction()
	if out.Text = text.Truncate(strings.TrimSpace(answered.Text), saidRunes); out.Text == "" {
		return nil, errs.New(errs.ModelFailed, "the text model's reaction is empty")
	}
	out.Status, out.Model, out.Warning = model.ReactionStatusCompleted, answer.Model, optional.NonEmpty(answer.Warning)
	r.rate(out)
	if err := s.rateBySimilarity(ctx, r, out); err != nil {
		return nil, err
	}
	keepStance(out, model.ReactionSentiment(answered.Stance))
	out.Themes, out.Risks, out.Actions = cleanList(answered.Themes), cleanList(answered.Risks),
		cleanList(answered.Actions)
	out.Quotes = verifyQuotes(r.Content, answered.Quotes)
	return out, nil
}

// rate sets the rating of a model's reaction by its words. An extract has no opinion, and neither has
// a reaction whose words show none.
func (r personaReading) rate(out *model.Reaction) {
	if out.Model == offline.Model {
		out.Basis = model.ReactionBasisExtract
		return
	}
	if rating, sentiment, ok := rateReaction(out.Text); ok {
		out.Rating, out.Sentiment = &rating, &sentiment
	}
}

// keepStance keeps the stance that a model chose, and warns if the reaction's words show another one.
func keepStance(out *model.Reaction, stance model.ReactionSentiment) {
	if out.Basis == model.ReactionBasisExtract {
		return
	}
	out.Stance = &stance
	if out.Sentiment == nil || *out.Sentiment == stance {
		return
	}
	warning := fmt.Sprintf("the model chose the stance %s, and the words of its reaction are %s", stance, *out.Sentiment)
	out.Warning = new(strings.TrimPrefix(optional.ValueOr(out.Warning, "")+"; "+warning, "; "))
}

// rateBySimilarity replaces the rating of a model's reaction by its similarity to anchor
// statements, if there is an embedding model. A reaction that cannot be compared keeps its rating
// and gets a warning. It returns the context's error and errors that are not the embedder's.
func (s *Service) rateBySimilarity(ctx context.Context, r personaReading, out *model.Reaction) error {
	if s.similarity == nil || out.Basis != model.ReactionBasisModel {
		return nil
	}
	own := ownWords(out.Text)
	shares, err := s.similarity.distribute(ctx, r.languageOf(own), own)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case llm.IsFailure(err):
		warning := "the reaction is rated by its words and not by similarity: " + errs.From(err).Message
		out.Warning = new(strings.TrimPrefix(optional.ValueOr(out.Warning, "")+"; "+warning, "; "))
		return nil
	case err != nil:
		return err
	}
	_, bothSides, _ := rateSentences(own)
	rating := meanRating(shares)
	out.Rating, out.Sentiment = &rating, new(sentimentWith(rating, bothSides))
	out.RatingDistribution, out.Confidence = shares, new(concentration(shares))
	return nil
}

// languageOf returns the language code of a reaction's text. If the text is too short, it is the
// language of the persona's answers.
func (r personaReading) languageOf(own string) string {
	if found := text.Language(own); found != "" {
		return found
	}
	tag, err := language.Parse(r.Reader.ResponseLanguage)
	if err != nil {
		return language.English.String()
	}
	base, _ := tag.Base()
	return base.String()
}

// newReaction returns a reaction without content.
func (r personaReading) newReaction() *model.Reaction {
	return &model.Reaction{
		ID: model.NewID(model.ReactionPrefix), WorkspaceID: r.Reader.WorkspaceID, PersonaID: r.Reader.ID,
		SubjectID:  r.ID,
		DocumentID: r.DocumentID, DraftID: r.DraftID, Version: r.Version, PersonaVersion: r.Reader.Version,
		Basis:  model.ReactionBasisModel,
		Themes: []string{}, Risks: []string{}, Actions: []string{}, Quotes: []*model.ReactionQuote{}, CreatedAt: r.at,
		SourceDocumentIDs: r.sourceIDs(),
	}
}

// sourceIDs returns the documents that the reaction draws on.
func (r personaReading) sourceIDs() []string {
	ids := []string{}
	if r.DocumentID != nil {
		ids = append(ids, *r.DocumentID)
	}
	for _, held := range r.Reader.GroundedStatements {
		ids = append(ids, held.DocumentID)
	}
	return optional.Distinct(ids)
}

// failedReaction returns a reaction that records the error of the model call.
func (r personaReading) failedReaction(cause error, by string) *model.Reaction {
	shown := errs.From(cause)
	out, code := r.newReaction(), string(shown.Code)
	out.Status, out.ErrorCode, out.ErrorMessage, out.Model = model.ReactionStatusFailed, &code, &shown.Message, by
	return out
}

// cleanList returns the distinct, non-empty entries of a model's list, limited in number and
// length.
func cleanList(given []string) []string {
	out := []string{}
	for _, entry := range given {
		entry = text.Truncate(strings.Join(strings.Fields(entry), " "), entryRunes)
		if entry != "" && len(out) < mostListed &&
			!slices.ContainsFunc(out, func(known string) bool { return strings.EqualFold(known, entry) }) {
			out = append(out, entry)
		}
	}
	return out
}

// aroundRunes is the context that is searched for words cut by a quote.
const aroundRunes = 40

// hasWholeWords reports whether a passage contains words and cuts none at its ends.
func hasWholeWords(content []rune, span text.Span) bool {
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

// verifyQuotes returns the quotes that occur in the text as whole words, with offsets. It drops all
// others and overlapping ones.
func verifyQuotes(content string, quotes []string) []*model.ReactionQuote {
	content = text.BlankStruck(command.Blank(content))
	out, runes := []*model.ReactionQuote{}, []rune(content)
	for _, quote := range quotes {
		span, ok := text.Locate(content, quote)
		again := slices.ContainsFunc(out, func(known *model.ReactionQuote) bool {
			return known.Start < span.End && span.Start < known.End
		})
		if ok && !again && len(out) < mostQuotes && hasWholeWords(runes, span) {
			out = append(out, &model.ReactionQuote{Text: span.Text, Start: span.Start, End: span.End})
		}
	}
	return out
}
