package content_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/content"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// commentInput returns a comment on the first place of the words in a draft's text, or on the whole
// draft if they are empty.
func commentInput(draft *model.Draft, words, text string) api.CreateDraftCommentInput {
	in := api.CreateDraftCommentInput{DraftID: draft.ID, Text: text}
	if words != "" {
		before, _, _ := strings.Cut(*draft.Content, words)
		start := utf8.RuneCountInString(before)
		in.Passage = graphql.OmittableOf(&api.DraftPassageInput{Start: start, End: start + utf8.RuneCountInString(words),
			Quote: words})
		in.VersionID = graphql.OmittableOf(draft.CurrentVersionID)
	}
	return in
}

func (d *desk) comment(t *testing.T, user string, draft *model.Draft, words, text string) *model.DraftComment {
	t.Helper()
	out, err := d.CreateComment(as(t, user), commentInput(draft, words, text))
	if err != nil {
		t.Fatal(err)
	}
	return out.Comment
}

// comments returns the comments on a draft, each with its author, its text and the words that its
// passage has now.
func (d *desk) comments(t *testing.T, id string) (all []string) {
	t.Helper()
	draft, err := d.Draft(as(t, "vik"), id)
	if err != nil {
		t.Fatal(err)
	}
	page, err := d.Comments(as(t, "vik"), id, model.PageArgs{First: new(100)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range page.Nodes {
		words := "the draft"
		if c.IsDetached() {
			words = "gone: " + *c.Quote
		} else if c.Quote != nil {
			words = string([]rune(*draft.Content)[*c.Start:*c.End])
		}
		all = append(all, fmt.Sprintf("%s: %s [%s]", *c.AuthorID, c.Text, words))
	}
	return all
}

// TestComments_move saves texts in every way: the passages of all comments move with them, and what
// is gone keeps its quote and comes back with its text.
func TestComments_move(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "We open in March. All are invited.")
		first := *draft.CurrentVersionID
		d.comment(t, "ben", draft, "We open in March", " When exactly? ")
		solved := d.comment(t, "ola", draft, "invited", "By whom?")
		d.comment(t, "ada", draft, "", "Short.")
		if _, err := d.ResolveComment(as(t, "ada"), api.ResolveDraftCommentInput{DraftID: draft.ID,
			CommentID: solved.ID}); err != nil {
			t.Fatal(err)
		}
		stored := func(what, march, invited string) {
			t.Helper()
			expect(t, what, d.comments(t, draft.ID), "ben: When exactly? ["+march+"]", "ola: By whom? ["+invited+"]",
				"ada: Short. [the draft]")
		}
		stored("new", "We open in March", "invited")
		d.write(t, "ada", draft.ID, "News 😀: We open early in March. All are invited.")
		stored("saved", "We open early in March", "invited")
		d.write(t, "eva", draft.ID, "News 😀: All are invited.")
		stored("the passage is deleted", "gone: We open in March", "invited")
		if _, err := d.RestoreVersion(as(t, "eva"), api.RestoreDraftVersionInput{DraftID: draft.ID,
			VersionID: first}); err != nil {
			t.Fatal(err)
		}
		stored("restored", "We open in March", "invited")
		if _, err := db.NewUpdate().Model((*model.Draft)(nil)).Set("content = ?", "Soon we open in March. All are invited.").
			Where("id = ?", draft.ID).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		d.write(t, "ada", draft.ID, "Really soon we open. All of you are invited.")
		stored("after a gateway of an earlier revision", "Really soon we open", "invited")
	})
}

// TestComments_of_old_versions comments on texts that were read before others saved.
func TestComments_of_old_versions(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		old := d.write(t, "ada", "", "We open in March. All are invited.")
		d.write(t, "eva", old.ID, "Dear all, we will open in March.")
		d.comment(t, "ben", old, "open in March", "Moved.")
		d.comment(t, "ben", old, "All are invited", "Gone.")
		expect(t, "old versions", d.comments(t, old.ID), "ben: Moved. [open in March]", "ben: Gone. [gone: All are invited]")
		merged := d.write(t, "ada", "", "One")
		d.write(t, "ada", merged.ID, "One two", merged.Version)
		in := commentInput(merged, "One", "Late.")
		if _, err := d.CreateComment(as(t, "ben"), in); !errs.Is(err, errs.PreconditionFailed) {
			t.Errorf("a version that was replaced: %v", err)
		}
		other := commentInput(old, "", "Another draft's version.")
		other.VersionID = graphql.OmittableOf(merged.CurrentVersionID)
		if _, err := d.CreateComment(as(t, "ben"), other); !errs.Is(err, errs.PreconditionFailed) {
			t.Errorf("a version of another draft: %v", err)
		}
	})
}

