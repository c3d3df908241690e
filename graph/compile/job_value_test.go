package compile_test

import (
	"encoding/json"
	"reflect"

	"rostrum/model"
)

// jobValues holds the types of the parameters and the result of each type of job.
var jobValues = map[model.JobType][2]reflect.Type{
	model.JobTypeIngest: {reflect.TypeFor[model.IngestParameters](), reflect.TypeFor[model.IngestResult]()},
	model.JobTypeBackload: {reflect.TypeFor[model.BackloadParameters](),
		reflect.TypeFor[model.BackloadResult]()},
	model.JobTypeAutoTags: {reflect.TypeFor[model.ApplyAutoTagsParameters](),
		reflect.TypeFor[model.ApplyAutoTagsResult]()},
	model.JobTypeBackfillFilter: {reflect.TypeFor[model.BackfillFilterParameters](),
		reflect.TypeFor[model.BackfillFilterResult]()},
	model.JobTypeWorkspaceSignals: {reflect.TypeFor[model.SignalParameters](), reflect.TypeFor[model.SignalResult]()},
	model.JobTypeCompareInsights: {reflect.TypeFor[model.ComparisonParameters](),
		reflect.TypeFor[model.ComparisonResult]()},
	model.JobTypeContentGenerate: {reflect.TypeFor[model.ContentParameters](), reflect.TypeFor[model.ContentResult]()},
	model.JobTypePersonaInteract: {reflect.TypeFor[model.InteractionParameters](),
		reflect.TypeFor[model.InteractionResult]()},
	model.JobTypePersonaDraft: {reflect.TypeFor[model.PersonaDraftParameters](),
		reflect.TypeFor[model.PersonaDraftResult]()},
	model.JobTypePersonaBuild: {reflect.TypeFor[model.PersonaDraftParameters](),
		reflect.TypeFor[model.PersonaBuildResult]()},
	model.JobTypePersonaContent: {reflect.TypeFor[model.PersonaContentParameters](),
		reflect.TypeFor[model.PersonaContentResult]()},
	model.JobTypePersonaHealth: {reflect.TypeFor[model.PersonaHealthParameters](),
		reflect.TypeFor[model.PersonaHealthResult]()},
	model.JobTypePersonaReactions: {reflect.TypeFor[model.ReactionParameters](),
		reflect.TypeFor[model.ReactionResult]()},
	model.JobTypeNarrativeTest: {reflect.TypeFor[model.ReactionParameters](),
		reflect.TypeFor[model.NarrativeTestResult]()},
	model.JobTypeAudienceSummary: {reflect.TypeFor[model.AudienceSummaryParameters](),
		reflect.TypeFor[model.AudienceSummaryResult]()},
	model.JobTypeBulkUpdate: {reflect.TypeFor[model.BulkUpdateParameters](), reflect.TypeFor[model.BulkUpdateResult]()},
	model.JobTypeBulkUndo:   {reflect.TypeFor[model.BulkUndoParameters](), reflect.TypeFor[model.BulkUpdateResult]()},
	model.JobTypeBulkQuery:  {reflect.TypeFor[model.BulkQueryParameters](), reflect.TypeFor[model.BulkQueryResult]()},
	model.JobTypeBulkMutation: {reflect.TypeFor[model.BulkMutationParameters](),
		reflect.TypeFor[model.BulkMutationResult]()},
}

// fillJob gives most jobs a known type, with parameters and a result of that type.
func (v *valueGenerator) fillJob(job *model.Job) {
	if v.some(10) {
		return
	}
	jobType := pickRandom(v.Rand, model.KnownJobTypes()...)
	job.JobTypeText = string(jobType)
	if types, ok := jobValues[jobType]; ok {
		job.ParametersText, job.ResultText = v.encoded(types[0]), v.encoded(types[1])
	}
}

// encoded returns the JSON of a random value; nil for values that JSON does not have, and for some
// others.
func (v *valueGenerator) encoded(t reflect.Type) *string {
	text, err := json.Marshal(v.value(t).Interface())
	if err != nil || v.some(8) {
		return nil
	}
	return new(string(text))
}
