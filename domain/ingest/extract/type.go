package extract

// Type tells what Text would take the source for: webpage, pdf, docx, text, markdown, image or audio, or nothing when it is not
// of a type that is read. The first few kilobytes of a source are enough.
func Type(source Source) string { return sniff(source).kind }

// Language tells a text's language as a BCP-47 tag; it is empty when the text is too short to tell.
func Language(text string) string { return language("", text) }
