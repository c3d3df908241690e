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
	"rostrum/optional"
)

var (
	//go:embed signals.tmpl
	signalsWords  string
	signalsPrompt = llm.MustPrompt("executive.signals", signalsWords)

	//go:embed signals.json
	signalsSchema json.RawMessage
)

// The limits of reading a document and of its signals.
const (
	mostRead      = 24_000 // code points sent to a model
	mostSignals   = 12
	longestQuote  = 600  // code points
	longestSaid   = 1000 // code points of a statement
	longestTheme  = 100  // code points
	fewestSaid    = 2    // minimum words of a statement and of its quote
	signalsTokens = 4000
)

// claimedSignal is a signal as an engine returns it.
type claimedSignal struct {
	Statement string       `json:"statement"`
	Theme     string       `json:"theme"`
	Stance    model.Stance `json:"stance"`
	Quote     string       `json:"quote"`
	Executive string       `json:"executive"`
	Company   string       `json:"company"`
}

type claimedSignals struct {
	Signals []claimedSignal `json:"signals"`
}

// textExtraction is the signals of one version of a document's text.
type textExtraction struct {
	row     *model.SignalExtraction
	signals []*model.Signal
}

// textVersion returns a digest of a text.
func textVersion(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:16])
}

// extractSignals asks the engine for a document's statements and returns those that the text supports. It returns the errors of llm.Ask.
func (s *Service) extractSignals(ctx context.Context, doc *model.Document) (*textExtraction, error) {
	content := optional.ValueOr(doc.Content, "")
	task, err := signalsPrompt.Task(map[string]any{
		"Most": mostSignals, "Attribution": strings.TrimSpace(optional.ValueOr(doc.Executive, "") + "\n" + optional.ValueOr(doc.Company, "")),
		"Document": doc.Title + "\n\n" + text.Truncate(content, mostRead),
	})
	if err != nil {
		return nil, err
	}
	task.Schema, task.MaxTokens = signalsSchema, signalsTokens
	task.Builtin = func(context.Context) (string, error) { return encodeJSON(s.extractLexically(doc)) }
	said, answer, err := llm.Ask[claimedSignals](ctx, s.Engine, task)
	if err != nil {
		return nil, err
	}
	now := model.Now()
	out := &textExtraction{row: &model.SignalExtraction{
		DocumentID: doc.ID, WorkspaceID: doc.WorkspaceID, Version: textVersion(content), Model: answer.Model, CreatedAt: now,
	}}
	out.signals = verifySignals(doc, said.Signals)
	for _, signal := range out.signals {
		signal.ID, signal.CreatedAt = model.NewID(model.SignalPrefix), now
	}
	return out, nil
}

// verifySignals returns the claims with a quote that the text contains and that supports the statement, without duplicates, in the order of
// the text.
func verifySignals(doc *model.Document, said []claimedSignal) []*model.Signal {
	content := optional.ValueOr(doc.Content, "")
	var kept []*model.Signal
	for _, c := range said {
		span, ok := text.Locate(content, strings.ToValidUTF8(c.Quote, ""))
		statement, theme := singleLine(c.Statement), text.Truncate(singleLine(c.Theme), longestTheme)
		switch {
		case !ok, theme == "", statement == "", utf8.RuneCountInString(statement) > longestSaid, utf8.RuneCountInString(span.Text) > longestQuote:
			continue
		case len(text.Words(statement)) < fewestSaid, len(text.Words(span.Text)) < fewestSaid:
			continue // "Yes.", a letter, a mark: part of the text without a statement
		case !isFaithful(statement, span.Text), slices.ContainsFunc(kept, func(k *model.Signal) bool { return k.Start == span.Start }):
			continue
		}
		signal := &model.Signal{
			WorkspaceID: doc.WorkspaceID, DocumentID: doc.ID, Theme: theme, Statement: statement,
			Quote: span.Text, Start: span.Start, End: span.End, Stance: c.Stance,
		}
		attributeSignal(signal, doc, c)
		if kept = append(kept, signal); len(kept) == mostSignals {
			break
		}
	}
	slices.SortFunc(kept, func(a, b *model.Signal) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

// attributeSignal sets the speaker of a statement: the person that the claim names if the text contains the name, else the document's
// executive.
func attributeSignal(signal *model.Signal, doc *model.Document, c claimedSignal) {
	content := optional.ValueOr(doc.Content, "")
	stands := func(name string) bool {
		_, ok := text.Locate(content, name)
		return ok
	}
	name, company := singleLine(c.Executive), singleLine(c.Company)
	if name == "" || name == optional.ValueOr(doc.Executive, "") || !stands(name) {
		signal.Executive, signal.Company, signal.Attributed = doc.Executive, doc.Company, true
		return
	}
	signal.Executive = &name
	if company != "" && stands(company) {
		signal.Company = &company
	}
}

func singleLine(said string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(said, ""), "\x00", "")), " ")
}

