package extract

import (
	"cmp"
	"path"
	"regexp"
	"strings"
)

var (
	atxHeading    = regexp.MustCompile(`^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$`)
	setextLine    = regexp.MustCompile(`^(=+|-{3,})\s*$`)
	frontTitle    = regexp.MustCompile(`(?m)^title:\s*["']?(.+?)["']?\s*$`)
	frontMatter   = regexp.MustCompile(`(?s)\A---\n(.*?)\n---\n`)
	titleMarkdown = regexp.MustCompile("[*_`]+|!?\\[([^\\]]*)\\]\\([^)]*\\)")
)

// extractPlain returns text and Markdown unchanged. The title is the first heading, or a short first line.
func extractPlain(source Source, kind string) *Result {
	text := cleanText(decodeText(source.Body, source.MediaType, false))
	title := textTitle(text)
	if kind == "markdown" {
		title = markdownTitle(text)
	}
	if title == "" && source.Filename != "" {
		title = strings.TrimSuffix(source.Filename, path.Ext(source.Filename))
	}
	return &Result{ContentType: kind, Title: title, Content: text, Meta: Meta{Host: source.hostName()}}
}

func markdownTitle(text string) string {
	if m := frontMatter.FindStringSubmatch(text); m != nil {
		if title := frontTitle.FindStringSubmatch(m[1]); title != nil {
			return title[1]
		}
		text = text[len(m[0]):]
	}
	previous, fenced := "", false
	for line := range strings.SplitSeq(text, "\n") {
		fenced = fenced != strings.HasPrefix(strings.TrimSpace(line), "```")
		if fenced {
			continue
		}
		if m := atxHeading.FindStringSubmatch(line); m != nil && m[1] != "" {
			return titleMarkdown.ReplaceAllString(m[1], "$1")
		}
		if setextLine.MatchString(line) && strings.TrimSpace(previous) != "" {
			return titleMarkdown.ReplaceAllString(strings.TrimSpace(previous), "$1")
		}
		previous = line
	}
	return textTitle(text)
}

// titleLength is the maximum length of a first line that can be a title, in code points.
const titleLength = 150

// maxLabels is how many lines ahead of a title may be labels.
const maxLabels = 6

// textTitle returns the first line that is no label, or the first line if there are only labels.
func textTitle(text string) string {
	first, labels := "", 0
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); !strings.ContainsFunc(line, isKeyRune) {
			continue
		}
		if !isLabel(line) {
			return cutTitle(line)
		}
		first = cmp.Or(first, line)
		if labels++; labels == maxLabels {
			break
		}
	}
	return cutTitle(first)
}

// cutTitle shortens a line to a title at the end of a word.
func cutTitle(line string) string {
	runes := []rune(line)
	if len(runes) <= titleLength {
		return line
	}
	short := string(runes[:titleLength])
	if at := strings.LastIndexByte(short, ' '); at > titleLength/2 {
		short = short[:at]
	}
	return short + "…"
}
