package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/live"
	"rostrum/platform/slot"
)

// doctorCommand checks what the settings name, and says how to mend it.
type doctorCommand struct {
	JSON bool `name:"json" help:"Print the findings as JSON."`
}

// findingStatus is how bad a finding is.
type findingStatus string

// The values of findingStatus. A warning does not prevent service.
const (
	findingOK      findingStatus = "ok"
	findingWarning findingStatus = "warning"
	findingFailed  findingStatus = "failed"
)

// finding is what a check has found, and what to do about it; Remedy is empty if nothing is to be done.
type finding struct {
	Check   string        `json:"check"`
	Status  findingStatus `json:"status"`
	Message string        `json:"message"`
	Remedy  string        `json:"remedy,omitempty"`
}

const (
	// doctorTime limits each check.
	doctorTime = 10 * time.Second
	// maxClockDifference is by how much the clocks of this machine and of the database may differ before
	// it is a warning.
	maxClockDifference = 2 * time.Second
)

// Run prints what the checks have found. It returns an error if one of them has failed.
func (c doctorCommand) Run(ctx context.Context, config Config) error {
	findings := examine(ctx, config)
	if err := c.print(os.Stdout, findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.Status == findingFailed {
			return errs.New(errs.Unavailable, "a check has failed")
		}
	}
	return nil
}

func (c doctorCommand) print(out io.Writer, findings []finding) error {
	if c.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(findings)
	}
	for _, f := range findings {
		if _, err := fmt.Fprintf(out, "%-8s %-10s %s\n", f.Status, f.Check, f.Message); err != nil {
			return err
		}
		if f.Remedy != "" {
			fmt.Fprintf(out, "%19s→ %s\n", "", f.Remedy)
		}
	}
	return nil
}

// examine runs all checks. Each has doctorTime.
func examine(ctx context.Context, config Config) []finding {
	var out []finding
	for _, check := range []func(context.Context, Config) []finding{
		checkFolder, checkDatabase, checkRedis, checkFiles, checkSealKey, checkPublicURL, checkModel, checkTools,
	} {
		limited, cancel := context.WithTimeout(ctx, doctorTime)
		out = append(out, check(limited, config)...)
		cancel()
	}
	return out
}

func checkFolder(_ context.Context, config Config) []finding {
	err := makeDataDir(config.DataDir)
	if err == nil {
		err = checkWritable(config.DataDir)
	}
	if err != nil {
		return []finding{{"data", findingFailed, "the data directory cannot be written: " + err.Error(),
			"let this user write " + config.DataDir + ", free space on its disk, or set ROSTRUM_DATA_DIR"}}
	}
	return []finding{{"data", findingOK, config.DataDir + " can be written", ""}}
}

func checkDatabase(ctx context.Context, config Config) []finding {
	db, err := dbx.Open(ctx, config.databaseAddress(), slot.New)
	if err != nil {
		return []finding{{"database", findingFailed, err.Error(),
			"start the database, or correct DATABASE_URL: its user, password, host and name"}}
	}
	defer func() { _ = db.Close() }() // it was only read
	pending, err := db.Pending(ctx)
	if err != nil {
		return []finding{{"database", findingFailed, err.Error(), "let the user of DATABASE_URL create tables"}}
	}
	out := []finding{{"database", findingOK, "it answers, and its schema is that of this release", ""}}
	if len(pending) > 0 {
		out[0] = finding{"database", findingWarning, fmt.Sprintf("%d migrations are missing", len(pending)),
			"rostrum migrate applies them, and so does the next start"}
	}
	return append(out, clockFinding(time.Until(db.Now())))
}

func clockFinding(ahead time.Duration) finding {
	ahead = ahead.Round(time.Millisecond)
	if ahead.Abs() > maxClockDifference {
		return finding{"clock", findingWarning, fmt.Sprintf("the database's clock is %s ahead of this machine's", ahead),
			"synchronize both clocks, for example with chrony"}
	}
	return finding{"clock", findingOK, fmt.Sprintf("the database's clock is %s ahead of this machine's", ahead), ""}
}

