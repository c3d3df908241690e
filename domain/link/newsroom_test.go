package link_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// newNewsroom returns a service with the newsroom "tide" of a workspace, and a function that adds a
// page to it.
func newNewsroom(t *testing.T, db *dbx.DB) (*link.Service, func(*model.Link)) {
	t.Helper()
	visitors, err := visitor.New(visitor.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { visitors.Close() })
	workspaceID := setup(t, db).of.WorkspaceID
	s, err := link.New(t.Context(), link.Config{DB: db, Live: dbtest.RedisKinds(t)[0].Open(t), PublicURL: "http://test",
		Folder: t.TempDir(), Visitors: visitors,
		BrandOfNewsroom: func(_ context.Context, slug string) (*model.Brand, error) {
			if slug != "tide" {
				return nil, errs.New(errs.NotFound, "no newsroom")
			}
			return &model.Brand{WorkspaceID: workspaceID, Name: new("Tidewall"), NewsroomSlug: new("tide")}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return s, func(row *model.Link) {
		t.Helper()
		row.ID, row.Kind, row.Title, row.Body = model.NewID(model.LinkPrefix), model.LinkKindPage, row.Slug, new("<p>One.</p>")
		row.IsActive, row.CreatedAt, row.UpdatedAt = true, model.Now(), model.Now()
		if row.WorkspaceID == "" {
			row.WorkspaceID = workspaceID
		}
		draft := &model.Draft{ID: model.NewID(model.DraftPrefix), WorkspaceID: row.WorkspaceID, CreatedAt: row.CreatedAt,
			UpdatedAt: row.UpdatedAt, Visibility: model.VisibilityPublic, State: model.DraftStatePublished, Metadata: &model.DraftMetadata{}}
		row.DraftID = &draft.ID
		for _, one := range []any{draft, row} {
			if _, err := db.NewInsert().Model(one).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

var listedSlug = regexp.MustCompile(`<h2><a href="http://test/l/([^"]*)">`)

// readNewsroom returns the status of an address and the slugs that it lists.
func readNewsroom(s *link.Service, path string) (status int, slugs []string) {
	answer := httptest.NewRecorder()
	s.ServeNewsroom(answer, httptest.NewRequest(http.MethodGet, path, nil))
	for _, found := range listedSlug.FindAllStringSubmatch(answer.Body.String(), -1) {
		slugs = append(slugs, found[1])
	}
	return answer.Code, slugs
}

// TestServeNewsroom_pages reads a newsroom of 45 texts.
func TestServeNewsroom_pages(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, add := newNewsroom(t, db)
		now := model.Now()
		for i := range 45 {
			add(&model.Link{Slug: fmt.Sprintf("text-%d", i), PublishedAt: new(now.Add(-time.Duration(i) * time.Hour))})
		}
		for number, want := range map[int][]string{1: {"text-0", "text-19"}, 2: {"text-20", "text-39"}, 3: {"text-40", "text-44"}} {
			status, slugs := readNewsroom(s, fmt.Sprintf("/newsroom/tide?page=%d", number))
			if status != http.StatusOK || len(slugs) == 0 || slugs[0] != want[0] || slugs[len(slugs)-1] != want[1] {
				t.Errorf("page %d: %d %v", number, status, slugs)
			}
		}
		for _, path := range []string{"/newsroom/tide?page=4", "/newsroom/tide?page=501", "/newsroom/other", "/newsroom/",
			"/newsroom/tide/other.atom", "/newsroom/a%00"} {
			if status, _ := readNewsroom(s, path); status != http.StatusNotFound {
				t.Errorf("%s: %d", path, status)
			}
		}
	})
}

// TestServeNewsroom_embargo has texts whose embargo ended a moment ago, or ends in some seconds, also
// where the two times of a row differ.
func TestServeNewsroom_embargo(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, add := newNewsroom(t, db)
		past, future := model.Now().Add(-time.Millisecond), model.Now().Add(time.Hour)
		for slug, times := range map[string][2]*time.Time{"open": {&past, &past}, "never": {nil, &past}, "later": {&future, &future},
			"held": {&future, &past}, "planned": {nil, &future}, "waiting": {nil, nil}} {
			add(&model.Link{Slug: slug, EmbargoedUntil: times[0], PublishedAt: times[1]})
		}
		add(&model.Link{Slug: "theirs", PublishedAt: &past, WorkspaceID: setup(t, db).of.WorkspaceID})
		add(&model.Link{Slug: "ended", PublishedAt: &past, ExpiresAt: &past})
		_, slugs := readNewsroom(s, "/newsroom/tide")
		if len(slugs) != 2 || slugs[0] != "never" && slugs[0] != "open" {
			t.Errorf("the newsroom lists %v", slugs)
		}
	})
}
