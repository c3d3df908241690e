package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
)

// briefingNames are the events without which there is no briefing.
var briefingNames = []string{model.EventSearchMatched, model.EventDraftReviewRequested, model.EventSourceFailing,
	model.EventLinkOpened}

// maxOfSection is the largest number of lines of a section of a briefing, or of a search's documents.
const maxOfSection = 10

// section is the news of a saved search.
type section struct {
	Name, URL string
	Lines     []line
	More      int
}

// ComposeBriefing returns a briefing, or nil if there is nothing new: no hit of a saved search, no
// draft that waits for the reader since the last one, no source that fails since then, and no open of
// a link.
func (s *Service) ComposeBriefing(ctx context.Context, mail *model.Mail, _ string) (*model.MailText, error) {
	to, ctx, err := s.readerOf(ctx, mail)
	if err != nil || to == nil || to.BriefingHour == nil {
		return nil, wrap(err)
	}
	searches, err := s.newHits(ctx, to, *mail.Detail)
	if err != nil {
		return nil, wrap(err)
	}
	reviews, newReviews, err := s.reviews(ctx, to, *mail.Detail)
	if err != nil {
		return nil, wrap(err)
	}
	sources, newSources, err := s.failing(ctx, to, *mail.Detail)
	if err != nil {
		return nil, wrap(err)
	}
	opens, err := s.opens(ctx, to, *mail.Detail)
	if err != nil || len(searches)+newReviews+newSources+len(opens) == 0 {
		return nil, wrap(err)
	}
	return s.write("briefing", to, map[string]any{"Searches": searches, "Reviews": reviews, "Sources": sources, "Opens": opens})
}

// newHits returns the documents that came to match each saved search.
func (s *Service) newHits(ctx context.Context, to *reader, in model.MailRange) ([]*section, error) {
	events, _, err := s.Events.Range(ctx, to.WorkspaceID, in, []string{model.EventSearchMatched}, maxEvents)
	if err != nil {
		return nil, err
	}
	datas, ids := make([]eventData, len(events)), make([]string, len(events))
	for i, e := range events {
		if err := json.Unmarshal(e.Data, &datas[i]); err != nil || datas[i].Search == nil || datas[i].Document == nil {
			return nil, fmt.Errorf("read the data of %s: %w", e.ID, err)
		}
		ids[i] = datas[i].Document.ID
	}
	titles, err := s.titles(ctx, to, ids)
	if err != nil {
		return nil, err
	}
	var sections []*section
	for _, data := range datas {
		title, mayBeTold := titles[data.Document.ID]
		if !mayBeTold {
			continue
		}
		place := slices.IndexFunc(sections, func(one *section) bool { return one.URL == data.Search.URL })
		if place < 0 {
			place, sections = len(sections), append(sections, &section{Name: oneLine(data.Search.Name), URL: data.Search.URL})
		}
		if of := sections[place]; len(of.Lines) == maxOfSection {
			of.More++
		} else {
			of.Lines = append(of.Lines, line{What: title, URL: data.Document.URL})
		}
	}
	return sections, nil
}

// reviews returns the drafts that wait for the reader's review, and how many of them are new.
func (s *Service) reviews(ctx context.Context, to *reader, in model.MailRange) ([]line, int, error) {
	if !to.role.Can(model.AbilityReview) {
		return nil, 0, nil
	}
	drafts, err := s.Drafts(ctx, model.PageArgs{First: new(dbx.MaxPerPage)},
		&api.DraftFilter{States: graphql.OmittableOf([]model.DraftState{model.DraftStateInReview})}, nil, "id", "assignee_id", "updated_at")
	if err != nil {
		return nil, 0, err
	}
	requested, err := s.subjects(ctx, to, in, model.EventDraftReviewRequested)
	var lines []line
	var isNew int
	for _, draft := range drafts.Nodes {
		if draft.AssigneeID != nil && *draft.AssigneeID != to.UserID {
			continue
		}
		if requested[draft.ID] {
			isNew++
		}
		lines = append(lines, line{URL: s.PublicURL + "/console/drafts/" + draft.ID})
	}
	return lines[:min(len(lines), maxLines)], isNew, err
}

// failing returns the sources that cannot be read, and how many of them are new.
func (s *Service) failing(ctx context.Context, to *reader, in model.MailRange) ([]line, int, error) {
	sources, err := s.Sources(ctx, model.PageArgs{First: new(dbx.MaxPerPage)}, &api.SourceFilter{IsFailing: graphql.OmittableOf(new(true))}, nil,
		"id", "created_at")
	if err != nil {
		return nil, 0, err
	}
	failed, err := s.subjects(ctx, to, in, model.EventSourceFailing)
	var lines []line
	var isNew int
	for _, source := range sources.Nodes {
		if failed[source.ID] {
			isNew++
		}
		lines = append(lines, line{URL: s.PublicURL + "/console/sources/" + source.ID})
	}
	return lines[:min(len(lines), maxLines)], isNew, err
}

// subjects returns what the events of a name in a range are about.
func (s *Service) subjects(ctx context.Context, to *reader, in model.MailRange, name string) (map[string]bool, error) {
	events, _, err := s.Events.Range(ctx, to.WorkspaceID, in, []string{name}, maxEvents)
	ids := map[string]bool{}
	for _, e := range events {
		if e.SubjectID != nil {
			ids[*e.SubjectID] = true
		}
	}
	return ids, err
}

// opens returns the links that were opened most.
func (s *Service) opens(ctx context.Context, to *reader, in model.MailRange) ([]line, error) {
	links, counts, err := s.Events.LinkOpens(ctx, to.WorkspaceID, in, maxOfSection)
	lines := make([]line, len(links))
	for i, link := range links {
		lines[i] = line{What: oneLine(link.Title), Count: counts[i], URL: s.PublicURL + "/console/links/" + link.ID}
	}
	return lines, err
}
