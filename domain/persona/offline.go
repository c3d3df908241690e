package persona

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"

	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/model/optional"
)

// offlineReply returns the request for the offline engine.
func (x *replyTask) offlineReply() offline.Reply {
	out := offline.Reply{
		Kind: x.Type, Question: x.InputContent, Material: x.Material(), Concerns: Cares(x.Persona, x.Refinements),
		FollowUps: x.FollowUps,
		Options: append(voiceOptions(x.Persona, x.Voice, x.Refinements), offline.GivenOptions(
			"response_language", foreignLanguage(x.Language), "session_id", optional.ValueOr(x.SessionID, ""), "model",
			strings.TrimPrefix(x.Model, offline.Model),
		)...),
	}
	if x.Document != nil {
		out.Document = x.Document.Title
		out.Sources = append(out.Sources, offline.Source{Title: x.Document.Title,
			Text: optional.ValueOr(x.Document.Content, "")})
	}
	for _, statement := range x.Persona.GroundedStatements {
		out.Sources = append(out.Sources, offline.Source{Title: statement.DocumentTitle, Text: statement.Quote})
	}
	out.Sources = append(out.Sources, sourcesOf(x.Passages)...)
	return out
}

// offlineOutline returns the request for the offline engine.
func (c *contentTask) offlineOutline() offline.Outline {
	return offline.Outline{
		Kind: []string{c.Kind(), c.Topic}, Title: c.Topic, Sources: sourcesOf(c.Passages),
		Options: append(voiceOptions(c.Persona, c.Voice, c.Refinements), offline.GivenOptions(
			"length", string(optional.ValueOr(c.Length, "")), "response_language",
			foreignLanguage(parseTag(c.Persona.ResponseLanguage)),
		)...),
	}
}

func sourcesOf(passages []passage) []offline.Source {
	out := make([]offline.Source, len(passages))
	for i, p := range passages {
		out[i] = offline.Source{Title: p.item.Title, Text: p.Text}
	}
	return out
}

// voiceOptions returns the names of what a persona has that only a text model follows.
func voiceOptions(p *model.Persona, v *voice, learned []*model.PersonaRefinement) []string {
	names := offline.GivenOptions("tone", cmp.Or(p.Tone, p.CommunicationStyle), "instructions", p.Instructions)
	if !p.TemplateBuilt && p.Template != "" {
		names = append(names, "template")
	}
	if len(learned) > 0 {
		names = append(names, "refinements")
	}
	if v != nil {
		names = append(names, "voice_profile_id")
	}
	return names
}

// IgnoredOptions returns the persona's options that a reaction without a text model ignores.
func IgnoredOptions(p *model.Persona, learned []*model.PersonaRefinement) []string {
	return append(voiceOptions(p, nil, learned), offline.GivenOptions("response_language",
		foreignLanguage(parseTag(p.ResponseLanguage)))...)
}

// foreignLanguage returns the language unless it is English, which the offline engine writes.
func foreignLanguage(tag language.Tag) string {
	if sameLanguage(tag, language.English) {
		return ""
	}
	return tag.String()
}
