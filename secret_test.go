package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/testkit"
)

// logged is all that the programs of this package's tests have logged.
var logged = &transcript{}

type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *transcript) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *transcript) has(secret string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.text.Bytes(), []byte(secret))
}

func TestMain(m *testing.M) {
	out := io.MultiWriter(os.Stderr, logged)
	slog.SetDefault(slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	os.Exit(m.Run())
}

// TestSecrets uses every kind of secret, rightly and wrongly, and then looks for them where they must not be.
func TestSecrets(t *testing.T) {
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
		ownerOf(t, a, "ines@example.org")
		b := signedIn(t, a, "ines@example.org")
		token := b.Cookie(t)
		_, key := mint(t, a)
		a.Contract(t, model.PlanPro)
		hook := a.Do(t, "POST", "/api/v1/webhooks", nil, `{"url": "https://127.0.0.1:1/x", "signing": true}`).Want(t, 201)
		signing := field(t, hook, "signing_secret")
		rotated := field(t, a.Do(t, "POST", "/api/v1/webhooks/"+field(t, hook, "id")+"/rotate-secret", nil, "").Want(t, 200), "secret")
		secrets := map[string]string{"signing secret": signing, "rotated signing secret": rotated, "password": password, "session": token, "key": key, "first key": a.Key}
		var answers strings.Builder
		answers.Write(a.Do(t, "GET", "/api/v1/workspace?key="+key+"&X-API-Key="+key, map[string][]string{"X-Api-Key": {""}}, "").Want(t, 401).Body)
		answers.Write(b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, password, password)).Want(t, 401).Body)
		answers.Write(b.Do(t, "POST", authPath, fmt.Sprintf(`{"email": [%q], "password": 1}`, password)).Want(t, 422).Body)
		answers.Write(b.Do(t, "POST", graphPath, `{"query": "{ auditLog { nodes { subjectId details } } keys { name prefix } }"}`).Want(t, 200).Body)
		answers.Write(b.Do(t, "POST", graphPath, fmt.Sprintf(`{"query": %q}`, `{ document(id: "`+key[:20]+`") { id } }`)).Body)
		answers.Write(b.Do(t, "GET", "/api/public/auth/workspaces", "").Want(t, 200).Body)
		answers.Write(a.Do(t, "POST", "/api/v1/webhooks/"+field(t, hook, "id")+"/test", nil, `{"event": "conversion"}`).Want(t, 200).Body)
		answers.Write(b.Do(t, "POST", graphPath, `{"query": "{ webhooks { signed signingSecret } }"}`).Want(t, 200).Body)
		stored := tables(t, a) + redisOf(t, a)
		for kind, secret := range secrets {
			if strings.Contains(answers.String(), secret) {
				t.Errorf("an answer holds the %s", kind)
			}
			if strings.Contains(stored, secret) {
				t.Errorf("the database or Redis holds the %s", kind)
			}
			if logged.has(secret) {
				t.Errorf("the log holds the %s", kind)
			}
		}
	})
}

var created = regexp.MustCompile(`CREATE TABLE (\w+)`)

// tables is all that the database holds, as text.
func tables(t *testing.T, a *testkit.App) string {
	t.Helper()
	address := a.Config.Database
	if address == "" {
		address = a.Config.DataDir + "/rostrum.db"
	}
	db, err := dbx.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	files, err := os.ReadDir("dbx/migrations")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, file := range files {
		steps, err := os.ReadFile("dbx/migrations/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range created.FindAllStringSubmatch(string(steps), -1) {
			var rows []map[string]any
			if err := db.NewSelect().Table(found[1]).Scan(t.Context(), &rows); err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				for name, value := range row {
					fmt.Fprintf(&text, "%s=%s\n", name, value)
				}
			}
		}
	}
	if !strings.Contains(text.String(), "ines@example.org") {
		t.Error("the tables were not read")
	}
	return text.String()
}

// redisOf is all that a shared Redis holds of the app; an embedded one is gone with its process.
func redisOf(t *testing.T, a *testkit.App) string {
	t.Helper()
	if a.Config.Redis == "" {
		return ""
	}
	options, err := redis.ParseURL(a.Config.Redis)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	var text strings.Builder
	keys := client.Scan(t.Context(), 0, "*"+a.Config.Namespace+"*", 1000).Iterator()
	for keys.Next(t.Context()) {
		text.WriteString(keys.Val() + client.Get(t.Context(), keys.Val()).Val() + "\n")
	}
	if !strings.Contains(text.String(), "session:") {
		t.Error("Redis was not read")
	}
	return text.String()
}
