package content

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/domain/content/cover"
	"rostrum/domain/content/style"
	"rostrum/llm/text"
)

// emptyPiece is the result of an empty brief, an outline to fill in.
const emptyPiece = "# Untitled\n\n## What is new\n\n## Why it matters\n\n## What happens next\n"

// pieceShape is the layout of a content type in the built-in engine.
type pieceShape struct {
	sentences int    // number of source sentences
	title     string // prefix of the title; "-" omits the title
	tags      bool   // write themes as hashtags
}

var pieceShapes = map[string]pieceShape{
	"linkedin_post": {3, "-", true}, "tweet": {1, "-", true}, "social_post": {2, "-", true}, "email": {4, "Subject: ", false},
}

// composePiece returns the piece of the built-in engine: the main sentences of the source, the statements of the prompt, and the points in
// order.
func (b brief) composePiece() string {
	if b.Draft != "" {
		return insertPoints(style.Rewrite(b.Draft), b.missingPoints(style.Rewrite(b.Draft)))
	}
	form, ok := pieceShapes[b.ContentType]
	if !ok {
		form = pieceShape{6, "# ", false}
	}
	parts := b.composeBody(form.sentences)
	if len(parts) == 0 && b.pieceTitle() == untitled {
		return emptyPiece
	}
	if form.title != "-" {
		parts = slices.Insert(parts, 0, form.title+b.pieceTitle())
	}
	if about := b.audienceNote(form.tags); about != "" {
		parts = append(parts, about)
	}
	return insertPoints(strings.Join(parts, "\n\n")+"\n", b.missingPoints(strings.Join(parts, "\n\n")))
}

// composeBody returns the paragraphs: source sentences in groups of up to three, then the statements of the prompt, then the points by
// level.
func (b brief) composeBody(sentences int) []string {
	var parts []string
	source := plainProse(b.Source)
	all := len(text.Sentences(source))
	lead := text.Rank(source, min(sentences, (2*all+2)/3)) // a short source is not copied entirely
	for chunk := range slices.Chunk(lead, 3) {
		words := make([]string, len(chunk))
		for i, s := range chunk {
			words[i] = strings.Join(strings.Fields(s.Text), " ")
		}
		parts = append(parts, strings.Join(words, " "))
	}
	statements := parsePrompt(b.Prompt).statements
	read := cover.Read(strings.Join(append(slices.Clone(parts), statements...), "\n\n"))
	for _, level := range []string{levelMust, "should", ""} {
		for _, c := range b.Points {
			other := level == "" && c.Level != levelMust && c.Level != "should"
			if (c.Level == level || other) && !read.Find(c.Text).Covered {
				statements = append(statements, asSentence(c.Text))
			}
		}
	}
	for chunk := range slices.Chunk(statements, 4) {
		parts = append(parts, strings.Join(chunk, " "))
	}
	if len(parts) == 0 && b.Prompt != "" {
		parts = append(parts, listTopics(b.Prompt))
	}
	return parts
}

// maxTopics is the maximum number of topics taken from a prompt.
const maxTopics = 5

// listTopics returns the topics of a prompt without statements as a list to fill in.
func listTopics(prompt string) string {
	var lines []string
	for _, phrase := range text.Keyphrases(prompt, maxTopics) {
		if !isOrder(phrase.Text) {
			lines = append(lines, "- "+capitalizeFirst(phrase.Text))
		}
	}
	return strings.Join(lines, "\n")
}

// pieceTitle returns the title of the source, else the topic of the prompt, else the first point, else the main key phrase or theme.
func (b brief) pieceTitle() string {
	title := cmp.Or(b.SourceTitle, firstLine(sourceHeadline(plainProse(b.Source))), parsePrompt(b.Prompt).topic)
	if title == "" && len(b.Points) > 0 {
		title = strings.TrimRight(b.Points[0].Text, ".。")
	}
	for _, phrase := range text.Keyphrases(b.Prompt, 1) {
		title = cmp.Or(title, capitalizeFirst(phrase.Text))
	}
	title = cmp.Or(title, capitalizeFirst(strings.Join(b.Themes, ", ")), untitled)
	if b.TitleLength > 0 {
		return text.Truncate(title, b.TitleLength)
	}
	return text.Truncate(title, maxTitle)
}

// sourceHeadline returns the highest-ranked sentence of the source.
func sourceHeadline(source string) string {
	for _, s := range text.Rank(source, 1) {
		return strings.TrimRight(s.Text, ".。")
	}
	return ""
}

func capitalizeFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// audienceNote returns themes and audiences as hashtags or as sentences. In languages other than English it returns only the names.
func (b brief) audienceNote(tags bool) string {
	if tags {
		words := make([]string, len(b.Themes))
		for i, theme := range b.Themes {
			words[i] = "#" + strings.Join(strings.FieldsFunc(theme, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "")
		}
		return strings.Join(words, " ")
	}
	if language := text.Language(b.Source + "\n" + b.Prompt); language != "" && language != "en" {
		return strings.Join(append(slices.Clone(b.Themes), b.Audiences...), " · ")
	}
	var sentences []string
	if len(b.Themes) > 0 {
		sentences = append(sentences, "This is about "+joinNames(b.Themes)+".")
	}
	if len(b.Audiences) > 0 {
		sentences = append(sentences, "It is written for "+joinNames(b.Audiences)+".")
	}
	return strings.Join(sentences, " ")
}

// joinNames returns names as an English enumeration.
func joinNames(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// insertPoints appends missing points to the paragraphs with the most similar words, or else as new paragraphs at the end.
func insertPoints(piece string, points []string) string {
	if len(points) == 0 {
		return piece
	}
	body := strings.TrimRight(piece, " \t\r\n")
	tail := piece[len(body):]
	paragraphs := strings.Split(body, "\n\n")
	for _, p := range points {
		best, likeness := -1, 0.0
		for i, paragraph := range paragraphs {
			if alike := text.Covered(p, paragraph); alike > likeness && acceptsSentence(paragraph) {
				best, likeness = i, alike
			}
		}
		if best >= 0 {
			paragraphs[best] = strings.TrimRight(paragraphs[best], " ") + " " + asSentence(p)
		} else {
			paragraphs = append(paragraphs, asSentence(p))
		}
	}
	return strings.Join(paragraphs, "\n\n") + tail
}

// acceptsSentence reports whether a sentence can be appended to the last line of a paragraph.
func acceptsSentence(paragraph string) bool {
	lines := strings.Split(strings.TrimSpace(paragraph), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return last != "" && !strings.ContainsAny(last[:1], "#-*|>`<0123456789") && !strings.HasPrefix(last, "Subject:") && endsSentence(last)
}

func endsSentence(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"”’)»`))
	return strings.ContainsRune(".!?…。！？؟।", last)
}

// asSentence returns a point with an initial capital and a full stop.
func asSentence(s string) string {
	s = asSentenceStart(strings.TrimSpace(s))
	last, _ := utf8.DecodeLastRuneInString(s)
	switch {
	case endsSentence(s):
		return s
	case unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return s + "。"
	}
	return s + "."
}
