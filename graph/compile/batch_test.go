package compile_test

import (
	"context"

	"rostrum/api"
	"rostrum/graph/generated"
	"rostrum/model"
)

// batchResolvers resolves the fields that have batch resolvers.
type batchResolvers struct{ generated.ResolverRoot }

func (batchResolvers) ApiKey() generated.ApiKeyResolver { return apiKeyResolver{} }
func (batchResolvers) AppliedAutoTag() generated.AppliedAutoTagResolver {
	return appliedAutoTagResolver{}
}
func (batchResolvers) AudienceFilters() generated.AudienceFiltersResolver {
	return audienceFiltersResolver{}
}
func (batchResolvers) AudienceResonance() generated.AudienceResonanceResolver {
	return audienceResonanceResolver{}
}
func (batchResolvers) AudienceSummary() generated.AudienceSummaryResolver {
	return audienceSummaryResolver{}
}
func (batchResolvers) AutoTag() generated.AutoTagResolver { return autoTagResolver{} }
func (batchResolvers) AutoTagExample() generated.AutoTagExampleResolver {
	return autoTagExampleResolver{}
}
func (batchResolvers) AutoTagReview() generated.AutoTagReviewResolver { return autoTagReviewResolver{} }
func (batchResolvers) AutoVoice() generated.AutoVoiceResolver         { return autoVoiceResolver{} }
func (batchResolvers) Citation() generated.CitationResolver           { return citationResolver{} }
func (batchResolvers) CommsFilterExample() generated.CommsFilterExampleResolver {
	return commsFilterExampleResolver{}
}
func (batchResolvers) Delivery() generated.DeliveryResolver           { return deliveryResolver{} }
func (batchResolvers) Document() generated.DocumentResolver           { return documentResolver{} }
func (batchResolvers) Draft() generated.DraftResolver                 { return draftResolver{} }
func (batchResolvers) DraftMetadata() generated.DraftMetadataResolver { return draftMetadataResolver{} }
func (batchResolvers) DraftedPersona() generated.DraftedPersonaResolver {
	return draftedPersonaResolver{}
}
func (batchResolvers) Executive() generated.ExecutiveResolver { return executiveResolver{} }
func (batchResolvers) ExecutiveVoice() generated.ExecutiveVoiceResolver {
	return executiveVoiceResolver{}
}
func (batchResolvers) GroundedContextItem() generated.GroundedContextItemResolver {
	return groundedContextItemResolver{}
}
func (batchResolvers) GroundedStatement() generated.GroundedStatementResolver {
	return groundedStatementResolver{}
}
func (batchResolvers) HiddenReason() generated.HiddenReasonResolver { return hiddenReasonResolver{} }
func (batchResolvers) IngestedDocument() generated.IngestedDocumentResolver {
	return ingestedDocumentResolver{}
}
func (batchResolvers) Job() generated.JobResolver           { return jobResolver{} }
func (batchResolvers) JobRef() generated.JobRefResolver     { return jobRefResolver{} }
func (batchResolvers) KeyUsage() generated.KeyUsageResolver { return keyUsageResolver{} }
func (batchResolvers) Link() generated.LinkResolver         { return linkResolver{} }
func (batchResolvers) LinkConversion() generated.LinkConversionResolver {
	return linkConversionResolver{}
}
func (batchResolvers) LinkSession() generated.LinkSessionResolver { return linkSessionResolver{} }
func (batchResolvers) LinkSubmission() generated.LinkSubmissionResolver {
	return linkSubmissionResolver{}
}
func (batchResolvers) NearestExample() generated.NearestExampleResolver {
	return nearestExampleResolver{}
}
func (batchResolvers) Persona() generated.PersonaResolver { return personaResolver{} }
func (batchResolvers) PersonaInteraction() generated.PersonaInteractionResolver {
	return personaInteractionResolver{}
}
func (batchResolvers) Reaction() generated.ReactionResolver           { return reactionResolver{} }
func (batchResolvers) ResonantQuote() generated.ResonantQuoteResolver { return resonantQuoteResolver{} }
func (batchResolvers) Signal() generated.SignalResolver               { return signalResolver{} }
func (batchResolvers) VoiceProfile() generated.VoiceProfileResolver   { return voiceProfileResolver{} }
func (batchResolvers) Webhook() generated.WebhookResolver             { return webhookResolver{} }

