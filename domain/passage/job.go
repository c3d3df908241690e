package passage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Queue is the queue of the package's tasks, and Workers the number of its workers in a process.
const (
	Queue   = "passage"
	Workers = 4
)

// taskEmbed is the task that adds vectors to the set of a document.
const taskEmbed = "passage.embed"

const (
	taskTime  = 24 * time.Second
	batchSize = 32 // passages of one run of the task, so that slow models are done within its time
)

// batchLimit leaves a run of the task time to store its result or its failure.
var batchLimit = llm.Limit{Time: 18 * time.Second}

// enqueueSets enqueues the tasks that add vectors to the sets, for a time; zero is now.
func (s *Service) enqueueSets(ctx context.Context, tx dbx.Tx, at time.Time, sets ...*model.PassageSet) error {
	tasks := make([]job.TaskArgs, len(sets))
	for i, set := range sets {
		tasks[i] = job.TaskArgs{Ref: set.WorkspaceID + ":" + set.DocumentID, At: at}
	}
	return s.Tasks.EnqueueTasks(ctx, tx, taskEmbed, tasks...)
}

// embedDocument adds the next vectors to a document's set, and enqueues the task again if there are
// more. It ignores a complete set, one of another text or model, and a deleted document. If the
// model fails, it enqueues the task for later. It is idempotent.
func (s *Service) embedDocument(ctx context.Context, ref string) error {
	workspaceID, documentID, _ := strings.Cut(ref, ":")
	ctx = principal.With(ctx, principal.Principal{WorkspaceID: workspaceID})
	if s.Embedder == nil { // the task of a process with an embedding model
		return nil
	}
	set, err := dbx.NilIfNotFound(findSet(ctx, s.DB, workspaceID, documentID))
	if err != nil || set == nil || set.IsComplete || set.Model != s.Embedder.EmbeddingModel() {
		return err
	}
	doc, err := dbx.NilIfNotFound(s.Documents.FindByID(ctx, s.DB, workspaceID, documentID, "id", "workspace_id",
		"title", "content", "version"))
	switch {
	case err != nil || doc == nil:
		return err
	case doc.Version == "":
		return s.addVersion(ctx, doc)
	case doc.Version != set.Version:
		return nil
	}
	return s.embedNext(ctx, set, doc)
}

// addVersion sets the version of a document from before documents had versions, and restarts its
// set.
func (s *Service) addVersion(ctx context.Context, doc *model.Document) error {
	if err := s.Documents.SetMissingVersion(ctx, doc); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.replaceSet(ctx, tx, doc) })
}

// embedNext adds the next vectors to a set.
func (s *Service) embedNext(ctx context.Context, set *model.PassageSet, doc *model.Document) error {
	spans := text.Passages(optional.ValueOr(doc.Content, ""))
	next := spans[min(set.Stored, len(spans)):min(set.Stored+batchSize, len(spans))]
	vectors, err := s.embedSpans(ctx, doc.Title, next)
	switch {
	case ctx.Err() == nil && llm.IsFailure(err):
		return s.postponeSet(ctx, set)
	case err != nil:
		return fmt.Errorf("embed a document: %w", err)
	}
	rows := make([]*model.Passage, len(next))
	for i, span := range next {
		components, scale := quantizeVector(vectors[i])
		rows[i] = &model.Passage{
			DocumentID: set.DocumentID, Position: set.Stored + i, WorkspaceID: set.WorkspaceID, Start: span.Start,
			End:   span.End,
			Scale: scale, Vector: components,
		}
	}
	return s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.storeNext(ctx, tx, set, rows, set.Stored+len(rows) == len(spans))
	})
}

// embedSpans returns the vectors of parts of a text, each with the text's title.
func (s *Service) embedSpans(ctx context.Context, title string, spans []text.Span) ([][]float32, error) {
	if len(spans) == 0 {
		return nil, nil
	}
	texts := make([]string, len(spans))
	for i, span := range spans {
		texts[i] = text.FirstRunes(title, maxTitle) + "\n" + text.FirstRunes(span.Text, llm.EmbeddedRunes)
	}
	return llm.Within(ctx, batchLimit, func(ctx context.Context) ([][]float32,
		error) {
		return s.Embedder.Embed(ctx, texts)
	})
}

// maxTitle is the most code points of a title that are embedded.
const maxTitle = 200

// storeNext stores the passages after a set's, and enqueues the task again unless they are the
// last. It does nothing if the set has changed.
func (s *Service) storeNext(ctx context.Context, tx dbx.Tx, before *model.PassageSet, rows []*model.Passage,
	isLast bool) error {
	set, err := s.lockSame(ctx, tx, before)
	if err != nil || set == nil {
		return err
	}
	if err := insertPassages(ctx, tx, rows); err != nil {
		return err
	}
	set.Stored, set.IsComplete, set.Failures, set.DueAt = set.Stored+len(rows), isLast, 0, s.DB.Now()
	if err := saveSet(ctx, tx, set); err != nil || isLast {
		return err
	}
	return s.enqueueSets(ctx, tx, time.Time{}, set)
}

// The pauses after failures of the model: 10 s, doubled with each up to an hour.
const (
	firstPause   = 10 * time.Second
	longestPause = time.Hour
)

// postponeSet enqueues a set's task again after a pause. It does nothing if the set has changed.
func (s *Service) postponeSet(ctx context.Context, before *model.PassageSet) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		set, err := s.lockSame(ctx, tx, before)
		if err != nil || set == nil {
			return err
		}
		set.DueAt = s.DB.Now().Add(min(firstPause<<min(set.Failures, 10), longestPause))
		set.Failures++
		if err := saveSet(ctx, tx, set); err != nil {
			return err
		}
		return s.enqueueSets(ctx, tx, set.DueAt, set)
	})
}

// lockSame locks and returns a set, or returns nil if it has changed.
func (s *Service) lockSame(ctx context.Context, tx dbx.Tx, before *model.PassageSet) (*model.PassageSet, error) {
	set, err := dbx.NilIfNotFound(s.lockSet(ctx, tx, before.WorkspaceID, before.DocumentID))
	if err != nil || set == nil {
		return nil, err
	}
	if set.Version != before.Version || set.Model != before.Model || set.Stored != before.Stored || set.IsComplete ||
		set.Failures != before.Failures {
		return nil, nil
	}
	return set, nil
}
