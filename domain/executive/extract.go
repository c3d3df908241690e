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
	"rostrum/llm/text/speaker"
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
	content, reading := optional.ValueOr(doc.Content, ""), readSpeakers(doc)
	task, err := signalsPrompt.Task(map[string]any{"Most": mostSignals, "Document": doc.Title + "\n\n" + shortenText(content, reading)})
	if err != nil {
		return nil, err
	}
	task.Schema, task.MaxTokens = signalsSchema, signalsTokens
	task.Builtin = func(context.Context) (string, error) { return encodeJSON(s.extractLexically(doc, reading)) }
	said, answer, err := llm.Ask[claimedSignals](ctx, s.Engine, task)
	if err != nil {
		return nil, err
	}
	now := model.Now()
	out := &textExtraction{row: &model.SignalExtraction{
		DocumentID: doc.ID, WorkspaceID: doc.WorkspaceID, Version: textVersion(content), Model: answer.Model, CreatedAt: now,
	}}
	out.signals = verifySignals(doc, reading, said.Signals)
	out.row.Omitted = countOmitted(reading, out.signals)
	for _, signal := range out.signals {
		signal.ID, signal.CreatedAt = model.NewID(model.SignalPrefix), now
	}
	return out, nil
}

// verifySignals returns the claims with a quote that the text contains and that supports the statement, without duplicates, in the order of
// the text.
func verifySignals(doc *model.Document, reading *speaker.Reading, said []claimedSignal) []*model.Signal {
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
		proof, isStatement := reading.Find(span.Start, span.End)
		if !isStatement {
			continue // a heading, a label, a by-line
		}
		signal := &model.Signal{
			WorkspaceID: doc.WorkspaceID, DocumentID: doc.ID, Theme: theme, Statement: statement,
			Quote: span.Text, Start: span.Start, End: span.End, Stance: c.Stance,
		}
		attributeSignal(signal, doc, proof, c)
		if kept = append(kept, signal); len(kept) == mostSignals {
			break
		}
	}
	slices.SortFunc(kept, func(a, b *model.Signal) int { return cmp.Compare(a.Start, b.Start) })
	return kept
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

// extractLexically returns the built-in engine's answer: the most important statements of the whole text, those with a known speaker first,
// each with the heaviest phrase of the text that it contains.
func (s *Service) extractLexically(doc *model.Document, reading *speaker.Reading) claimedSignals {
	themes := documentThemes(doc)
	var spoken, plain []speaker.Statement
	claims := map[int]claimedSignal{}
	for _, said := range reading.Statements() {
		if len(text.Words(said.Text)) < fewestWords || utf8.RuneCountInString(said.Text) > longestQuote {
			continue
		}
		c := s.claimOf(doc, said, themes)
		switch {
		case c.Theme == "":
			continue
		case said.Speaker != "" || isQuoted(said.Text):
			spoken = append(spoken, said)
		default:
			plain = append(plain, said)
		}
		claims[said.Start] = c
	}
	spoken = rankStatements(spoken, mostSignals)
	all := append(spoken, rankStatements(plain, mostSignals-len(spoken))...)
	out := claimedSignals{Signals: []claimedSignal{}}
	for _, said := range all {
		out.Signals = append(out.Signals, claims[said.Start])
	}
	return out
}

// claimOf returns the claim of a statement.
func (s *Service) claimOf(doc *model.Document, said speaker.Statement, themes []string) claimedSignal {
	name, company := s.Reader.Speaker(said.Text)
	names := strings.Join([]string{name, company, said.Speaker, optional.ValueOr(doc.Executive, ""), optional.ValueOr(doc.Company, "")}, " ")
	return claimedSignal{
		Statement: said.Text, Theme: sentenceTheme(said.Text, names, themes), Stance: sentenceStance(said.Text), Quote: said.Text,
		Executive: name, Company: company,
	}
}

// shortenText returns the text of a document that fits into a prompt: of a longer one, the most important statements of all its parts.
func shortenText(content string, reading *speaker.Reading) string {
	if utf8.RuneCountInString(content) <= mostRead {
		return content
	}
	statements := reading.Statements()
	average := max(1, utf8.RuneCountInString(content)/max(1, len(statements)))
	var short strings.Builder
	for _, said := range rankStatements(statements, mostRead/average) {
		if said.Speaker != "" {
			short.WriteString(said.Speaker + ": ")
		}
		short.WriteString(said.Text + "\n\n")
	}
	return text.Truncate(short.String(), mostRead)
}

// countOmitted returns the number of statements of a text that no signal has.
func countOmitted(reading *speaker.Reading, signals []*model.Signal) int {
	omitted := 0
	for _, said := range reading.Statements() {
		kept := slices.ContainsFunc(signals, func(s *model.Signal) bool { return s.Start < said.End && s.End > said.Start })
		if !kept && len(text.Words(said.Text)) >= fewestWords {
			omitted++
		}
	}
	return omitted
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
func isQuoted(sentence string) bool {
	return strings.ContainsAny(sentence, "\"“”„«»") ||
		slices.ContainsFunc(text.Words(sentence), func(w text.Span) bool { return firstPerson[strings.ToLower(w.Text)] })
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
