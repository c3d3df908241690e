package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // opens s3://
	"gocloud.dev/gcerrors"

	"rostrum/errs"
	"rostrum/platform/web"
)

// Store reads and writes blobs. It is safe for concurrent use.
type Store struct {
	bucket *blob.Bucket
	folder string // of a store on this machine, and empty for a bucket
}

// Reader reads a blob from any position. The end of the context of Open ends it.
type Reader interface {
	io.ReadSeekCloser
	ModTime() time.Time
	Size() int64
}

// Open opens the store of an address, for example s3://bucket?endpoint=https://s3.example:9000, or
// that of the folder if the address is empty. A folder is created with the first blob. It returns an
// error for an address that is neither s3:// nor file://.
func Open(ctx context.Context, address, folder string) (*Store, error) {
	if address == "" {
		return openFolder(folder)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("open the store of files: %w", err)
	}
	switch parsed.Scheme {
	case fileblob.Scheme:
		return openFolder(filepath.FromSlash(parsed.Path))
	case "s3":
	default:
		return nil, fmt.Errorf("open the store of files: %s:// is not supported: use s3:// or file://", parsed.Scheme)
	}
	bucket, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("open the store of files: %w", err)
	}
	return &Store{bucket: bucket}, nil
}

func openFolder(folder string) (*Store, error) {
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{
		CreateDir: true, DirFileMode: 0o700, NoTempDir: true, Metadata: fileblob.MetadataDontWrite,
	})
	if err != nil {
		return nil, fmt.Errorf("open the store of files: %w", err)
	}
	return &Store{bucket: bucket, folder: folder}, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.bucket.Close() }

// Put stores a blob and returns when it is on disk, or in the bucket. It returns unavailable on a
// full disk and if the bucket does not answer.
func (s *Store) Put(ctx context.Context, key, mediaType string, body io.Reader) error {
	err := s.bucket.Upload(ctx, key, body, &blob.WriterOptions{ContentType: mediaType})
	if err == nil && s.folder != "" {
		err = s.keep(key)
	}
	return storeError(err, "the file cannot be stored")
}

// keep makes a file readable for this user only, and waits until it and its name are on disk.
func (s *Store) keep(key string) error {
	path := filepath.Join(s.folder, filepath.FromSlash(key))
	return errors.Join(os.Chmod(path, 0o600), syncPath(path), syncPath(filepath.Dir(path)))
}

func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// Open returns a reader of a blob, which the caller closes. It returns not_found if there is none,
// and unavailable if the bucket does not answer.
func (s *Store) Open(ctx context.Context, key string) (Reader, error) {
	reader, err := s.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, storeError(err, "the file cannot be read")
	}
	return reader, nil
}

// Stat returns the size of a blob and when it was stored, with the same errors as Open.
func (s *Store) Stat(ctx context.Context, key string) (size int64, storedAt time.Time, err error) {
	found, err := s.bucket.Attributes(ctx, key)
	if err != nil {
		return 0, time.Time{}, storeError(err, "the file cannot be read")
	}
	return found.Size, found.ModTime, nil
}

// Read returns a blob with the same errors as Open.
func (s *Store) Read(ctx context.Context, key string) ([]byte, error) {
	body, err := s.bucket.ReadAll(ctx, key)
	return body, storeError(err, "the file cannot be read")
}

// Delete deletes a blob; one that does not exist is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	err := s.bucket.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return storeError(err, "the file cannot be deleted")
}

// DeleteAll deletes the blobs whose keys have the prefix.
func (s *Store) DeleteAll(ctx context.Context, prefix string) error {
	return s.each(ctx, prefix, func(o *blob.ListObject) error { return s.Delete(ctx, o.Key) })
}

// OrphanAge is the age from which a blob without a row is deleted. Every transaction and job that
// could still store its row has ended by then.
const OrphanAge = 24 * time.Hour

// sweepBatch is how many keys Sweep passes on at once.
const sweepBatch = 500

// Sweep deletes the blobs with the prefix that are older than the time and of which unused returns
// the keys, and returns their number. unused gets at most 500 keys at once.
func (s *Store) Sweep(ctx context.Context, prefix string, before time.Time,
	unused func(ctx context.Context, keys []string) ([]string, error)) (deleted int, err error) {
	var keys []string
	flush := func() error {
		if len(keys) == 0 {
			return nil
		}
		drop, err := unused(ctx, keys)
		keys = keys[:0]
		for _, key := range drop {
			if err := s.Delete(ctx, key); err != nil {
				return err
			}
			deleted++
		}
		return err
	}
	err = s.each(ctx, prefix, func(o *blob.ListObject) error {
		if o.ModTime.Before(before) {
			keys = append(keys, o.Key)
		}
		if len(keys) < sweepBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return deleted, err
}

// Each calls do with the key of each blob.
func (s *Store) Each(ctx context.Context, do func(key string) error) error {
	return s.each(ctx, "", func(o *blob.ListObject) error { return do(o.Key) })
}

// each calls do for each blob with the prefix.
func (s *Store) each(ctx context.Context, prefix string, do func(*blob.ListObject) error) error {
	list := s.bucket.List(&blob.ListOptions{Prefix: prefix})
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return storeError(err, "the files cannot be listed")
		}
		if err := do(object); err != nil {
			return err
		}
	}
}

// storeError returns the error of a store as callers know it.
func storeError(err error, sentence string) error {
	switch code := gcerrors.Code(err); {
	case err == nil:
		return nil
	case code == gcerrors.NotFound:
		return errs.Wrap(err, errs.NotFound, "the file is not there any more")
	case code == gcerrors.Canceled, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrInvalid):
		return errs.Wrap(err, errs.Internal, "%s", sentence)
	}
	if disk := web.DiskError(err, sentence); disk.Code == errs.Unavailable {
		return disk
	}
	return errs.Wrap(err, errs.Unavailable, "%s; try again later", sentence)
}
