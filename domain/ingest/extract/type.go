package extract

import (
	"cmp"
	"net/url"
	"path"
)

// DetectType returns the kind of a source as Result.ContentType has it, Archive for a ZIP, and ""
// for an unsupported kind. The first few kilobytes are sufficient.
func DetectType(source Source) string { return detectFormat(source).kind }

// MediaOf returns the media type of a source and the extension of its files, as its bytes tell.
func MediaOf(source Source) (media, extension string) {
	form := detectFormat(source)
	switch form.kind {
	case "csv":
		return "text/csv", ".csv"
	case "markdown":
		return "text/markdown", ".md"
	}
	return form.media, form.extension
}

// DetectLanguage returns a text's language as a BCP-47 tag, and "" if the text is too short.
func DetectLanguage(text string) string { return detectLanguage("", text) }

// FetchedName returns the name of a file that was fetched from an address: the last part of its
// path, or the host, with the extension of its type.
func FetchedName(address, extension string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "page" + extension
	}
	name := path.Base(parsed.Path)
	if name == "." || name == "/" {
		name = parsed.Hostname()
		return cmp.Or(name, "page") + extension
	}
	if path.Ext(name) == "" {
		name += extension
	}
	return truncateText(cleanText(name), 200)
}
