package document

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text/search"
	"rostrum/model"
	"rostrum/model/optional"
)

// wordRow is a word of a workspace's texts with one of its stems. The words of texts that are gone
// remain.
type wordRow struct {
	bun.BaseModel `bun:"table:document_word"`

	WorkspaceID string `bun:"workspace_id,pk"`
	Form        string `bun:"form,pk"`
	Language    string `bun:"language,pk"`
	Stem        string `bun:"stem,pk"`
	Reversed    string `bun:"reversed"`
}

// indexVersion is the version of a document's index; indexVersionExpr the same in a statement.
func indexVersion(doc *model.Document) string {
	return versionPrefix + optional.ValueOr(doc.Language, "") + ":" + versionOf(doc)
}

var versionPrefix = strconv.Itoa(search.Version) + ":"

const indexVersionExpr = "? || coalesce(document.language, '') || ':' || document.version"

// indexKey is the key of the texts that a transaction indexes before its commit.
type indexKey struct{}

// index indexes the text of a document as the last work of the transaction, because many
// transactions add the same words to the list.
func (s *Service) index(tx dbx.Tx, doc *model.Document) {
	tx.BeforeOthers(indexKey{}, doc, func(ctx context.Context, tx dbx.Tx, values []any) error {
		words := map[wordRow]struct{}{}
		for _, value := range values {
			doc := value.(*model.Document) //nolint:forcetypeassert // of index alone
			if err := s.indexText(ctx, tx, doc, words); err != nil {
				return err
			}
		}
		return insertWords(ctx, tx, words)
	})
}

// indexText indexes the text of a document and adds its words to the others.
func (s *Service) indexText(ctx context.Context, tx dbx.Tx, doc *model.Document, words map[wordRow]struct{}) error {
	found := search.Analyze(doc.Title, optional.ValueOr(doc.Content, ""), optional.ValueOr(doc.Language, ""))
	for _, word := range found.Words {
		words[wordRow{WorkspaceID: doc.WorkspaceID, Form: word.Form, Language: word.Language, Stem: word.Stem,
			Reversed: word.Reversed()}] = struct{}{}
	}
	return s.db.IndexText(ctx, tx, "document", dbx.IndexedText{ID: doc.ID, WorkspaceID: doc.WorkspaceID,
		Version: indexVersion(doc), Title: found.Title, Content: found.Content})
}

// insertedWords is the number of words of one statement.
const insertedWords = 500

// insertWords adds words to the lists. The order is the same in all transactions, so that they do
// not wait for each other in a circle.
func insertWords(ctx context.Context, tx dbx.Tx, words map[wordRow]struct{}) error {
	rows := make([]*wordRow, 0, len(words))
	for word := range words {
		rows = append(rows, &word)
	}
	slices.SortFunc(rows, func(a, b *wordRow) int {
		return slices.Compare([]string{a.WorkspaceID, a.Form, a.Language, a.Stem},
			[]string{b.WorkspaceID, b.Form, b.Language, b.Stem})
	})
	for batch := range slices.Chunk(rows, insertedWords) {
		if err := insertBatch(ctx, tx, batch); err != nil {
			return err
		}
	}
	return nil
}

func insertBatch(ctx context.Context, tx dbx.Tx, rows []*wordRow) error {
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT DO NOTHING").Exec(ctx)
	return dbx.Err(err)
}

const (
	// indexBatch is the number of documents that are indexed in one transaction, and indexRunes
	// limits the length of their texts together unless it is one.
	indexBatch, indexRunes = 50, 2_000_000
	indexPause             = 5 * time.Minute // between two searches for documents that are not indexed
)

// runIndex indexes the documents that no index has, at first and every five minutes, until the
// context ends: those stored before there was one, or by another version of the program.
func (s *Service) runIndex(ctx context.Context) {
	for next := ""; ; {
		err := errs.CatchPanic(func() (err error) {
			next, err = s.indexMissing(ctx, "", next)
			return err
		})()
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "cannot index documents", "error", err)
		}
		if next != "" && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(indexPause):
		}
	}
}

// unindexed selects the documents without a current index, of a workspace or of all.
func (s *Service) unindexed(db dbx.Reader, workspaceID string) *bun.SelectQuery {
	q := db.NewSelect().Model((*model.Document)(nil)).
		Join("LEFT JOIN document_index ON document_index.document_id = document.id").
		Where("document_index.version IS NULL OR document_index.version <> "+indexVersionExpr, versionPrefix)
	if workspaceID != "" {
		q = q.Where("document.workspace_id = ?", workspaceID)
	}
	return q
}

// indexMissing indexes a batch of documents without a current index: the last ones by id, of those
// before an id unless it is empty. It returns the id before which there may be more, or "". Each is
// locked, so that its text cannot change meanwhile.
func (s *Service) indexMissing(ctx context.Context, workspaceID, before string) (next string, err error) {
	var found []*model.Document
	missing := s.unindexed(s.db, workspaceID).Column("document.id", "document.workspace_id", "document.character_count")
	if before != "" {
		missing = missing.Where("document.id < ?", before)
	}
	err = missing.Order("document.id DESC").Limit(indexBatch).Scan(ctx, &found)
	if err != nil || len(found) == 0 {
		return "", dbx.Err(err)
	}
	batch := found[:1]
	for runes := optional.ValueOr(found[0].CharacterCount, 0); len(batch) < len(found); {
		next := found[len(batch)]
		if runes += optional.ValueOr(next.CharacterCount, 0); runes > indexRunes {
			break
		}
		batch = found[:len(batch)+1]
	}
	if len(found) == indexBatch || len(batch) < len(found) {
		next = batch[len(batch)-1].ID
	}
	slices.SortFunc(batch, func(a, b *model.Document) int { return strings.Compare(a.ID, b.ID) })
	return next, s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		for _, one := range batch {
			doc, err := dbx.NilIfNotFound(s.FindForUpdate(ctx, tx, one.WorkspaceID, one.ID, "id", "workspace_id", "title",
				"content", "language", "version"))
			if err != nil {
				return err
			}
			if doc == nil {
				continue
			}
			if err := setVersion(ctx, tx, doc); err != nil {
				return err
			}
			s.index(tx, doc)
		}
		return nil
	})
}

// compareIndex returns the difference between the documents and the indexed ones. It indexes the
// others if repair is set.
func (s *Service) compareIndex(ctx context.Context, workspaceID string, repair bool) ([]*model.CountDifference, error) {
	missing, err := s.unindexed(s.db, workspaceID).Count(ctx)
	if err != nil || missing == 0 {
		return nil, dbx.Err(err)
	}
	all, err := s.db.NewSelect().Model((*model.Document)(nil)).Where("workspace_id = ?", workspaceID).Count(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	found := []*model.CountDifference{{WorkspaceID: workspaceID, Subject: "document_index", Stored: int(all - missing),
		Counted: int(all)}}
	for next := ""; repair; {
		if next, err = s.indexMissing(ctx, workspaceID, next); err != nil || next == "" {
			return found, err
		}
	}
	return found, nil
}
