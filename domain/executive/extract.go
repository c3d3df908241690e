package executive

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

var (
	//go:embed signals.tmpl
	signalsWords  string
	signalsPrompt = llm.MustPrompt("executive.signals", signalsWords)

	//go:embed signals.json
	signalsSchema json.RawMessage
)

// The bounds of what is read of a document and of what is kept of it.
const (
	mostRead      = 24_000 // code points that a model is shown
	mostSignals   = 12
	longestQuote  = 600  // code points
	longestSaid   = 1000 // code points of a statement
	longestTheme  = 100  // code points
	fewestSaid    = 2    // words of a statement and of its quote
	signalsTokens = 4000
)

// claim is a signal as an engine gives it.
type claim struct {
	Statement string       `json:"statement"`
	Theme     string       `json:"theme"`
	Stance    model.Stance `json:"stance"`
	Quote     string       `json:"quote"`
	Executive string       `json:"executive"`
	Company   string       `json:"company"`
}

type claims struct {
	Signals []claim `json:"signals"`
}

// extraction is what was found in one version of a document's text.
type extraction struct {
	row     *model.SignalExtraction
	signals []*model.Signal
}

// versionOf is a digest of a text.
func versionOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:16])
}

// extract asks the engine what a document says and keeps what the text supports.
func (s *Service) extract(ctx context.Context, doc *model.Document) (*extraction, error) {
	content := model.ValueOr(doc.Content, "")
	task, err := signalsPrompt.Task(map[string]any{
		"Most": mostSignals, "Attribution": strings.TrimSpace(model.ValueOr(doc.Executive, "") + "\n" + model.ValueOr(doc.Company, "")),
		"Document": doc.Title + "\n\n" + text.Truncate(content, mostRead),
	})
	if err != nil {
		return nil, err
	}
	task.Schema, task.MaxTokens = signalsSchema, signalsTokens
	task.Builtin = func(context.Context) (string, error) { return encoded(s.read(doc)) }
	said, answer, err := llm.Ask[claims](ctx, s.Engine, task)
	if err != nil {
		return nil, err
	}
	now := model.Now()
	out := &extraction{row: &model.SignalExtraction{
		DocumentID: doc.ID, WorkspaceID: doc.WorkspaceID, Version: versionOf(content), Model: answer.Model, CreatedAt: now,
	}}
	out.signals = verified(doc, said.Signals)
	for _, signal := range out.signals {
		signal.ID, signal.CreatedAt = model.NewID(model.SignalPrefix), now
	}
	return out, nil
}

// verified keeps the claims whose quote stands in the text and says what they say, each once, in the order of the text.
func verified(doc *model.Document, said []claim) []*model.Signal {
	content := model.ValueOr(doc.Content, "")
	var kept []*model.Signal
	for _, c := range said {
		span, ok := text.Locate(content, strings.ToValidUTF8(c.Quote, ""))
		statement, theme := oneLine(c.Statement), text.Truncate(oneLine(c.Theme), longestTheme)
		switch {
		case !ok, theme == "", statement == "", utf8.RuneCountInString(statement) > longestSaid, utf8.RuneCountInString(span.Text) > longestQuote:
			continue
		case len(text.Words(statement)) < fewestSaid, len(text.Words(span.Text)) < fewestSaid:
			continue // "Yes.", a letter, a mark: it stands in the text and says nothing
		case !faithful(statement, span.Text), slices.ContainsFunc(kept, func(k *model.Signal) bool { return k.Start == span.Start }):
			continue
		}
		signal := &model.Signal{
			WorkspaceID: doc.WorkspaceID, DocumentID: doc.ID, Theme: theme, Statement: statement,
			Quote: span.Text, Start: span.Start, End: span.End, Stance: c.Stance,
		}
		attribute(signal, doc, c)
		if kept = append(kept, signal); len(kept) == mostSignals {
			break
		}
	}
	slices.SortFunc(kept, func(a, b *model.Signal) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

// attribute says who makes a statement: whom the claim names, where the text has that name, else whom the document is attributed to.
func attribute(signal *model.Signal, doc *model.Document, c claim) {
	content := model.ValueOr(doc.Content, "")
	stands := func(name string) bool {
		_, ok := text.Locate(content, name)
		return ok
	}
	name, company := oneLine(c.Executive), oneLine(c.Company)
	if name == "" || name == model.ValueOr(doc.Executive, "") || !stands(name) {
		signal.Executive, signal.Company, signal.Attributed = doc.Executive, doc.Company, true
		return
	}
	signal.Executive = &name
	if company != "" && stands(company) {
		signal.Company = &company
	}
}

func oneLine(said string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(said, ""), "\x00", "")), " ")
}