type (
	apiKeyResolver         struct{ generated.ApiKeyResolver }
	appliedAutoTagResolver struct {
		generated.AppliedAutoTagResolver
	}
	audienceFiltersResolver struct {
		generated.AudienceFiltersResolver
	}
	audienceResonanceResolver struct {
		generated.AudienceResonanceResolver
	}
	audienceSummaryResolver struct {
		generated.AudienceSummaryResolver
	}
	autoTagResolver        struct{ generated.AutoTagResolver }
	autoTagExampleResolver struct {
		generated.AutoTagExampleResolver
	}
	autoTagReviewResolver struct {
		generated.AutoTagReviewResolver
	}
	autoVoiceResolver          struct{ generated.AutoVoiceResolver }
	citationResolver           struct{ generated.CitationResolver }
	commsFilterExampleResolver struct {
		generated.CommsFilterExampleResolver
	}
	deliveryResolver      struct{ generated.DeliveryResolver }
	documentResolver      struct{ generated.DocumentResolver }
	draftResolver         struct{ generated.DraftResolver }
	draftMetadataResolver struct {
		generated.DraftMetadataResolver
	}
	draftedPersonaResolver struct {
		generated.DraftedPersonaResolver
	}
	executiveResolver      struct{ generated.ExecutiveResolver }
	executiveVoiceResolver struct {
		generated.ExecutiveVoiceResolver
	}
	groundedContextItemResolver struct {
		generated.GroundedContextItemResolver
	}
	groundedStatementResolver struct {
		generated.GroundedStatementResolver
	}
	hiddenReasonResolver     struct{ generated.HiddenReasonResolver }
	ingestedDocumentResolver struct {
		generated.IngestedDocumentResolver
	}
	jobResolver            struct{ generated.JobResolver }
	jobRefResolver         struct{ generated.JobRefResolver }
	keyUsageResolver       struct{ generated.KeyUsageResolver }
	linkResolver           struct{ generated.LinkResolver }
	linkConversionResolver struct {
		generated.LinkConversionResolver
	}
	linkSessionResolver    struct{ generated.LinkSessionResolver }
	linkSubmissionResolver struct {
		generated.LinkSubmissionResolver
	}
	nearestExampleResolver struct {
		generated.NearestExampleResolver
	}
	personaResolver            struct{ generated.PersonaResolver }
	personaInteractionResolver struct {
		generated.PersonaInteractionResolver
	}
	reactionResolver      struct{ generated.ReactionResolver }
	resonantQuoteResolver struct {
		generated.ResonantQuoteResolver
	}
	signalResolver       struct{ generated.SignalResolver }
	voiceProfileResolver struct{ generated.VoiceProfileResolver }
	webhookResolver      struct{ generated.WebhookResolver }
)

func (apiKeyResolver) Workspace(ctx context.Context, rows []*model.APIKey) ([]*model.Workspace, error) {
	return forAll[*model.Workspace](ctx, rows, "ApiKey.Workspace")
}

func (appliedAutoTagResolver) AutoTag(ctx context.Context, rows []*model.AppliedAutoTag) ([]*model.AutoTag, error) {
	return forAll[*model.AutoTag](ctx, rows, "AppliedAutoTag.AutoTag")
}

func (appliedAutoTagResolver) Document(ctx context.Context, rows []*model.AppliedAutoTag) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "AppliedAutoTag.Document")
}

func (audienceFiltersResolver) Document(ctx context.Context, rows []*model.AudienceFilters) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "AudienceFilters.Document")
}

func (audienceResonanceResolver) Persona(ctx context.Context, rows []*model.AudienceResonance) ([]*model.Persona, error) {
	return forAll[*model.Persona](ctx, rows, "AudienceResonance.Persona")
}

func (audienceSummaryResolver) Workspace(ctx context.Context, rows []*model.AudienceSummary) ([]*model.Workspace, error) {
	return forAll[*model.Workspace](ctx, rows, "AudienceSummary.Workspace")
}

func (autoTagResolver) Workspace(ctx context.Context, rows []*model.AutoTag) ([]*model.Workspace, error) {
	return forAll[*model.Workspace](ctx, rows, "AutoTag.Workspace")
}

func (autoTagResolver) Examples(ctx context.Context, rows []*model.AutoTag) ([][]*model.AutoTagExample, error) {
	return forAll[[]*model.AutoTagExample](ctx, rows, "AutoTag.Examples")
}

func (autoTagExampleResolver) Document(ctx context.Context, rows []*model.AutoTagExample) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "AutoTagExample.Document")
}

func (autoTagReviewResolver) Document(ctx context.Context, rows []*model.AutoTagReview) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "AutoTagReview.Document")
}

func (autoTagReviewResolver) AutoTag(ctx context.Context, rows []*model.AutoTagReview) ([]*model.AutoTag, error) {
	return forAll[*model.AutoTag](ctx, rows, "AutoTagReview.AutoTag")
}

func (autoVoiceResolver) Persona(ctx context.Context, rows []*api.AutoVoice) ([]*model.Persona, error) {
	return forAll[*model.Persona](ctx, rows, "AutoVoice.Persona")
}

