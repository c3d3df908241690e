package main

import (
	"context"
	"fmt"
	"net/http"
)

// commentDraft saves a draft and comments on it.
func (l *load) commentDraft() {
	title := fmt.Sprintf("draft %d", l.counter.Add(1))
	var made struct{ Draft struct{ ID string } }
	saved := l.send(http.MethodPost, "/api/v1/content-creation/drafts",
		map[string]any{"title": title, "content": "Text of " + title}, &made)
	l.set(l.drafted, title, saved)
	if made.Draft.ID == "" { // the response was lost
		return
	}
	text := fmt.Sprintf("comment %d", l.counter.Add(1))
	l.set(l.commented, text, l.send(http.MethodPost, "/api/v1/content-creation/drafts/"+made.Draft.ID+"/comments",
		map[string]any{"text": text}, &struct{}{}))
}

// verifyDrafts checks that every accepted draft and every accepted comment is stored once.
func (l *load) verifyDrafts(ctx context.Context, _ plan, r *report) error {
	titles, comments := map[string]int{}, map[string]int{}
	var drafts []string
	var page struct {
		Drafts []struct{ ID, Title string }
	}
	if err := l.readPages(ctx, "/api/v1/content-creation/drafts", &page, func() int {
		rows := page.Drafts
		page.Drafts = nil
		for _, d := range rows {
			titles[d.Title]++
			drafts = append(drafts, d.ID)
		}
		return len(rows)
	}); err != nil {
		return err
	}
	for _, id := range drafts {
		var of struct {
			Comments []struct{ Text string }
		}
		if err := l.getJSON(ctx, "/api/v1/content-creation/drafts/"+id+"/comments", &of); err != nil {
			return err
		}
		for _, comment := range of.Comments {
			comments[comment.Text]++
		}
	}
	compareAccepted(r, "draft", l.drafted, titles)
	compareAccepted(r, "comment", l.commented, comments)
	return nil
}