// TestComments_answered follows a discussion: who may change what, and the feed has each step.
func TestComments_answered(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "We open in March.")
		comment := d.comment(t, "ben", draft, "March", "Sure?")
		reply, err := d.ReplyToComment(as(t, "ada"), api.ReplyToDraftCommentInput{DraftID: draft.ID,
			CommentID: comment.ID, Text: "Yes.", MentionedUserIds: graphql.OmittableOf([]string{"ben", "ben"})})
		if err != nil {
			t.Fatal(err)
		}
		expectMentions(t, d, "ben", "Yes.")
		change := func(user, id string) error {
			_, err := d.UpdateComment(as(t, user), api.UpdateDraftCommentInput{DraftID: draft.ID, CommentID: id,
				Text: graphql.OmittableOf(new("Changed."))})
			return err
		}
		remove := func(user, id string) error {
			_, err := d.DeleteComment(as(t, user), api.DeleteDraftCommentInput{DraftID: draft.ID, CommentID: id})
			return err
		}
		resolve := api.ResolveDraftCommentInput{DraftID: draft.ID, CommentID: comment.ID}
		first, err := d.ResolveComment(as(t, "ada"), resolve)
		if err != nil {
			t.Fatal(err)
		}
		again, err := d.ResolveComment(as(t, "eva"), resolve)
		if err != nil || *again.Comment.ResolvedByID != "ada" || !again.Comment.ResolvedAt.Equal(*first.Comment.ResolvedAt) {
			t.Errorf("resolved twice: %+v, %v", again, err)
		}
		expectMentions(t, d, "ben")
		reopened, err := d.ReopenComment(as(t, "ben"), api.ReopenDraftCommentInput(resolve))
		if err != nil || reopened.Comment.ResolvedAt != nil || reopened.Comment.ResolvedByID != nil {
			t.Errorf("reopened: %+v, %v", reopened, err)
		}
		for _, user := range []string{"ada", "eva", "ola"} {
			if err := change(user, comment.ID); !errs.Is(err, errs.InsufficientScope) {
				t.Errorf("%s changes Ben's comment: %v", user, err)
			}
		}
		if err := remove("eva", comment.ID); !errs.Is(err, errs.InsufficientScope) {
			t.Errorf("Eva deletes Ben's comment: %v", err)
		}
		if err := change("ben", comment.ID); err != nil {
			t.Error(err)
		}
		if err := remove("ada", reply.Comment.ID); err != nil {
			t.Error(err)
		}
		if err := remove("ola", comment.ID); err != nil {
			t.Error(err)
		}
		expect(t, "deleted", d.comments(t, draft.ID))
		expect(t, "the feed", d.events, model.EventDraftCreated, model.EventDraftCommented, model.EventDraftCommented,
			model.EventDraftCommentResolved, model.EventDraftCommentReopened, model.EventDraftCommentUpdated,
			model.EventDraftCommentDeleted, model.EventDraftCommentDeleted)
	})
}

// expectMentions checks the texts that mention a member in open discussions.
func expectMentions(t *testing.T, d *desk, user string, want ...string) {
	t.Helper()
	page, err := d.Mentions(as(t, user), model.PageArgs{First: new(10)})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range page.Nodes {
		texts = append(texts, c.Text)
	}
	expect(t, "mentions of "+user, texts, want...)
}

// TestComments_refuse names what is wrong and stores nothing.
func TestComments_refuse(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "We open in March.")
		kept := d.comment(t, "ben", draft, "March", "Sure?")
		reply, err := d.ReplyToComment(as(t, "ada"), api.ReplyToDraftCommentInput{DraftID: draft.ID,
			CommentID: kept.ID, Text: "Yes."})
		if err != nil {
			t.Fatal(err)
		}
		create := func(change func(*api.CreateDraftCommentInput)) error {
			in := commentInput(draft, "March", "Sure?")
			change(&in)
			_, err := d.CreateComment(as(t, "ben"), in)
			return err
		}
		_, replied := d.ReplyToComment(as(t, "ben"), api.ReplyToDraftCommentInput{DraftID: draft.ID,
			CommentID: reply.Comment.ID, Text: "No."})
		_, resolved := d.ResolveComment(as(t, "ben"), api.ResolveDraftCommentInput{DraftID: draft.ID,
			CommentID: reply.Comment.ID})
		_, updated := d.UpdateComment(as(t, "ben"), api.UpdateDraftCommentInput{DraftID: draft.ID, CommentID: kept.ID,
			Text: graphql.OmittableOf[*string](nil)})
		_, unchanged := d.UpdateComment(as(t, "ben"), api.UpdateDraftCommentInput{DraftID: draft.ID, CommentID: kept.ID})
		for name, c := range map[string]struct {
			err   error
			code  errs.Code
			words string
		}{
			"nothing to change": {unchanged, errs.ValidationFailed, "text: "},
			"unknown draft":     {create(func(in *api.CreateDraftCommentInput) { in.DraftID = "drf_none" }), errs.NotFound, "drf_none"},
			"blank":             {create(func(in *api.CreateDraftCommentInput) { in.Text = " \n" }), errs.ValidationFailed, "text: "},
			"other words": {create(func(in *api.CreateDraftCommentInput) { in.Passage.Value().Quote = "April" }),
				errs.ValidationFailed, "passage/quote: "},
			"beyond the text": {create(func(in *api.CreateDraftCommentInput) { in.Passage.Value().End = 99 }),
				errs.ValidationFailed, "passage/quote: "},
			"backwards": {create(func(in *api.CreateDraftCommentInput) { in.Passage.Value().End = 2 }),
				errs.ValidationFailed, "passage/end: "},
			"a stranger": {create(func(in *api.CreateDraftCommentInput) {
				in.MentionedUserIds = graphql.OmittableOf([]string{"ada", "mallory"})
			}), errs.ValidationFailed, "mentionedUserIds/1: "},
			"too many": {create(func(in *api.CreateDraftCommentInput) {
				in.MentionedUserIds = graphql.OmittableOf(slices.Repeat([]string{"ada"}, 21))
			}), errs.ValidationFailed, "mentionedUserIds: "},
			"a reply to a reply": {replied, errs.ValidationFailed, kept.ID},
			"resolve a reply":    {resolved, errs.ValidationFailed, kept.ID},
			"text null":          {updated, errs.ValidationFailed, "text: "},
		} {
			if !errs.Is(c.err, c.code) || !strings.Contains(c.err.Error(), c.words) {
				t.Errorf("%s: %v, want %s with %q", name, c.err, c.code, c.words)
			}
		}
		expect(t, "stored", d.comments(t, draft.ID), "ben: Sure? [March]")
	})
}