func (citationResolver) Signal(ctx context.Context, rows []*model.Citation) ([]*model.Signal, error) {
	return forAll[*model.Signal](ctx, rows, "Citation.Signal")
}

func (citationResolver) Document(ctx context.Context, rows []*model.Citation) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "Citation.Document")
}

func (commsFilterExampleResolver) Document(ctx context.Context, rows []*api.CommsFilterExample) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "CommsFilterExample.Document")
}

func (deliveryResolver) Webhook(ctx context.Context, rows []*model.Delivery) ([]*model.Webhook, error) {
	return forAll[*model.Webhook](ctx, rows, "Delivery.Webhook")
}

func (deliveryResolver) Link(ctx context.Context, rows []*model.Delivery) ([]*model.Link, error) {
	return forAll[*model.Link](ctx, rows, "Delivery.Link")
}

func (documentResolver) Workspace(ctx context.Context, rows []*model.Document) ([]*model.Workspace, error) {
	return forAll[*model.Workspace](ctx, rows, "Document.Workspace")
}

func (documentResolver) AutoTags(ctx context.Context, rows []*model.Document) ([][]*model.DocumentAutoTag, error) {
	return forAll[[]*model.DocumentAutoTag](ctx, rows, "Document.AutoTags")
}

func (documentResolver) HiddenBy(ctx context.Context, rows []*model.Document) ([][]*api.HiddenReason, error) {
	return forAll[[]*api.HiddenReason](ctx, rows, "Document.HiddenBy")
}

func (documentResolver) Reactions(ctx context.Context, rows []*model.Document) ([][]*model.Reaction, error) {
	return forAll[[]*model.Reaction](ctx, rows, "Document.Reactions")
}

func (documentResolver) AppliedAutoTags(ctx context.Context, rows []*model.Document) ([][]*model.AppliedAutoTag, error) {
	return forAll[[]*model.AppliedAutoTag](ctx, rows, "Document.AppliedAutoTags")
}

func (draftResolver) Workspace(ctx context.Context, rows []*model.Draft) ([]*model.Workspace, error) {
	return forAll[*model.Workspace](ctx, rows, "Draft.Workspace")
}

func (draftMetadataResolver) AudiencePersonas(ctx context.Context, rows []*model.DraftMetadata) ([][]*model.Persona, error) {
	return forAll[[]*model.Persona](ctx, rows, "DraftMetadata.AudiencePersonas")
}

func (draftMetadataResolver) SourceDocument(ctx context.Context, rows []*model.DraftMetadata) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "DraftMetadata.SourceDocument")
}

func (draftMetadataResolver) TonePersona(ctx context.Context, rows []*model.DraftMetadata) ([]*model.Persona, error) {
	return forAll[*model.Persona](ctx, rows, "DraftMetadata.TonePersona")
}

func (draftedPersonaResolver) WritingSamples(ctx context.Context, rows []*model.DraftedPersona) ([][]*model.Document, error) {
	return forAll[[]*model.Document](ctx, rows, "DraftedPersona.WritingSamples")
}

func (executiveResolver) Documents(ctx context.Context, rows []*model.Executive) ([][]*model.Document, error) {
	return forAll[[]*model.Document](ctx, rows, "Executive.Documents")
}

func (executiveVoiceResolver) Persona(ctx context.Context, rows []*model.ExecutiveVoice) ([]*model.Persona, error) {
	return forAll[*model.Persona](ctx, rows, "ExecutiveVoice.Persona")
}

func (groundedContextItemResolver) Document(ctx context.Context, rows []*model.GroundedContextItem) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "GroundedContextItem.Document")
}

func (groundedStatementResolver) Document(ctx context.Context, rows []*model.GroundedStatement) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "GroundedStatement.Document")
}

func (hiddenReasonResolver) AutoTag(ctx context.Context, rows []*api.HiddenReason) ([]*model.AutoTag, error) {
	return forAll[*model.AutoTag](ctx, rows, "HiddenReason.AutoTag")
}

func (ingestedDocumentResolver) Document(ctx context.Context, rows []*api.IngestedDocument) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "IngestedDocument.Document")
}

func (ingestedDocumentResolver) ScrapeJob(ctx context.Context, rows []*api.IngestedDocument) ([]*model.Job, error) {
	return forAll[*model.Job](ctx, rows, "IngestedDocument.ScrapeJob")
}

func (jobResolver) Workspace(ctx context.Context, rows []*model.Job) ([]*model.Workspace, error) {
	return forAll[*model.Workspace](ctx, rows, "Job.Workspace")
}

func (jobResolver) Document(ctx context.Context, rows []*model.Job) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "Job.Document")
}