func encoded(value any) (string, error) {
	raw, err := json.Marshal(value)
	return string(raw), err
}

// The bounds of a sentence that says something.
const (
	fewestWords = 5
	feltStance  = 0.15 // how a sentence must feel to take a side
	sharedName  = 0.5  // of a phrase, for it to be of a name
	ownPhrases  = 6    // of a sentence
)

// read is the built-in engine's answer: the sentences that say most of the text and those that somebody says, each with the heaviest phrase
// of the text that it has.
func (s *Service) read(doc *model.Document) claims {
	content := model.ValueOr(doc.Content, "")
	themes := themesOf(doc)
	chosen := map[int]bool{}
	for _, sentence := range text.Rank(content, mostSignals) {
		chosen[sentence.Start] = true
	}
	var spoken, plain []claim
	for _, sentence := range text.Sentences(content) {
		words := text.Words(sentence.Text)
		said := quoted(sentence.Text, words)
		if len(words) < fewestWords || utf8.RuneCountInString(sentence.Text) > longestQuote || !said && !chosen[sentence.Start] {
			continue
		}
		name, company := s.Reader.Speaker(sentence.Text)
		names := strings.Join([]string{name, company, model.ValueOr(doc.Executive, ""), model.ValueOr(doc.Company, "")}, " ")
		c := claim{
			Statement: sentence.Text, Theme: themeOf(sentence.Text, names, themes), Stance: stanceOf(sentence.Text), Quote: sentence.Text,
			Executive: name, Company: company,
		}
		switch {
		case c.Theme == "":
		case said:
			spoken = append(spoken, c)
		default:
			plain = append(plain, c)
		}
	}
	all := append(spoken, plain...)
	return claims{Signals: model.OrEmpty(all[:min(len(all), mostSignals)])}
}

// firstPerson are the words by which somebody speaks for themselves.
var firstPerson = setOf(`i we our us my wir unser unsere ich nous notre nos je nosotros nuestro nuestra noi nostro nostra wij onze nós nosso nossa`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// quoted reports a sentence that somebody says: in quotation marks or in the first person.
func quoted(sentence string, words []text.Span) bool {
	return strings.ContainsAny(sentence, "\"“”„«»") ||
		slices.ContainsFunc(words, func(w text.Span) bool { return firstPerson[strings.ToLower(w.Text)] })
}

// themesOf lists the phrases of a document, heaviest first, without the names of who it is from.
func themesOf(doc *model.Document) []string {
	whole := doc.Title + ".\n\n" + model.ValueOr(doc.Content, "")
	return nameless(text.Keyphrases(whole, 2*mostSignals), model.ValueOr(doc.Executive, "")+" "+model.ValueOr(doc.Company, ""))
}

// themeOf is the phrase of a sentence that has the heaviest of the document's, else the sentence's own heaviest one; names are no theme.
func themeOf(sentence, names string, phrases []string) string {
	own := nameless(text.Keyphrases(sentence, ownPhrases), names)
	for _, phrase := range phrases {
		for _, one := range own {
			if text.Covered(phrase, one) == 1 {
				return strings.ToLower(one)
			}
		}
	}
	return strings.ToLower(strings.Join(own[:min(len(own), 1)], ""))
}

// nameless are the phrases that are not of a name; those that judge come last.
func nameless(phrases []text.Phrase, names string) []string {
	var out, judging []string
	for _, phrase := range phrases {
		switch {
		case text.Covered(phrase.Text, names) >= sharedName:
		case text.Sentiment(phrase.Text) != 0:
			judging = append(judging, phrase.Text)
		default:
			out = append(out, phrase.Text)
		}
	}
	return append(out, judging...)
}

// stanceOf is how a sentence feels, in a word.
func stanceOf(sentence string) model.Stance {
	switch feeling := text.Sentiment(sentence); {
	case feeling > feltStance:
		return model.StancePositive
	case feeling < -feltStance:
		return model.StanceNegative
	}
	return model.StanceNeutral
}
