package integration

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/document"
	"rostrum/model"
	"rostrum/test/kit"
)

// screenRows inserts rows of every noun into a workspace, each linked to the others of its number.
type screenRows struct {
	t           *testing.T
	db          *dbx.DB
	workspaceID string
	mark        string // stands in every text
	ids         map[string]string
	made        int
}

// id returns a new id, which the last row of its prefix has in ids.
func (s *screenRows) id(prefix string) string {
	s.ids[prefix] = model.NewID(prefix)
	return s.ids[prefix]
}

func (s *screenRows) insert(rows ...any) {
	s.t.Helper()
	for _, row := range rows {
		if _, err := s.db.NewInsert().Model(row).Exec(s.t.Context()); err != nil {
			s.t.Fatalf("%T: %v", row, err)
		}
	}
}

// add inserts one row of every noun. All share the first link, webhook and auto-tag, so that the
// lists of these grow.
func (s *screenRows) add() {
	now := model.Now().Add(time.Duration(s.made) * time.Second)
	s.addSource(now)
	s.addDocument(now)
	s.addSearch(now)
	s.addHouseRule(now)
	s.addAppVersion(now)
	s.addComparison(now)
	s.addPeople(now)
	s.addPersona(now)
	s.addLink(now)
	s.made++
}

// addSource inserts a paused source. All documents come by the first one.
func (s *screenRows) addSource(now time.Time) {
	text, reason := fmt.Sprint(s.mark, " source ", s.made), model.SourcePausedReasonOwner
	src := &model.Source{ID: s.id(model.SourcePrefix), WorkspaceID: s.workspaceID, Kind: model.SourceKindFeed, Name: text,
		URL: fmt.Sprintf("https://example.com/%s/%d", s.mark, s.made), IntervalMinutes: 60,
		Visibility: model.VisibilityPublic, TitleIncludes: []string{text}, TitleExcludes: []string{}, Tags: []string{text},
		PausedReason: &reason, PausedAt: &now, LastError: &model.SourceError{Code: "http_status", Message: text},
		IsFailing: true, CreatedAt: now}
	if user := s.ids[model.UserPrefix]; user != "" {
		src.CreatedByID = &user
	}
	s.insert(src)
}

// addSearch inserts a saved search of the auto-tag and the company that all documents have, with the
// latest document as a hit.
func (s *screenRows) addSearch(now time.Time) {
	saved := &model.SavedSearch{ID: s.id(model.SavedSearchPrefix), WorkspaceID: s.workspaceID,
		Name: fmt.Sprint(s.mark, " search ", s.made), IsFollowed: true, CreatedAt: now, UpdatedAt: now,
		Filter: &model.SavedSearchFilter{Companies: []string{s.mark},
			AutoTags: []*model.SavedAutoTag{{AutoTagID: s.ids[model.AutoTagPrefix]}}}}
	if user := s.ids[model.UserPrefix]; user != "" {
		saved.CreatedByID = &user
	}
	s.insert(saved, &model.SearchHit{SearchID: saved.ID, DocumentID: s.ids[model.DocumentPrefix], Position: 1})
}

// addHouseRule inserts a house rule.
func (s *screenRows) addHouseRule(now time.Time) {
	name := fmt.Sprint(s.mark, " rule ", s.made)
	rule := &model.HouseRule{ID: s.id(model.HouseRulePrefix), WorkspaceID: s.workspaceID, Name: name,
		Kind: model.HouseRuleKindExistence, Level: model.HouseRuleLevelWarning, Message: "Avoid %s.", CreatedAt: now,
		UpdatedAt: now, Link: new("https://example.com/" + s.mark),
		Source: fmt.Sprintf("name: %s\nextends: existence\nmessage: Avoid %%s.\ntokens: [text]\n", name)}
	if user := s.ids[model.UserPrefix]; user != "" {
		rule.CreatedByID = &user
	}
	s.insert(rule)
}

