package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

const (
	// maxEntries is the number of entries of a listing, the newest, that are compared with known ones.
	maxEntries = 10_000
	// maxForgotten is the number of known entries above which those that left the listing are deleted.
	maxForgotten = 2 * maxEntries
	// firstEntries is the number of entries of which the first poll makes documents.
	firstEntries = 20
	// maxTaken is the number of entries of which one poll makes documents. It bounds the runs that a
	// site costs which gives all its pages new addresses.
	maxTaken = 500
	// deletedEntries is the number of entries that one statement deletes.
	deletedEntries = 500
)

// storeListing stores the new entries of a listing, which wait to become documents, together with the
// version of the listing: an entry is known exactly if the poll that found it was committed.
func (s *Service) storeListing(ctx context.Context, polled *model.Source, found *foundListing) error {
	entries := found.Entries[:min(len(found.Entries), maxEntries)]
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		src, err := s.lockLeased(ctx, tx, polled)
		if err != nil {
			return err
		}
		known, rows, err := knownEntries(ctx, tx, src.ID)
		if err != nil {
			return err
		}
		fresh := newEntries(src, entries, known, s.now().UnixMicro())
		for _, entry := range fresh {
			if entry.IsWaiting {
				src.WaitingCount++
			}
		}
		if err := dbx.InsertRows(ctx, tx, fresh); err != nil {
			return err
		}
		if err := forgetEntries(ctx, tx, src.ID, rows, entries); err != nil {
			return err
		}
		src.EntriesSeen += len(fresh)
		src.ETag, src.LastModified, src.IsKnown = found.version.ETag, found.version.LastModified, true
		src.Kind = kindOf(found.Listing)
		return saveSource(ctx, tx, src)
	})
}

func kindOf(listed *extract.Listing) model.SourceKind {
	switch {
	case listed.IsPage:
		return model.SourceKindPage
	case listed.IsSitemap:
		return model.SourceKindSitemap
	}
	return model.SourceKindFeed
}

// newEntries returns the entries that are not known, the oldest first. Those that shall become
// documents are waiting: the ones whose title fits and, on the first poll, which are among the newest.
func newEntries(src *model.Source, entries []extract.FeedEntry, known map[string]bool,
	position int64) (fresh []*model.SourceEntry) {
	waiting := 0
	for _, e := range entries {
		entry := &model.SourceEntry{SourceID: src.ID, Key: digestOf("url", keyOf(e.URL)), URL: e.URL,
			Published: e.Published, IsWaiting: isWanted(src, e)}
		if e.ID != "" {
			entry.FeedKey = digestOf("id", e.ID)
		}
		if known[entry.Key] || known[entry.FeedKey] {
			continue
		}
		known[entry.Key] = true
		if entry.FeedKey != "" {
			known[entry.FeedKey] = true
		}
		if entry.IsWaiting {
			waiting++
			entry.IsWaiting = src.IsKnown || src.TakesAll || waiting <= firstEntries
		}
		fresh = append(fresh, entry)
	}
	slices.Reverse(fresh)
	for i, entry := range fresh {
		entry.Position = position + int64(i)
	}
	return fresh
}

// digestOf returns a short key of a text of a kind.
func digestOf(kind, text string) string {
	sum := sha256.Sum256([]byte(kind + "\n" + text))
	return hex.EncodeToString(sum[:16])
}

// isWanted reports whether an entry's title fits the words of its source. Without a title its address
// is compared.
func isWanted(src *model.Source, e extract.FeedEntry) bool {
	text := strings.ToLower(e.Title)
	if text == "" {
		text = strings.ToLower(e.URL)
	}
	contains := func(word string) bool { return strings.Contains(text, strings.ToLower(word)) }
	return (len(src.TitleIncludes) == 0 || slices.ContainsFunc(src.TitleIncludes, contains)) &&
		!slices.ContainsFunc(src.TitleExcludes, contains)
}

// forgetEntries deletes known entries that the listing no longer has, if there are many. One that
// comes back is found by its document's address.
func forgetEntries(ctx context.Context, tx dbx.Tx, sourceID string, known []*model.SourceEntry,
	listed []extract.FeedEntry) error {
	if len(known) <= maxForgotten {
		return nil
	}
	isListed := make(map[string]bool, len(listed))
	for _, e := range listed {
		isListed[digestOf("url", keyOf(e.URL))] = true
	}
	var gone []string
	for _, row := range known {
		if !row.IsWaiting && !isListed[row.Key] {
			gone = append(gone, row.Key)
		}
	}
	for keys := range slices.Chunk(gone, deletedEntries) {
		if err := deleteEntries(ctx, tx, sourceID, keys); err != nil {
			return err
		}
	}
	return nil
}