// TestComments_limits fills a draft with comments and a comment with replies.
func TestComments_limits(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "We open in March.")
		comment := d.comment(t, "ben", draft, "March", "Sure?")
		fill := func(n int, parentID *string) {
			rows := make([]*model.DraftComment, n)
			for i := range rows {
				rows[i] = &model.DraftComment{ID: model.NewID(model.CommentPrefix), WorkspaceID: "w", DraftID: draft.ID,
					Text: "Again.", ParentID: parentID, CreatedAt: model.Now()}
			}
			if _, err := db.NewInsert().Model(&rows).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		reply := func() error {
			_, err := d.ReplyToComment(as(t, "ada"), api.ReplyToDraftCommentInput{DraftID: draft.ID,
				CommentID: comment.ID, Text: "Yes."})
			return err
		}
		write := func() error {
			_, err := d.CreateComment(as(t, "ada"), commentInput(draft, "", "One more."))
			return err
		}
		fill(content.MaxReplies-1, &comment.ID)
		if err := reply(); err != nil {
			t.Error(err)
		}
		if err := reply(); !errs.Is(err, errs.Conflict) || !strings.Contains(err.Error(), "200 replies") {
			t.Errorf("too many replies: %v", err)
		}
		fill(content.MaxComments-2, nil)
		if err := write(); err != nil {
			t.Error(err)
		}
		if err := write(); !errs.Is(err, errs.Conflict) || !strings.Contains(err.Error(), "1000 comments") {
			t.Errorf("too many comments: %v", err)
		}
	})
}

// TestComments_concurrent lets one member save texts while another comments on what he has read: no
// comment is lost, and each is at its words or says that they are gone.
func TestComments_concurrent(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		const rounds = 15
		text := func(i int) string {
			return strings.Repeat("New. ", i) + "We open in March, all are invited." + strings.Repeat(" More.", i%3)
		}
		draft := d.write(t, "ada", "", text(0))
		done := make(chan error, 1)
		go func() {
			for i := range rounds {
				in := api.SaveDraftInput{DraftID: graphql.OmittableOf(&draft.ID), Content: graphql.OmittableOf(new(text(i + 1)))}
				if _, err := d.Save(as(t, "ada"), in); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		var want []string
		for i := range rounds {
			read, err := d.Draft(as(t, "ben"), draft.ID)
			if err != nil {
				t.Fatal(err)
			}
			words := []string{"open in March", "invited", "We open"}[i%3]
			d.comment(t, "ben", read, words, fmt.Sprint("Comment ", i))
			want = append(want, fmt.Sprintf("ben: Comment %d [%s]", i, words))
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		expect(t, "comments", d.comments(t, draft.ID), want...)
	})
}

// TestComments_deleted deletes a draft with its comments.
func TestComments_deleted(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "We open in March.")
		d.comment(t, "ben", draft, "March", "Sure?")
		before, err := d.StoredBytes(t.Context(), "w")
		if want := int64(2*len("We open in March.") + len("Sure?") + len("March")); err != nil || before != want {
			t.Errorf("%d bytes are stored, want %d, %v", before, want, err)
		}
		if _, err := d.DeleteDraft(as(t, "ada"), draft.ID, nil); err != nil {
			t.Fatal(err)
		}
		if n, err := db.NewSelect().Model((*model.DraftComment)(nil)).Count(t.Context()); err != nil || n != 0 {
			t.Errorf("%d comments stay, %v", n, err)
		}
	})
}