func encodeJSON(value any) (string, error) {
	raw, err := json.Marshal(value)
	return string(raw), err
}

// The limits of a sentence with a statement.
const (
	fewestWords = 5
	feltStance  = 0.15 // minimum sentiment of a positive or negative stance
	sharedName  = 0.5  // share of a phrase that belongs to a name
	ownPhrases  = 6    // per sentence
)

// extractLexically returns the built-in engine's answer: the summarizing and the quoted sentences, each with the heaviest phrase of the text
// that it contains.
func (s *Service) extractLexically(doc *model.Document) claimedSignals {
	content := optional.ValueOr(doc.Content, "")
	themes := documentThemes(doc)
	chosen := map[int]bool{}
	for _, sentence := range text.Rank(content, mostSignals) {
		chosen[sentence.Start] = true
	}
	var spoken, plain []claimedSignal
	for _, sentence := range text.Sentences(content) {
		words := text.Words(sentence.Text)
		said := isQuoted(sentence.Text, words)
		if len(words) < fewestWords || utf8.RuneCountInString(sentence.Text) > longestQuote || !said && !chosen[sentence.Start] {
			continue
		}
		name, company := s.Reader.Speaker(sentence.Text)
		names := strings.Join([]string{name, company, optional.ValueOr(doc.Executive, ""), optional.ValueOr(doc.Company, "")}, " ")
		c := claimedSignal{
			Statement: sentence.Text, Theme: sentenceTheme(sentence.Text, names, themes), Stance: sentenceStance(sentence.Text), Quote: sentence.Text,
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
	return claimedSignals{Signals: optional.OrEmpty(all[:min(len(all), mostSignals)])}
}

// firstPerson holds first-person pronouns.
var firstPerson = wordSet(`i we our us my wir unser unsere ich nous notre nos je nosotros nuestro nuestra noi nostro nostra wij onze nós nosso nossa`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// isQuoted reports whether a sentence is in quotation marks or in the first person.
func isQuoted(sentence string, words []text.Span) bool {
	return strings.ContainsAny(sentence, "\"“”„«»") ||
		slices.ContainsFunc(words, func(w text.Span) bool { return firstPerson[strings.ToLower(w.Text)] })
}

// documentThemes returns the phrases of a document, heaviest first, without names of its executive and company.
func documentThemes(doc *model.Document) []string {
	whole := doc.Title + ".\n\n" + optional.ValueOr(doc.Content, "")
	return withoutNames(text.Keyphrases(whole, 2*mostSignals), optional.ValueOr(doc.Executive, "")+" "+optional.ValueOr(doc.Company, ""))
}

// sentenceTheme returns the phrase of a sentence that includes the heaviest phrase of the document, else the sentence's own heaviest one.
// Names are excluded.
func sentenceTheme(sentence, names string, phrases []string) string {
	own := withoutNames(text.Keyphrases(sentence, ownPhrases), names)
	for _, phrase := range phrases {
		for _, one := range own {
			if text.Covered(phrase, one) == 1 {
				return strings.ToLower(one)
			}
		}
	}
	return strings.ToLower(strings.Join(own[:min(len(own), 1)], ""))
}

// withoutNames returns the phrases that are not names; judgments come last.
func withoutNames(phrases []text.Phrase, names string) []string {
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

// sentenceStance returns the stance of a sentence by its sentiment.
func sentenceStance(sentence string) model.Stance {
	switch feeling := text.Sentiment(sentence); {
	case feeling > feltStance:
		return model.StancePositive
	case feeling < -feltStance:
		return model.StanceNegative
	}
	return model.StanceNeutral
}
