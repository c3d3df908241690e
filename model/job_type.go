package model

import (
	"maps"
	"slices"
)

// JobType is the type of a job.
type JobType string

// The values of JobType.
const (
	JobTypeIngest           JobType = "ingest"
	JobTypeBackload         JobType = "backload"
	JobTypeAutoTags         JobType = "auto_tags"
	JobTypeBackfillFilter   JobType = "backfill_filter"
	JobTypeWorkspaceSignals JobType = "workspace_signals"
	JobTypeCompareInsights  JobType = "compare_insights"
	JobTypeContentGenerate  JobType = "content_generate"
	JobTypeContentEnhance   JobType = "content_enhance"
	JobTypePersonaInteract  JobType = "persona_interact"
	JobTypePersonaDraft     JobType = "persona_draft"
	JobTypePersonaBuild     JobType = "persona_build"
	JobTypePersonaContent   JobType = "persona_content"
	JobTypePersonaHealth    JobType = "persona_health"
	JobTypePersonaReactions JobType = "persona_reactions"
	JobTypeNarrativeTest    JobType = "narrative_test"
	JobTypeAudienceSummary  JobType = "audience_summary"
	JobTypeBulkUpdate       JobType = "bulk_update"
	JobTypeBulkUndo         JobType = "bulk_undo"
	JobTypeBulkQuery        JobType = "bulk_query"
	JobTypeBulkMutation     JobType = "bulk_mutation"
	// JobTypeOther is a type that this version does not know.
	JobTypeOther JobType = "other"
)

// ParseJobType returns the type that a job's text names, JobTypeOther for an unknown one.
func ParseJobType(text string) JobType {
	if _, ok := jobShapes[JobType(text)]; ok {
		return JobType(text)
	}
	return JobTypeOther
}

// KnownJobTypes returns every type but JobTypeOther, sorted.
func KnownJobTypes() []JobType { return slices.Sorted(maps.Keys(jobShapes)) }

// jobShape decodes a job type's parameters and results. If a type has several shapes of results,
// the first that fits is used.
type jobShape struct {
	parameters func(text string) JobParameters
	results    []func(text string) JobResult
}

var jobShapes = map[JobType]jobShape{
	JobTypeIngest:           {parametersOf[IngestParameters], results(resultOf[IngestResult])},
	JobTypeBackload:         {parametersOf[BackloadParameters], results(resultOf[BackloadResult])},
	JobTypeAutoTags:         {parametersOf[ApplyAutoTagsParameters], results(resultOf[ApplyAutoTagsResult])},
	JobTypeBackfillFilter:   {parametersOf[BackfillFilterParameters], results(resultOf[BackfillFilterResult])},
	JobTypeWorkspaceSignals: {parametersOf[SignalParameters], results(resultOf[SignalResult])},
	JobTypeCompareInsights:  {parametersOf[ComparisonParameters], results(resultOf[ComparisonResult])},
	JobTypeContentGenerate:  {parametersOf[ContentParameters], results(resultOf[ContentResult])},
	JobTypeContentEnhance:   {parametersOf[ContentParameters], results(resultOf[ContentResult])},
	JobTypePersonaInteract:  {parametersOf[InteractionParameters], results(resultOf[InteractionResult])},
	JobTypePersonaDraft:     {parametersOf[PersonaDraftParameters], results(resultOf[PersonaDraftResult])},
	JobTypePersonaBuild:     {parametersOf[PersonaDraftParameters], results(resultOf[PersonaBuildResult])},
	JobTypePersonaContent:   {parametersOf[PersonaContentParameters], results(resultOf[PersonaContentResult])},
	JobTypePersonaHealth:    {parametersOf[PersonaHealthParameters], results(resultOf[PersonaHealthResult])},
	JobTypePersonaReactions: {parametersOf[ReactionParameters], results(resultOf[ReactionResult])},
	JobTypeNarrativeTest: {parametersOf[ReactionParameters],
		results(resultOf[NarrativeTestResult], resultOf[ReactionResult])},
	JobTypeAudienceSummary: {parametersOf[AudienceSummaryParameters], results(resultOf[AudienceSummaryResult])},
	JobTypeBulkUpdate:      {parametersOf[BulkUpdateParameters], results(resultOf[BulkUpdateResult])},
	JobTypeBulkUndo:        {parametersOf[BulkUndoParameters], results(resultOf[BulkUpdateResult])},
	JobTypeBulkQuery:       {parametersOf[BulkQueryParameters], results(resultOf[BulkQueryResult])},
	JobTypeBulkMutation:    {parametersOf[BulkMutationParameters], results(resultOf[BulkMutationResult])},
}

func results(shapes ...func(text string) JobResult) []func(text string) JobResult { return shapes }

// JobType returns the job's type.
func (j *Job) JobType() JobType { return ParseJobType(j.JobTypeText) }

// Result returns what the job made, or nil if there is nothing.
func (j *Job) Result() JobResult {
	if j.ResultText == nil {
		return nil
	}
	for _, decode := range jobShapes[j.JobType()].results {
		if result := decode(*j.ResultText); result != nil {
			return result
		}
	}
	return &UnknownJobResult{Text: *j.ResultText}
}

// PersonaID returns the persona that the job's input names, or nil if it names none.
func (j *Job) PersonaID() *string {
	switch parameters := j.Parameters().(type) {
	case *InteractionParameters:
		return &parameters.PersonaID
	case *PersonaDraftParameters:
		return parameters.PersonaID
	case *PersonaContentParameters:
		return &parameters.PersonaID
	case *PersonaHealthParameters:
		return &parameters.PersonaID
	}
	return nil
}

// PersonaIDs returns the personas that the job's input names.
func (j *Job) PersonaIDs() []string {
	switch parameters := j.Parameters().(type) {
	case *ReactionParameters:
		return parameters.PersonaIDs
	case *ComparisonParameters:
		return parameters.PersonaIDs
	}
	if id := j.PersonaID(); id != nil {
		return []string{*id}
	}
	return nil
}

// Parameters returns the job's input, or nil if it has none.
func (j *Job) Parameters() JobParameters {
	if j.ParametersText == nil {
		return nil
	}
	if decode := jobShapes[j.JobType()].parameters; decode != nil {
		if parameters := decode(*j.ParametersText); parameters != nil {
			return parameters
		}
	}
	return &UnknownJobParameters{Text: *j.ParametersText}
}
