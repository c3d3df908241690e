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

// outline is what an empty brief gives: something to fill in.
const outline = "# Untitled\n\n## What is new\n\n## Why it matters\n\n## What happens next\n"

// shape is how a kind of piece is built by the built-in engine.
type shape struct {
	sentences int    // of the source
	title     string // what stands before the title; the title is left out where it is "-"
	tags      bool   // themes are written as tags
}

var shapes = map[string]shape{
	"linkedin_post": {3, "-", true}, "tweet": {1, "-", true}, "social_post": {2, "-", true}, "email": {4, "Subject: ", false},
}

// compose is the built-in engine's piece: what the source says most of, the points in their order, and what the brief itself states.
func (b brief) compose() string {
	if b.Draft != "" {
		return weave(style.Rewrite(b.Draft), b.unmade(style.Rewrite(b.Draft)))
	}
	form, ok := shapes[b.ContentType]
	if !ok {
		form = shape{6, "# ", false}
	}
	parts := b.body(form.sentences)
	if len(parts) == 0 && b.title() == untitled {
		return outline
	}
	if form.title != "-" {
		parts = slices.Insert(parts, 0, form.title+b.title())
	}
	if about := b.about(form.tags); about != "" {
		parts = append(parts, about)
	}
	return weave(strings.Join(parts, "\n\n")+"\n", b.unmade(strings.Join(parts, "\n\n")))
}

// body gives the paragraphs: the source's sentences by twos and threes, then what the prompt states, then the points by their levels.
func (b brief) body(sentences int) []string {
	var parts []string
	source := proseIn(b.Source)
	all := len(text.Sentences(source))
	lead := text.Rank(source, min(sentences, (2*all+2)/3)) // of a short source not all
	for chunk := range slices.Chunk(lead, 3) {
		words := make([]string, len(chunk))
		for i, s := range chunk {
			words[i] = strings.Join(strings.Fields(s.Text), " ")
		}
		parts = append(parts, strings.Join(words, " "))
	}
	said := wished(b.Prompt).statements
	read := cover.Read(strings.Join(append(slices.Clone(parts), said...), "\n\n"))
	for _, level := range []string{levelMust, "should", ""} {
		for _, c := range b.Points {
			other := level == "" && c.Level != levelMust && c.Level != "should"
			if (c.Level == level || other) && !read.Find(c.Text).Covered {
				said = append(said, asSentence(c.Text))
			}
		}
	}
	for chunk := range slices.Chunk(said, 4) {
		parts = append(parts, strings.Join(chunk, " "))
	}
	if len(parts) == 0 && b.Prompt != "" {
		parts = append(parts, topics(b.Prompt))
	}
	return parts
}

// mostTopics is how many things a prompt is taken to ask to write about.
const mostTopics = 5

// topics lists what a prompt without a statement asks to write about, to be filled in.
func topics(prompt string) string {
	var lines []string
	for _, phrase := range text.Keyphrases(prompt, mostTopics) {
		if !orders(phrase.Text) {
			lines = append(lines, "- "+capital(phrase.Text))
		}
	}
	return strings.Join(lines, "\n")
}

// title is the source's, else what the prompt says that the piece is about, else the first point, else what the brief speaks of most.
func (b brief) title() string {
	title := cmp.Or(b.SourceTitle, firstLine(headline(proseIn(b.Source))), wished(b.Prompt).topic)
	if title == "" && len(b.Points) > 0 {
		title = strings.TrimRight(b.Points[0].Text, ".。")
	}
	for _, phrase := range text.Keyphrases(b.Prompt, 1) {
		title = cmp.Or(title, capital(phrase.Text))
	}
	title = cmp.Or(title, capital(strings.Join(b.Themes, ", ")), untitled)
	if b.TitleLength > 0 {
		return text.Truncate(title, b.TitleLength)
	}
	return text.Truncate(title, longestTitle)
}

// headline is the source's first sentence that is ranked.
func headline(source string) string {
	for _, s := range text.Rank(source, 1) {
		return strings.TrimRight(s.Text, ".。")
	}
	return ""
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// about names themes and audiences; in words only where the piece is in English.
func (b brief) about(tags bool) string {
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
	var said []string
	if len(b.Themes) > 0 {
		said = append(said, "This is about "+series(b.Themes)+".")
	}
	if len(b.Audiences) > 0 {
		said = append(said, "It is written for "+series(b.Audiences)+".")
	}
	return strings.Join(said, " ")
}

// series joins names as a sentence does.
func series(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// weave puts points that a text does not make into the paragraphs that speak of what they speak of, else behind the last one.
func weave(piece string, points []string) string {
	if len(points) == 0 {
		return piece
	}
	body := strings.TrimRight(piece, " \t\r\n")
	tail := piece[len(body):]
	paragraphs := strings.Split(body, "\n\n")
	for _, p := range points {
		best, likeness := -1, 0.0
		for i, paragraph := range paragraphs {
			if alike := text.Covered(p, paragraph); alike > likeness && prose(paragraph) {
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

// prose reports a paragraph whose last line a sentence can follow.
func prose(paragraph string) bool {
	lines := strings.Split(strings.TrimSpace(paragraph), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return last != "" && !strings.ContainsAny(last[:1], "#-*|>`<0123456789") && !strings.HasPrefix(last, "Subject:") && ended(last)
}

func ended(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"”’)»`))
	return strings.ContainsRune(".!?…。！？؟।", last)
}

// asSentence gives a point the capital and the full stop of a sentence.
func asSentence(s string) string {
	s = asSentenceStart(strings.TrimSpace(s))
	last, _ := utf8.DecodeLastRuneInString(s)
	switch {
	case ended(s):
		return s
	case unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return s + "。"
	}
	return s + "."
}
