package extract

// DetectType returns the kind of a source: webpage, pdf, docx, text, markdown, image or audio, and
// "" for an unsupported kind. The first few kilobytes are sufficient.
func DetectType(source Source) string { return detectFormat(source).kind }

// DetectLanguage returns a text's language as a BCP-47 tag, and "" if the text is too short.
func DetectLanguage(text string) string { return detectLanguage("", text) }