func (jobRefResolver) Job(ctx context.Context, rows []*model.JobRef) ([]*model.Job, error) {
	return forAll[*model.Job](ctx, rows, "JobRef.Job")
}

func (keyUsageResolver) Key(ctx context.Context, rows []*model.KeyUsage) ([]*model.APIKey, error) {
	return forAll[*model.APIKey](ctx, rows, "KeyUsage.Key")
}

func (linkResolver) ShortURL(ctx context.Context, rows []*model.Link) ([]string, error) {
	return forAll[string](ctx, rows, "Link.ShortURL")
}

func (linkResolver) Variants(ctx context.Context, rows []*model.Link) ([][]*model.LinkVariant, error) {
	return forAll[[]*model.LinkVariant](ctx, rows, "Link.Variants")
}

func (linkResolver) Conversions(ctx context.Context, rows []*model.Link) ([][]*api.ConversionCount, error) {
	return forAll[[]*api.ConversionCount](ctx, rows, "Link.Conversions")
}

func (linkConversionResolver) Session(ctx context.Context, rows []*model.LinkConversion) ([]*model.LinkSession, error) {
	return forAll[*model.LinkSession](ctx, rows, "LinkConversion.Session")
}

func (linkConversionResolver) Variant(ctx context.Context, rows []*model.LinkConversion) ([]*model.LinkVariant, error) {
	return forAll[*model.LinkVariant](ctx, rows, "LinkConversion.Variant")
}

func (linkSessionResolver) Variant(ctx context.Context, rows []*model.LinkSession) ([]*model.LinkVariant, error) {
	return forAll[*model.LinkVariant](ctx, rows, "LinkSession.Variant")
}

func (linkSubmissionResolver) Session(ctx context.Context, rows []*model.LinkSubmission) ([]*model.LinkSession, error) {
	return forAll[*model.LinkSession](ctx, rows, "LinkSubmission.Session")
}

func (nearestExampleResolver) Document(ctx context.Context, rows []*api.NearestExample) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "NearestExample.Document")
}

func (personaResolver) Workspace(ctx context.Context, rows []*model.Persona) ([]*model.Workspace, error) {
	return forAll[*model.Workspace](ctx, rows, "Persona.Workspace")
}

func (personaResolver) Refinements(ctx context.Context, rows []*model.Persona) ([][]*model.PersonaRefinement, error) {
	return forAll[[]*model.PersonaRefinement](ctx, rows, "Persona.Refinements")
}

func (personaResolver) SourcePersona(ctx context.Context, rows []*model.Persona) ([]*model.Persona, error) {
	return forAll[*model.Persona](ctx, rows, "Persona.SourcePersona")
}

func (personaResolver) WritingSamples(ctx context.Context, rows []*model.Persona) ([][]*model.Document, error) {
	return forAll[[]*model.Document](ctx, rows, "Persona.WritingSamples")
}

func (personaInteractionResolver) Persona(ctx context.Context, rows []*model.PersonaInteraction) ([]*model.Persona, error) {
	return forAll[*model.Persona](ctx, rows, "PersonaInteraction.Persona")
}

func (personaInteractionResolver) Document(ctx context.Context, rows []*model.PersonaInteraction) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "PersonaInteraction.Document")
}

func (reactionResolver) Persona(ctx context.Context, rows []*model.Reaction) ([]*model.Persona, error) {
	return forAll[*model.Persona](ctx, rows, "Reaction.Persona")
}

func (reactionResolver) Document(ctx context.Context, rows []*model.Reaction) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "Reaction.Document")
}

func (reactionResolver) Draft(ctx context.Context, rows []*model.Reaction) ([]*model.Draft, error) {
	return forAll[*model.Draft](ctx, rows, "Reaction.Draft")
}

func (resonantQuoteResolver) Signal(ctx context.Context, rows []*model.ResonantQuote) ([]*model.Signal, error) {
	return forAll[*model.Signal](ctx, rows, "ResonantQuote.Signal")
}

func (resonantQuoteResolver) Document(ctx context.Context, rows []*model.ResonantQuote) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "ResonantQuote.Document")
}

func (signalResolver) Document(ctx context.Context, rows []*model.Signal) ([]*model.Document, error) {
	return forAll[*model.Document](ctx, rows, "Signal.Document")
}

func (voiceProfileResolver) Samples(ctx context.Context, rows []*model.VoiceProfile) ([][]*model.Document, error) {
	return forAll[[]*model.Document](ctx, rows, "VoiceProfile.Samples")
}

func (webhookResolver) Link(ctx context.Context, rows []*model.Webhook) ([]*model.Link, error) {
	return forAll[*model.Link](ctx, rows, "Webhook.Link")
}
