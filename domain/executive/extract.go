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
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/command"
	"rostrum/llm/text/proof"
	"rostrum/llm/text/speaker"
	"rostrum/model"
	"rostrum/model/optional"
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
	fewestWords   = 5    // of a statement that is counted as omitted
	signalsTokens = 4000
)

// textExtraction is the signals of one version of a document's text.
type textExtraction struct {
	row     *model.SignalExtraction
	source  speaker.Source
	signals []*model.Signal
}

// textVersion returns a digest of a text.
func textVersion(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:16])
}

// extractSignals asks the engine for a document's statements and returns the supported ones. It
// returns the errors of llm.Ask.
func (s *Service) extractSignals(ctx context.Context, doc *model.Document) (*textExtraction, error) {
	content, reading := optional.ValueOr(doc.Content, ""), readSpeakers(doc)
	task, err := signalsPrompt.Task(map[string]any{"Most": mostSignals, "Document": doc.Title + "\n\n" +
		shortenText(content, reading)})
	if err != nil {
		return nil, err
	}
	task.Schema, task.MaxTokens = signalsSchema, signalsTokens
	task.Input = s.offlineSignals(doc, reading)
	said, answer, err := llm.Ask[offline.SignalsAnswer](ctx, s.Engine, task)
	if err != nil {
		return nil, err
	}
	now := model.Now()
	out := &textExtraction{source: sourceOf(doc), row: &model.SignalExtraction{
		DocumentID: doc.ID, WorkspaceID: doc.WorkspaceID, Version: textVersion(content), Model: answer.Model,
		CreatedAt: now,
	}}
	out.signals, out.row.Dropped = verifySignals(doc, reading, said.Signals, answer.Model != offline.Model)
	out.row.Dropped += answer.Dropped
	if err := s.judgeParaphrases(ctx, out); err != nil {
		return nil, err
	}
	out.row.Omitted = countOmitted(reading, out.signals)
	for _, signal := range out.signals {
		signal.ID, signal.CreatedAt = model.NewID(model.SignalPrefix), now
		if signal.OldStance = *signal.Stance; answer.Model == offline.Model {
			signal.Stance = nil // words do not show it
		}
	}
	return out, nil
}

// judgeParaphrases removes the signals whose paraphrase is not entailed by the quote. If the judge
// fails, signals lose their paraphrase and keep the quote. Both are counted. It returns the
// context's error.
func (s *Service) judgeParaphrases(ctx context.Context, found *textExtraction) error {
	var claims []llm.Claim
	var judged []*model.Signal
	for _, signal := range found.signals {
		if signal.Paraphrase != nil {
			judged = append(judged, signal)
			claims = append(claims, llm.Claim{Sentence: *signal.Paraphrase, Quote: signal.Quote})
		}
	}
	entailed, problem, err := s.Judge.Entailed(ctx, claims)
	if err != nil {
		return err
	}
	for i, signal := range judged {
		if entailed[i] {
			continue
		}
		found.row.Dropped++
		if signal.Paraphrase = nil; problem == "" {
			found.signals = slices.DeleteFunc(found.signals, func(s *model.Signal) bool { return s == signal })
		}
	}
	return nil
}

// verifySignals returns the claims with a quote that is in the text and proves the statement, in the
// order of the text and without duplicates, and the number of claims that are not proved. The
// statement of a signal is its quote. byModel tells that a text model made the claims.
func verifySignals(doc *model.Document, reading *speaker.Reading, said []offline.SignalClaim,
	byModel bool) (kept []*model.Signal, dropped int) {
	content := command.Blank(optional.ValueOr(doc.Content, ""))
	for _, c := range said {
		span, ok := text.Locate(content, strings.ToValidUTF8(c.Quote, ""))
		span = text.StripMarkup(span)
		statement, theme := text.Plain(singleLine(c.Statement)), text.Truncate(singleLine(c.Theme), longestTheme)
		switch {
		case !ok, theme == "", statement == "", utf8.RuneCountInString(statement) > longestSaid,
			utf8.RuneCountInString(span.Text) > longestQuote:
			dropped++
			continue
		case len(text.Words(statement)) < fewestSaid, len(text.Words(span.Text)) < fewestSaid:
			continue // "Yes.", a letter, a mark: part of the text without a statement
		case text.Asks(span.Text):
			continue
		case slices.ContainsFunc(kept, func(k *model.Signal) bool { return k.Start == span.Start }):
			continue
		}
		proven, isStatement := reading.Find(span.Start, span.End)
		if !isStatement {
			continue // a heading, a label, a by-line
		}
		if !proof.Faithful(statement, span.Text, proven.Speaker, optional.ValueOr(doc.Executive, ""),
			optional.ValueOr(doc.Company, "")) {
			dropped++
			continue
		}
		signal := &model.Signal{
			WorkspaceID: doc.WorkspaceID, DocumentID: doc.ID, Theme: theme,
			Statement: text.Plain(singleLine(span.Text)), Quote: span.Text, Start: span.Start, End: span.End,
			Stance: new(c.Stance),
		}
		if byModel && statement != signal.Statement {
			signal.Paraphrase = &statement
		}
		attributeSignal(signal, doc, reading, proven, c, byModel)
		if kept = append(kept, signal); len(kept) == mostSignals {
			break
		}
	}
	slices.SortFunc(kept, func(a, b *model.Signal) int { return cmp.Compare(a.Start, b.Start) })
	return kept, dropped
}

func singleLine(said string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(said, ""), "\x00", "")), " ")
}

// offlineSignals returns the statements for the offline engine.
func (s *Service) offlineSignals(doc *model.Document, reading *speaker.Reading) offline.Signals {
	in := offline.Signals{
		Title: doc.Title, Text: optional.ValueOr(doc.Content, ""), Most: mostSignals,
		Names: optional.ValueOr(doc.Executive, "") + " " + optional.ValueOr(doc.Company, ""),
	}
	for _, said := range reading.Statements() {
		name, company := s.Reader.Speaker(said.Text)
		in.Statements = append(in.Statements, offline.SpokenStatement{Statement: said, Executive: name,
			Company: company})
	}
	return in
}

// shortenText returns a text that fits into a prompt. Of a longer one it keeps the most important
// statements of all parts.
func shortenText(content string, reading *speaker.Reading) string {
	if utf8.RuneCountInString(content) <= mostRead {
		return content
	}
	statements := reading.Statements()
	average := max(1, utf8.RuneCountInString(content)/max(1, len(statements)))
	var short strings.Builder
	texts := make([]string, len(statements))
	for i, said := range statements {
		texts[i] = said.Text
	}
	for _, i := range text.RankList(texts, mostRead/average) {
		said := statements[i]
		if said.Strong {
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
		kept := slices.ContainsFunc(signals, func(s *model.Signal) bool {
			return s.Start < said.End && s.End > said.Start
		})
		if !kept && len(text.Words(said.Text)) >= fewestWords {
			omitted++
		}
	}
	return omitted
}
