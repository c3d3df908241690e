// Package buckettest starts a server that speaks S3 for tests.
package buckettest

import (
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Start starts a server with a bucket until the test ends or stop is called, and returns the address
// of the bucket as an operator configures it.
func Start(t testing.TB) (address string, stop func()) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	return "s3://files?region=us-east-1&use_path_style=true&response_checksum_validation=when_required&endpoint=" +
		url.QueryEscape(server.URL), server.Close
}