func checkRedis(ctx context.Context, config Config) []finding {
	if config.Redis == "" {
		status, remedy := findingOK, ""
		if config.Database != "" {
			status, remedy = findingWarning, "set REDIS_URL if several processes share the database"
		}
		return []finding{{"redis", status, "each process has a Redis of its own", remedy}}
	}
	redis, err := live.Open(ctx, live.Config{Address: config.Redis, Namespace: config.Namespace})
	if err == nil {
		defer func() { _ = redis.Close() }()
		err = redis.Client().Ping(ctx).Err()
	}
	if err != nil {
		return []finding{{"redis", findingFailed, "it does not answer: " + err.Error(),
			"start Redis, or correct REDIS_URL; without it signed-in users wait and live streams read the database"}}
	}
	return []finding{{"redis", findingOK, "it answers", ""}}
}

// checkFiles writes, reads and deletes a file where originals are stored.
func checkFiles(ctx context.Context, config Config) []finding {
	files, err := blob.Open(ctx, config.BlobURL, filepath.Join(config.DataDir, "blobs"))
	if err == nil {
		defer func() { _ = files.Close() }()
		key, content := "doctor/"+model.NewID("chk"), []byte("rostrum doctor")
		if err = files.Put(ctx, key, "text/plain", bytes.NewReader(content)); err == nil {
			var found []byte
			if found, err = files.Read(ctx, key); err == nil && !bytes.Equal(found, content) {
				err = errors.New("a file has another content than was written")
			}
			err = errors.Join(err, files.Delete(ctx, key))
		}
	}
	if err != nil {
		return []finding{{"files", findingFailed, "files cannot be stored: " + err.Error(),
			"correct ROSTRUM_BLOB_URL and the credentials of its server, which must allow to put, get and delete objects"}}
	}
	if config.BlobURL == "" && config.Database != "" {
		return []finding{{"files", findingWarning, "files are stored in the data directory",
			"set ROSTRUM_BLOB_URL, or share the folder blobs, if gateways run on several machines"}}
	}
	return []finding{{"files", findingOK, "files can be written, read and deleted", ""}}
}

func checkSealKey(_ context.Context, config Config) []finding {
	if config.SealKey == "" && config.Database != "" {
		return []finding{{"seal key", findingWarning, "the key that encrypts secrets is a file of the data directory",
			"set the same ROSTRUM_SEAL_KEY for all processes, and back it up"}}
	}
	return []finding{{"seal key", findingOK, "secrets are encrypted; back up the key", ""}}
}

func checkPublicURL(_ context.Context, config Config) []finding {
	if config.PublicURL == "" {
		return []finding{{"address", findingWarning, "short links and mails have the listen address " + config.Addr,
			"set ROSTRUM_PUBLIC_URL to the address by which people reach this gateway"}}
	}
	return []finding{{"address", findingOK, "short links and mails have " + config.PublicURL, ""}}
}

func checkModel(_ context.Context, config Config) []finding {
	if config.LLMBaseURL == "" {
		return []finding{{"model", findingWarning, "texts come from the offline engine, which extracts and does not write",
			"set LLM_BASE_URL and LLM_MODEL; docs/models.md has examples"}}
	}
	return []finding{{"model", findingOK, config.LLMModel + " of " + config.LLMBaseURL + "; it was not called", ""}}
}

func checkTools(_ context.Context, config Config) []finding {
	out := []finding{{"pictures", findingOK, "tesseract recognizes text", ""}, {"fonts", findingOK, config.Fonts + " can be read", ""}}
	if extract.FindTesseract() == nil {
		out[0] = finding{"pictures", findingWarning, "text in pictures is not recognized without tesseract", "install the Debian package tesseract-ocr, or use a model that reads images"}
	}
	if _, err := os.ReadDir(config.Fonts); err != nil {
		out[1] = finding{"fonts", findingWarning, "PDFs show boxes for some scripts, such as Thai: " + err.Error(), "install the fonts, and set ROSTRUM_FONT_DIR"}
	}
	return out
}
