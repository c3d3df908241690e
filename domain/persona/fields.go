package persona

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"golang.org/x/text/language"

	"rostrum/api"
	"rostrum/model"
	"rostrum/model/optional"
)

const defaultCategory = "general"

// toUpdateInput returns the fields of a new persona as changes of an empty persona.
func toUpdateInput(in api.CreatePersonaInput) api.UpdatePersonaInput {
	return api.UpdatePersonaInput{
		Name: graphql.OmittableOf(&in.Name), Category: in.Category, Description: in.Description,
		CommunicationStyle: in.CommunicationStyle, Concerns: in.Concerns, Interests: in.Interests, Tone: in.Tone,
		Instructions: in.Instructions, Template: in.Template, AvatarPrompt: in.AvatarPrompt,
		AvatarSource: in.AvatarSource,
		AvatarURL:    in.AvatarURL, EntityKind: in.EntityKind, ExternalSources: in.ExternalSources,
		IncludeInAudience: in.IncludeInAudience, IncludeInVoiceList: in.IncludeInVoiceList, IsActive: in.IsActive,
		MayReadInternal: in.MayReadInternal, DraftedByModel: in.DraftedByModel,
		ResponseLanguage: in.ResponseLanguage, SocialLinks: in.SocialLinks,
		SourcePersonaID: in.SourcePersonaID,
		VoiceVisibility: in.VoiceVisibility, WritingSampleDocumentIds: in.WritingSampleDocumentIds,
	}
}

// applyChanges sets validated fields and derives the dependent fields.
func applyChanges(p *model.Persona, in api.UpdatePersonaInput, market string) {
	before := *p
	if name := in.Name.Value(); name != nil {
		p.Name = strings.TrimSpace(*name)
	}
	setField(&p.Category, in.Category, defaultCategory)
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
		setField(text.into, text.given, "")
	}
	p.AvatarURL = strings.TrimSpace(p.AvatarURL)
	applyLists(p, in)
	if in.AvatarPrompt.IsSet() {
		p.AvatarPrompt = in.AvatarPrompt.Value()
	}
	if in.EntityKind.IsSet() {
		p.EntityKind = optional.ValueOr(in.EntityKind.Value(), "")
	}
	if in.SourcePersonaID.IsSet() {
		p.SourcePersonaID = in.SourcePersonaID.Value()
	}
	if in.ResponseLanguage.IsSet() {
		p.ResponseLanguage = canonicalTag(optional.ValueOr(in.ResponseLanguage.Value(), market))
	}
	setField(&p.VoiceVisibility, in.VoiceVisibility, model.VoiceVisibilityWorkspace)
	setField(&p.IncludeInAudience, in.IncludeInAudience, true)
	setField(&p.IncludeInVoiceList, in.IncludeInVoiceList, false)
	setField(&p.IsActive, in.IsActive, true)
	setField(&p.MayReadInternal, in.MayReadInternal, false)
	setField(&p.DraftedByModel, in.DraftedByModel, false)
	deriveFields(p, in.Template)
	resetHealth(p, &before)
}

// resetHealth clears the health figures if a field that influences replies has changed.
func resetHealth(p, before *model.Persona) {
	if p.Template != before.Template || p.Interests != before.Interests || p.Concerns != before.Concerns ||
		p.Description != before.Description {
		p.HealthState = unmeasuredHealth()
	}
}

func unmeasuredHealth() *model.PersonaHealth {
	return &model.PersonaHealth{Status: model.PersonaHealthStatusUnmeasured, Flags: []model.PersonaHealthFlag{}}
}

// applyLists sets the list fields, which are never nil.
func applyLists(p *model.Persona, in api.UpdatePersonaInput) {
	if in.ExternalSources.IsSet() || p.ExternalSources == nil {
		p.ExternalSources = optional.OrEmpty(in.ExternalSources.Value())
	}
	if in.WritingSampleDocumentIds.IsSet() || p.WritingSampleDocumentIDs == nil {
		p.WritingSampleDocumentIDs = distinctIDs(in.WritingSampleDocumentIds.Value())
	}
	if in.SocialLinks.IsSet() {
		p.SocialLinks = []*model.SocialLink{}
		for _, link := range in.SocialLinks.Value() {
			p.SocialLinks = append(p.SocialLinks, &model.SocialLink{Platform: strings.TrimSpace(link.Platform),
				URL: link.URL})
		}
	}
}

// deriveFields sets derived fields: the entity kind, the default voice, and the template unless a
// caller wrote it.
func deriveFields(p *model.Persona, template graphql.Omittable[*string]) {
	p.EntityKindResolved = p.EntityKind
	if p.EntityKind == "" {
		p.EntityKindResolved = inferKind(p)
	}
	p.DefaultVoiceProfileID = nil
	if len(p.WritingSampleDocumentIDs) > 0 {
		p.DefaultVoiceProfileID = &p.ID
	}
	if template.IsSet() {
		p.Template = strings.TrimSpace(optional.ValueOr(template.Value(), ""))
		p.TemplateBuilt = p.Template == "" || p.Template == buildTemplate(p)
	}
	if p.TemplateBuilt {
		p.Template = buildTemplate(p)
	}
}

func setField[T any](into *T, given graphql.Omittable[*T], cleared T) {
	if given.IsSet() {
		*into = optional.ValueOr(given.Value(), cleared)
	}
}

// distinctIDs returns the ids without duplicates in their order.
func distinctIDs(ids []string) []string {
	seen, out := map[string]bool{}, []string{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// canonicalTag returns a valid BCP-47 tag in canonical form.
func canonicalTag(tag string) string { return language.Make(tag).String() }
func firstOf(texts ...string) string {
	for _, candidate := range texts {
		if strings.TrimSpace(candidate) != "" {
			return candidate
		}
	}
	return ""
}