// addAppVersion inserts a version of a front end with an operation.
func (s *screenRows) addAppVersion(now time.Time) {
	version := &model.AppVersion{ID: s.id(model.AppVersionPrefix), WorkspaceID: s.workspaceID, App: s.mark,
		Version: fmt.Sprint(s.made), OperationCount: 1, CreatedAt: now}
	version.SchemaHash = version.ID
	if user := s.ids[model.UserPrefix]; user != "" {
		version.CreatedByID = &user
	}
	op := &model.RegisteredOperation{ID: s.id(model.OperationPrefix), WorkspaceID: s.workspaceID, AppVersionID: version.ID,
		Name: fmt.Sprint(s.mark, " operation ", s.made), Kind: model.OperationQuery, Text: "{ __typename }", Requests: s.made,
		LastUsedAt: &now}
	op.ManifestKey, op.Hash = op.ID, op.ID
	s.insert(&model.OperationSchema{Hash: version.SchemaHash}, version, op)
}

func (s *screenRows) addDocument(now time.Time) {
	w, text := s.workspaceID, fmt.Sprint(s.mark, " text ", s.made)
	// near-duplicates
	content := text + ". The texts of all documents here end with one and the same sentence of many words."
	company, chief := s.party(model.PartyKindCompany, s.mark), s.party(model.PartyKindExecutive, s.mark)
	doc := &model.Document{ID: s.id(model.DocumentPrefix), WorkspaceID: w, Title: text, Content: &content,
		Tags: []string{}, SourceID: new(s.ids[model.SourcePrefix]), Company: &s.mark, CompanyID: &company, Executive: &s.mark, ExecutiveID: &chief,
		CreatedAt: now, UpdatedAt: now}
	job := &model.Job{ID: s.id(model.JobPrefix), WorkspaceID: w, JobTypeText: "ingest", DocumentID: &doc.ID,
		Status: model.JobStatusRunning, CreatedAt: now, UpdatedAt: now, Note: &text}
	job.ParentID = &job.ID // the walk plants the other workspace's
	signal := &model.Signal{ID: s.id(model.SignalPrefix), WorkspaceID: w, DocumentID: doc.ID, Company: &s.mark,
		CompanyID: &company, Executive: &s.mark, ExecutiveID: &chief, Theme: s.mark, Statement: text, Quote: text,
		Stance: new(model.StanceNeutral), CreatedAt: now}
	if s.made == 0 {
		tag := &model.AutoTag{ID: s.id(model.AutoTagPrefix), WorkspaceID: w, Name: s.mark, NameKey: s.mark,
			TagType: "topic", Description: text, AllowedValues: []string{}, CreatedAt: now, UpdatedAt: now}
		s.ids[model.FilterPrefix] = model.FilterPrefix + strings.TrimPrefix(tag.ID, model.AutoTagPrefix)
		s.insert(tag, &model.CommsFilter{AutoTagID: tag.ID, WorkspaceID: w, Enabled: true, Values: []string{},
			CreatedAt: now})
	}
	tagID := s.ids[model.AutoTagPrefix]
	example := &model.AutoTagExample{ID: s.id(model.ExamplePrefix), WorkspaceID: w, AutoTagID: tagID,
		DocumentID: &doc.ID, Value: text, Snippet: text, Source: model.AutoTagExampleSourceExclusion, AddedAt: now}
	applied := &model.AppliedAutoTag{ID: s.id(model.AppliedPrefix), WorkspaceID: w, DocumentID: doc.ID,
		AutoTagID: tagID, Name: s.mark, ExtractedValue: text, ValueKey: text, CreatedAt: &now,
		Source: model.AutoTagSourceModel, Quote: &text, ExampleID: &example.ID}
	review := &model.AutoTagReview{ID: s.id(model.ReviewPrefix), WorkspaceID: w, DocumentID: doc.ID, AutoTagID: tagID,
		State: model.ReviewPending, ExtractedValue: text, CreatedAt: now}
	earlier := &model.DocumentVersion{ID: s.id(model.TextPrefix), WorkspaceID: w, DocumentID: doc.ID, Title: text,
		Content: text, ReplacedAt: now}
	deleted := &model.DeletedDocument{ID: model.NewID(model.DocumentPrefix), WorkspaceID: w, Title: text,
		Visibility: model.VisibilityPublic, Document: json.RawMessage(`{}`), KeptRows: json.RawMessage(`{}`),
		DeletedAt: now}
	s.insert(doc, job, earlier, deleted, &model.SignalExtraction{DocumentID: doc.ID, WorkspaceID: w, Version: "v", CreatedAt: now},
		signal, example, applied, review, &model.HiddenDocument{DocumentID: doc.ID, AutoTagID: tagID, WorkspaceID: w})
}

