package integration

import (
	"slices"
	"testing"

	"rostrum/model"
)

// walkedJob is a job whose parameters and result have ids.
type walkedJob struct {
	kind               model.JobType
	parameters, result any
}

// addJobs inserts jobs of every type in the workspace, whose parameters and results have ids of
// another.
func addJobs(t *testing.T, rows *screenRows, ids map[string]string) {
	jobs := slices.Concat(documentJobs(ids), personaJobs(ids), audienceJobs(ids))
	for _, kind := range model.KnownJobTypes() {
		if !slices.ContainsFunc(jobs, func(job walkedJob) bool { return job.kind == kind }) {
			t.Errorf("no job of the type %s has ids of another workspace", kind)
		}
	}
	for _, job := range jobs {
		rows.insert(&model.Job{
			ID: model.NewID(model.JobPrefix), WorkspaceID: rows.workspaceID, JobTypeText: string(job.kind),
			Status:    model.JobStatusCompleted,
			CreatedAt: model.Now(), UpdatedAt: model.Now(), ResultText: jsonText(t, job.result),
			ParametersText: jsonText(t, job.parameters),
		})
	}
}

func documentJobs(ids map[string]string) []walkedJob {
	document, tag := ids[model.DocumentPrefix], ids[model.AutoTagPrefix]
	comparison := model.InsightComparison{
		Theme: "plans", Executives: []string{}, Companies: []string{}, AiAnalysis: &model.InsightAnalysis{
			AtAGlance: []*model.InsightPoint{{Text: "a point", Subjects: []string{},
				Evidence: []*model.Citation{{SignalID: ids[model.SignalPrefix], DocumentID: document,
					Quote: "a quote"}}}},
			Similarities: []*model.InsightPoint{}, Differences: []*model.InsightPoint{},
			ComparisonMatrix: []*model.InsightRow{}, UniquePerspectives: []*model.InsightPoint{},
		},
	}
	return []walkedJob{
		{model.JobTypeIngest, model.IngestParameters{DocumentID: document}, model.IngestResult{DocumentID: document}},
		{model.JobTypeBackload, model.BackloadParameters{},
			model.BackloadResult{Sources: []model.BackloadedSource{{SourceURL: "https://example.com/",
				DocumentID: &document, Status: model.BackloadStatusCompleted}}}},
		{model.JobTypeAutoTags, model.ApplyAutoTagsParameters{DocumentID: document, AutoTagIDs: []string{tag}},
			model.ApplyAutoTagsResult{DocumentID: document, Values: []model.FoundAutoTag{{AutoTagID: tag}}}},
		{model.JobTypeBackfillFilter, model.BackfillFilterParameters{AutoTagID: tag},
			model.BackfillFilterResult{AutoTagID: tag, HiddenDocumentIDs: []string{document}}},
		{model.JobTypeWorkspaceSignals, model.SignalParameters{DocumentID: document},
			model.SignalResult{DocumentID: document, Rows: []model.StoredRow{{ID: ids[model.SignalPrefix]}}}},
		{model.JobTypeBulkUpdate, model.BulkUpdateParameters{Action: model.BulkActionDelete},
			model.BulkUpdateResult{Skips: []model.BulkSkip{{DocumentID: document,
				Reason: model.BulkSkipReasonNotFound}}}},
		{model.JobTypeBulkUndo, model.BulkUndoParameters{UpdateJobID: ids[model.JobPrefix]},
			model.BulkUpdateResult{Skips: []model.BulkSkip{}}},
		{model.JobTypeBulkQuery, model.BulkQueryParameters{Query: "{ documents { nodes { id } } }"},
			model.BulkQueryResult{URL: "https://rostrum.example/file", Position: "evt_1"}},
		{model.JobTypeBulkMutation, model.BulkMutationParameters{Mutation: "mutation { x }"},
			model.BulkMutationResult{URL: "https://rostrum.example/file"}},
		{model.JobTypeCompareInsights, model.ComparisonParameters{ComparisonType: model.ComparisonTypeExecutive,
			Themes: []string{}, Subjects: []string{}, PersonaIDs: []string{ids[model.PersonaPrefix]}},
			model.ComparisonResult{InsightComparison: comparison}},
	}
}

func personaJobs(ids map[string]string) []walkedJob {
	document, persona, interaction := ids[model.DocumentPrefix], ids[model.PersonaPrefix], ids[model.InteractionPrefix]
	statements := []*model.GroundedStatement{{Statement: "a statement", DocumentID: document}}
	drafting := model.PersonaDraftParameters{PersonaID: &persona, WritingSampleDocumentIDs: []string{document},
		DocumentIDs: []string{document}}
	return []walkedJob{
		{model.JobTypePersonaInteract, model.InteractionParameters{PersonaID: persona, InteractionID: interaction,
			DocumentID: &document},
			model.InteractionResult{PersonaID: persona, InteractionID: &interaction, FollowUpQuestions: []string{}}},
		{model.JobTypePersonaDraft, drafting, model.PersonaDraftResult{GeneratedFields: []string{},
			Draft: model.DraftedPersona{WritingSampleDocumentIDs: []string{document}}}},
		{model.JobTypePersonaBuild, drafting, model.PersonaBuildResult{PersonaID: persona, GeneratedFields: []string{},
			GroundedStatements: statements}},
		{model.JobTypePersonaContent, model.PersonaContentParameters{PersonaID: persona,
			ReferenceDocumentIDs: []string{document}, DocumentID: document},
			model.PersonaContentResult{DocumentID: &document,
				Voice: &model.VoiceProfile{ID: persona, SampleDocumentIDs: []string{document}}}},
		{model.JobTypePersonaHealth, model.PersonaHealthParameters{PersonaID: persona},
			model.PersonaHealthResult{PersonaHealth: model.PersonaHealth{Status: model.PersonaHealthStatusUnmeasured,
				Flags: []model.PersonaHealthFlag{}}}},
	}
}

func audienceJobs(ids map[string]string) []walkedJob {
	document, draft, personas := ids[model.DocumentPrefix], ids[model.DraftPrefix], []string{ids[model.PersonaPrefix]}
	verdicts := []model.TestVerdict{{ReactionID: ids[model.ReactionPrefix], PersonaID: ids[model.PersonaPrefix],
		Verdict: "mixed"}}
	reacted := model.ReactionResult{DocumentID: &document, DraftID: &draft,
		Rows: []model.StoredRow{{ID: ids[model.ReactionPrefix]}}}
	return []walkedJob{
		{model.JobTypePersonaReactions, model.ReactionParameters{DocumentID: &document, DraftID: &draft,
			PersonaIDs: personas}, reacted},
		{model.JobTypeNarrativeTest, model.ReactionParameters{DocumentID: &document, DraftID: &draft,
			PersonaIDs: personas},
			model.NarrativeTestResult{DocumentID: &document, DraftID: &draft, Verdicts: verdicts,
				Coverage: []model.CoveredPoint{}}},
		{model.JobTypeAudienceSummary, model.AudienceSummaryParameters{Category: "wardens",
			Filters: &model.AudienceFilters{DocumentID: &document}},
			model.AudienceSummaryResult{SummaryID: ids[model.SummaryPrefix]}},
		{model.JobTypeContentGenerate, model.ContentParameters{ContentType: "markdown"}, model.ContentResult{}},
		{model.JobTypeContentEnhance, model.ContentParameters{ContentType: "markdown"}, model.ContentResult{}},
	}
}
