package persona

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"golang.org/x/text/language"

	"rostrum/model"
)

const defaultCategory = "general"

// changesOf reads a new persona as what changes on an empty one.
func changesOf(in model.CreatePersonaInput) model.UpdatePersonaInput {
	return model.UpdatePersonaInput{
		Name: graphql.OmittableOf(&in.Name), Category: in.Category, Description: in.Description,
		CommunicationStyle: in.CommunicationStyle, Concerns: in.Concerns, Interests: in.Interests, Tone: in.Tone,
		Instructions: in.Instructions, Template: in.Template, AvatarPrompt: in.AvatarPrompt, AvatarSource: in.AvatarSource,
		AvatarURL: in.AvatarURL, EntityKind: in.EntityKind, ExternalSources: in.ExternalSources,
		IncludeInAudience: in.IncludeInAudience, IncludeInVoiceList: in.IncludeInVoiceList, IsActive: in.IsActive,
		ResponseLanguage: in.ResponseLanguage, SocialLinks: in.SocialLinks, SourcePersonaID: in.SourcePersonaID,
		VoiceVisibility: in.VoiceVisibility, WritingSampleDocumentIds: in.WritingSampleDocumentIds,
	}
}

// apply puts checked changes on a persona and brings in step what follows from its fields.
func apply(p *model.Persona, in model.UpdatePersonaInput, market string) {
	before := *p
	if name := in.Name.Value(); name != nil {
		p.Name = strings.TrimSpace(*name)
	}
	set(&p.Category, in.Category, defaultCategory)
	if p.Category = strings.TrimSpace(p.Category); p.Category == "" {
		p.Category = defaultCategory
	}
	for _, text := range []struct {
		into  *string
		given graphql.Omittable[*string]
	}{
		{&p.Description, in.Description}, {&p.CommunicationStyle, in.CommunicationStyle}, {&p.Concerns, in.Concerns},
		{&p.Interests, in.Interests}, {&p.Tone, in.Tone}, {&p.Instructions, in.Instructions},
		{&p.AvatarSource, in.AvatarSource}, {&p.AvatarURL, in.AvatarURL},
	} {
		set(text.into, text.given, "")
	}
	p.AvatarURL = strings.TrimSpace(p.AvatarURL)
	applyLists(p, in)
	if in.AvatarPrompt.IsSet() {
		p.AvatarPrompt = in.AvatarPrompt.Value()
	}
	if in.EntityKind.IsSet() {
		p.EntityKind = string(model.ValueOr(in.EntityKind.Value(), ""))
	}
	if in.SourcePersonaID.IsSet() {
		p.SourcePersonaID = in.SourcePersonaID.Value()
	}
	if in.ResponseLanguage.IsSet() {
		p.ResponseLanguage = canonical(model.ValueOr(in.ResponseLanguage.Value(), market))
	}
	set(&p.VoiceVisibility, in.VoiceVisibility, model.VoiceVisibilityWorkspace)
	set(&p.IncludeInAudience, in.IncludeInAudience, true)
	set(&p.IncludeInVoiceList, in.IncludeInVoiceList, false)
	set(&p.IsActive, in.IsActive, true)
	follow(p, in.Template)
	doubt(p, &before)
}

// doubt forgets the figures of a persona that would answer otherwise now.
func doubt(p, before *model.Persona) {
	if p.Template != before.Template || p.Interests != before.Interests || p.Concerns != before.Concerns || p.Description != before.Description {
		p.HealthState = unmeasured()
	}
}

func unmeasured() *model.PersonaHealth {
	return &model.PersonaHealth{Status: model.PersonaHealthStatusUnmeasured, Flags: []string{}}
}

// applyLists keeps lists that are never null.
func applyLists(p *model.Persona, in model.UpdatePersonaInput) {
	if in.ExternalSources.IsSet() || p.ExternalSources == nil {
		p.ExternalSources = model.OrEmpty(in.ExternalSources.Value())
	}
	if in.WritingSampleDocumentIds.IsSet() || p.WritingSampleDocumentIDs == nil {
		p.WritingSampleDocumentIDs = once(in.WritingSampleDocumentIds.Value())
	}
	if in.SocialLinks.IsSet() {
		p.SocialLinks = []*model.SocialLink{}
		for _, link := range in.SocialLinks.Value() {
			p.SocialLinks = append(p.SocialLinks, &model.SocialLink{Platform: strings.TrimSpace(link.Platform), URL: link.URL})
		}
	}
}

// follow sets what is derived from other fields: the kind, the voice, and a template that nobody wrote.
func follow(p *model.Persona, template graphql.Omittable[*string]) {
	p.EntityKindResolved = p.EntityKind
	if p.EntityKind == "" {
		p.EntityKindResolved = kindOf(p)
	}
	p.DefaultVoiceProfileID = nil
	if len(p.WritingSampleDocumentIDs) > 0 {
		p.DefaultVoiceProfileID = &p.ID
	}
	if template.IsSet() {
		p.Template = strings.TrimSpace(model.ValueOr(template.Value(), ""))
		p.TemplateBuilt = p.Template == "" || p.Template == build(p)
	}
	if p.TemplateBuilt {
		p.Template = build(p)
	}
}

func set[T any](into *T, given graphql.Omittable[*T], cleared T) {
	if given.IsSet() {
		*into = model.ValueOr(given.Value(), cleared)
	}
}

// once keeps each id once, in the order given.
func once(ids []string) []string {
	seen, out := map[string]bool{}, []string{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// canonical writes a checked BCP-47 tag in its usual form.
func canonical(tag string) string { return language.Make(tag).String() }