// party returns the id of the company or executive with a name, and inserts it if the workspace has
// none.
func (s *screenRows) party(kind model.PartyKind, name string) string {
	s.t.Helper()
	if id := s.ids[string(kind)+name]; id != "" {
		return id
	}
	id, now, key := s.id(kind.Prefix()), model.Now(), model.NameKey(name)
	s.ids[string(kind)+name] = id
	var row any = &model.Executive{ID: id, WorkspaceID: s.workspaceID, Name: name, NameKey: key, CreatedAt: now}
	if kind == model.PartyKindCompany {
		row = &model.Company{ID: id, WorkspaceID: s.workspaceID, Name: name, NameKey: key, IsOwn: true, CreatedAt: now}
	}
	s.insert(row)
	for _, known := range []string{name, name + " Holding"} {
		alias := &model.PartyAlias{WorkspaceID: s.workspaceID, NameKey: model.NameKey(known), PartyID: id, Name: known,
			Source: model.AliasSourceOwn, CreatedAt: now}
		if _, err := s.db.NewInsert().Model(alias).ModelTableExpr("?", bun.Ident(kind+"_alias")).
			Exec(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
	return id
}

// addComparison inserts a stored comparison of the workspace's executive and company.
func (s *screenRows) addComparison(now time.Time) {
	w, text := s.workspaceID, fmt.Sprint(s.mark, " comparison ", s.made)
	point := &model.InsightPoint{Text: text, Subjects: []string{s.mark},
		Evidence: []*model.Citation{{SignalID: s.ids[model.SignalPrefix], DocumentID: s.ids[model.DocumentPrefix],
			Quote: text}}}
	row := &model.Insight{
		ID: s.id(model.InsightPrefix), WorkspaceID: w, RequestKey: text, Sources: map[string]string{}, CreatedAt: now,
		Answer: &model.InsightComparison{Theme: text, Executives: []string{s.mark}, Companies: []string{s.mark},
			AiAnalysis: &model.InsightAnalysis{
				AtAGlance: []*model.InsightPoint{point}, Similarities: []*model.InsightPoint{},
				Differences:      []*model.InsightPoint{},
				ComparisonMatrix: []*model.InsightRow{}, UniquePerspectives: []*model.InsightPoint{},
			}},
	}
	s.insert(row)
	for _, kind := range model.PartyKinds {
		s.insert(&model.InsightParty{InsightID: row.ID, PartyID: s.party(kind, s.mark)})
	}
}

func (s *screenRows) addPersona(now time.Time) {
	w, text, docID := s.workspaceID, fmt.Sprint(s.mark, " persona ", s.made), s.ids[model.DocumentPrefix]
	persona := &model.Persona{
		ID: s.id(model.PersonaPrefix), WorkspaceID: w, Name: text, Category: s.mark, CreatedBy: "system",
		CreatedAt: now, UpdatedAt: now, VoiceVisibility: model.VoiceVisibilityWorkspace,
		ExternalSources: []json.RawMessage{}, SocialLinks: []*model.SocialLink{},
		WritingSampleDocumentIDs: []string{docID},
		HealthState: &model.PersonaHealth{Status: model.PersonaHealthStatusUnmeasured,
			Flags: []model.PersonaHealthFlag{}},
		GroundedStatements: []*model.GroundedStatement{{Statement: text, DocumentID: docID}},
		IncludeInAudience:  true,
		IsActive:           true,
	}
	persona.DefaultVoiceProfileID, persona.SourcePersonaID = &persona.ID, &persona.ID
	authorID := s.ids[model.UserPrefix]
	due, versionID := now.Add(time.Hour), s.id(model.DraftTextPrefix)
	if s.made == 0 {
		s.id(model.LinkPrefix) // the link of addLink
	}
	draft := &model.Draft{
		ID: s.id(model.DraftPrefix), WorkspaceID: w, Title: text, Content: &text, ContentType: "text",
		Visibility: model.VisibilityPublic, State: model.DraftStateInReview, AssigneeID: &authorID, DueAt: &due, CurrentVersionID: &versionID,
		LinkID: new(s.ids[model.LinkPrefix]), PublishedVersionID: &versionID,
		Knowledgebase: "k", Version: "v", AuthorID: &authorID, CreatedAt: now, UpdatedAt: now,
		Metadata: &model.DraftMetadata{
			AudiencePersonaIDs: []string{persona.ID}, SourceDocumentID: &docID, TonePersonaID: &persona.ID,
			VoiceProfileID: &persona.ID, Themes: []string{}, TestHistory: []json.RawMessage{},
			PullThroughPriorities: []*model.DraftPriority{{Key: s.id(model.PriorityPrefix), Text: text, Level: "must"}},
		},
	}
	version := &model.DraftVersion{ID: versionID, WorkspaceID: w, DraftID: draft.ID, Number: 1, Title: text,
		Content: text, ContentType: "text", AuthorID: &authorID, CreatedAt: now, SavedAt: now,
		RestoredFromID: &versionID}
	request := &model.DraftStateChange{ID: s.id(model.StateChangePrefix), WorkspaceID: w, DraftID: draft.ID,
		VersionID: versionID, Action: model.DraftActionReviewRequested, Reason: &text, AssigneeID: &authorID, DueAt: &due,
		ByID: &authorID, At: now}
	comment := &model.DraftComment{ID: s.id(model.CommentPrefix), WorkspaceID: w, DraftID: draft.ID, Text: text,
		Quote: &text, Start: new(0), End: new(len(text)), MentionedUserIDs: []string{authorID}, AuthorID: &authorID,
		CreatedAt: now, EditedAt: &now, ResolvedAt: &now, ResolvedByID: &authorID}
	reply := &model.DraftComment{ID: model.NewID(model.CommentPrefix), WorkspaceID: w, DraftID: draft.ID,
		ParentID: &comment.ID, Text: text, AuthorID: &authorID, CreatedAt: now}
	react := func(document, draft *string, subject string) *model.Reaction {
		rating := 3.0
		return &model.Reaction{
			ID: s.id(model.ReactionPrefix), WorkspaceID: w, PersonaID: persona.ID, DocumentID: document, DraftID: draft,
			SubjectID: subject, Version: text, Status: model.ReactionStatusCompleted,
			Rating: &rating, Text: text, Themes: []string{}, Risks: []string{}, Actions: []string{},
			Quotes: []*model.ReactionQuote{}, CreatedAt: now,
		}
	}
	talkID, jobID := "talk", s.ids[model.JobPrefix]
	talk := &model.PersonaInteraction{ID: s.id(model.InteractionPrefix), WorkspaceID: w, PersonaID: persona.ID,
		SessionID: &talkID, InteractionType: "conversation", InputContent: text, OutputContent: text,
		DocumentID: &docID, JobID: &jobID, CreatedBy: "system", CreatedAt: now}
	feedback := &model.PersonaFeedback{ID: s.id(model.FeedbackPrefix), WorkspaceID: w, PersonaID: persona.ID,
		FeedbackType: model.FeedbackTypeNegative, Description: text, CreatedBy: "system", CreatedAt: now}
	refinement := &model.PersonaRefinement{ID: s.id(model.RefinementPrefix), WorkspaceID: w, PersonaID: persona.ID,
		FeedbackID: feedback.ID, Instruction: text, CreatedAt: now}
	s.insert(persona, draft, version, request, comment, reply, react(nil, &draft.ID, draft.ID), talk, feedback, refinement)
	s.addVoice(persona, now)
	s.addTest(draft, now)
	reaction := react(&docID, nil, docID)
	s.insert(reaction)
	s.addSummary(reaction, now)
}

// addVoice inserts an executive with the persona as the voice.
func (s *screenRows) addVoice(persona *model.Persona, now time.Time) {
	s.party(model.PartyKindExecutive, persona.Name)
	s.insert(&model.VoiceLink{PersonaID: persona.ID, WorkspaceID: s.workspaceID, Executive: persona.Name,
		CreatedAt: now})
}

// addTest inserts a narrative test of the draft, and a bulk query.
func (s *screenRows) addTest(draft *model.Draft, now time.Time) {
	job := &model.Job{ID: model.NewID(model.JobPrefix), WorkspaceID: s.workspaceID,
		JobTypeText: string(model.JobTypeNarrativeTest), DraftID: &draft.ID, Status: model.JobStatusCompleted,
		CreatedAt: now, UpdatedAt: now, Note: &draft.Title}
	job.ParametersText = jsonText(s.t, model.ReactionParameters{DraftID: &draft.ID,
		PersonaIDs: draft.Metadata.AudiencePersonaIDs})
	bulk := &model.Job{ID: model.NewID(model.JobPrefix), WorkspaceID: s.workspaceID,
		JobTypeText: string(model.JobTypeBulkQuery), DraftID: &draft.ID, Status: model.JobStatusCompleted, CreatedAt: now, UpdatedAt: now, Note: &draft.Title}
	bulk.ParametersText = jsonText(s.t, model.BulkQueryParameters{Query: s.mark})
	s.insert(job, bulk)
}

// addSummary inserts a summary of the reaction.
func (s *screenRows) addSummary(reaction *model.Reaction, now time.Time) {
	text, ids := reaction.Text, [][]string{{reaction.ID}}
	summary := &model.AudienceSummary{
		ID: s.id(model.SummaryPrefix), WorkspaceID: s.workspaceID, Category: s.mark, FilterKey: text,
		Filters: &model.AudienceFilters{DocumentID: reaction.DocumentID}, GeneratedAt: now,
		StatusCounts: &model.StatusCounts{}, SummaryJSON: &model.AudienceReport{
			Headline: text, DataWindow: &model.DataWindow{},
			TopThemes:       []*model.AudienceTheme{{Theme: text, ReactionCount: 1}},
			TopActions:      []*model.AudiencePoint{{Text: text, ReactionCount: 1}},
			TopRisks:        []*model.AudiencePoint{{Text: text, ReactionCount: 1}},
			PillarReception: []*model.PillarReception{},
		},
		Evidence: &model.SummaryEvidence{Themes: ids, Actions: ids, Risks: ids,
			Quotes: []*model.SummaryQuote{{ReactionID: reaction.ID, DocumentID: *reaction.DocumentID, Text: text}}},
	}
	s.insert(summary, &model.SummaryReaction{SummaryID: summary.ID, ReactionID: reaction.ID,
		WorkspaceID: s.workspaceID})
}

func (s *screenRows) addLink(now time.Time) {
	w, text := s.workspaceID, fmt.Sprint(s.mark, " link ", s.made)
	if s.made == 0 {
		link := &model.Link{ID: s.ids[model.LinkPrefix], DraftID: new(s.ids[model.DraftPrefix]), WorkspaceID: w, Slug: strings.ToLower(s.mark), Title: text,
			Kind: model.LinkKindRedirect, DestinationURL: new("https://example.com/" + s.mark), Version: "v", IsActive: true, CreatedBy: "system", CreatedAt: now, UpdatedAt: now}
		s.insert(link, &model.LinkVariant{ID: s.id(model.VariantPrefix), WorkspaceID: w, LinkID: link.ID,
			DestinationURL: "https://example.com/" + s.mark, Weight: 1})
	}
	linkID, variantID := s.ids[model.LinkPrefix], s.ids[model.VariantPrefix]
	session := &model.LinkSession{ID: s.id(model.ViewerPrefix), WorkspaceID: w, LinkID: linkID, VariantID: &variantID,
		Browser: text, OpenedAt: now}
	conversion := &model.LinkConversion{ID: s.id(model.ConversionPrefix), WorkspaceID: w, LinkID: linkID,
		SessionID: session.ID, VariantID: &variantID, Type: model.ConversionTypeCustom, Value: text, CreatedAt: now}
	submission := &model.LinkSubmission{ID: s.id(model.SubmissionPrefix), WorkspaceID: w, LinkID: linkID,
		SessionID: &session.ID, Email: text, Data: json.RawMessage(`{}`), CreatedAt: now}
	webhook := &model.Webhook{ID: s.id(model.WebhookPrefix), WorkspaceID: w, LinkID: &linkID,
		SearchID: new(s.ids[model.SavedSearchPrefix]), URL: "https://example.com/" + s.mark, Label: text, IsActive: false,
		CreatedAt: now}
	event := &model.Event{ID: s.id(model.EventPrefix), WorkspaceID: w, Position: int64(1000 + s.made), // after the events of the workspace itself
		Event: "link.opened", LinkID: &linkID, Link: &model.LinkSummary{ID: linkID, Title: text},
		Viewer: json.RawMessage(`{}`), Timestamp: now}
	delivery := func() *model.Delivery {
		return &model.Delivery{ID: s.id(model.DeliveryPrefix), WorkspaceID: w, WebhookID: webhook.ID, EventID: event.ID,
			EventName: "link.opened", LinkID: &linkID, Status: model.DeliveryStatusDelivered,
			Attempts: []*model.DeliveryAttempt{{Body: &text}}, CreatedAt: now}
	}
	s.insert(session, conversion, submission, webhook, event, delivery())
}

func (s *screenRows) addPeople(now time.Time) {
	w, text := s.workspaceID, fmt.Sprint(s.mark, s.made, "@example.org")
	user := &model.User{ID: s.id(model.UserPrefix), Email: text, Name: text, CreatedAt: now}
	key := &model.APIKey{ID: s.id(model.KeyPrefix), WorkspaceID: w, Name: text, Prefix: "rsk_", Hash: []byte(text),
		Scopes: []model.Scope{model.ScopeRead}, CreatedBy: user.ID, CreatedAt: now}
	key.RotatedTo = &key.ID
	entry := &model.AuditEntry{ID: s.id(model.AuditPrefix), WorkspaceID: w, At: now,
		ActorKind: model.AuditActorKindUser, ActorID: &user.ID, Action: "key.minted", SubjectID: key.ID,
		Details: json.RawMessage(`{}`)}
	group := &model.AudienceGroup{ID: s.id(model.GroupPrefix), WorkspaceID: w, Name: fmt.Sprint(s.mark, s.made),
		SortOrder: s.made}
	jobID := s.ids[model.JobPrefix]
	runs := &model.RunReservation{ID: s.id(model.ReservationPrefix), WorkspaceID: w, Operation: text, JobID: &jobID,
		Runs: 1, State: model.RunReturned, CreatedAt: now, SettledAt: &now}
	call := &model.ModelCall{ID: s.id(model.ModelCallPrefix), WorkspaceID: w, JobID: &jobID, Task: text,
		Provider: "models.example.org", Outcome: model.ModelCallOK, CreatedAt: now}
	s.insert(&model.Invite{ID: model.NewID(model.InvitePrefix), WorkspaceID: w, Email: text, Name: text,
		Role: model.RoleViewer, Hash: []byte(text), CreatedBy: user.ID, CreatedAt: now, ExpiresAt: now})
	s.insert(group, user, &model.Membership{ID: model.NewID(model.MemberPrefix), WorkspaceID: w, UserID: user.ID,
		Role: model.RoleEditor, CreatedAt: now}, key, entry, runs, call)
}

// newScreenRows returns the rows of an app's workspace.
func newScreenRows(t *testing.T, a *kit.App, db *dbx.DB, mark string) *screenRows {
	return &screenRows{t: t, db: db, workspaceID: a.WorkspaceID, mark: mark, ids: map[string]string{}}
}

// index indexes the words of the documents, as the program does for those stored without it.
func (s *screenRows) index() {
	s.t.Helper()
	documents := document.New(document.Config{DB: s.db})
	documents.Relate(document.Related{TagValues: func(string) *bun.SelectQuery {
		return s.db.NewSelect().TableExpr("document").Where("false").
			ColumnExpr("id AS document_id, '' AS auto_tag_id, '' AS value_key, '' AS extracted_value")
	}})
	if _, err := documents.Recount(s.t.Context(), s.workspaceID, true); err != nil {
		s.t.Fatal(err)
	}
}
