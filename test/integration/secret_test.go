package integration

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"rostrum/app"
	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/repo"
)

// logOutput is the log of all apps of this package's tests.
var logOutput = &logRecorder{}

type logRecorder struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logRecorder) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logRecorder) has(secret string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.text.Bytes(), []byte(secret))
}

func TestMain(m *testing.M) {
	app.ServeExtraction()
	out := io.MultiWriter(os.Stderr, logOutput)
	slog.SetDefault(slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	os.Exit(m.Run())
}

// TestSecrets uses every kind of secret, valid and invalid, and searches responses, logs, the
// database and Redis for them.
func TestSecrets(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		b := newSignedIn(t, a, "ines@example.org")
		token := b.Cookie(t)
		_, key := createKey(t, a)
		a.SetWorkspacePlan(t, model.PlanPro)
		hook := a.Do(t, "POST", "/api/v1/webhooks", nil, `{"url": "https://127.0.0.1:1/x", "signing": true}`).
			Want(t, 201)
		signing := field(t, hook, "signing_secret")
		rotated := field(t, a.Do(t, "POST", "/api/v1/webhooks/"+field(t, hook, "id")+"/rotate-secret", nil, "").
			Want(t, 200), "secret")
		secrets := map[string]string{"signing secret": signing, "rotated signing secret": rotated, "password": password,
			"session": token, "key": key, "first key": a.Key, "password of a link": "Tide-and-tables-26"}
		var answers strings.Builder
		answers.Write(a.Do(t, "GET", "/api/v1/workspace?key="+key+"&X-API-Key="+key,
			map[string][]string{"X-Api-Key": {""}}, "").Want(t, 401).Body)
		answers.Write(b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, password, password)).Want(t, 401).Body)
		answers.Write(b.Do(t, "POST", authPath, fmt.Sprintf(`{"email": [%q], "password": 1}`, password)).Want(t, 422).
			Body)
		answers.Write(b.Do(t, "POST", graphPath, `{"query": "{ auditLog { nodes { subjectId details } } keys { nodes { name prefix } } }"}`).Want(t, 200).Body)
		answers.Write(b.Do(t, "POST", graphPath, fmt.Sprintf(`{"query": %q}`, `{ document(id: "`+key[:20]+
			`") { id } }`)).Body)
		answers.Write(b.Do(t, "GET", "/api/public/auth/workspaces", "").Want(t, 200).Body)
		answers.Write(a.Do(t, "POST", "/api/v1/webhooks/"+field(t, hook, "id")+"/test", nil, `{"event": "conversion"}`).
			Want(t, 200).Body)
		answers.Write(b.Do(t, "POST", graphPath, `{"query": "{ webhooks { nodes { signed signingSecret } } }"}`).
			Want(t, 200).Body)
		answers.WriteString(useLinkPassword(t, a, secrets["password of a link"]))
		stored := readTables(t, a) + readRedis(t, a)
		for kind, secret := range secrets {
			if strings.Contains(answers.String(), secret) {
				t.Errorf("a response contains the %s", kind)
			}
			if strings.Contains(stored, secret) {
				t.Errorf("the database or Redis contains the %s", kind)
			}
			if logOutput.has(secret) {
				t.Errorf("the log contains the %s", kind)
			}
		}
	})
}

// useLinkPassword creates, changes and opens a link with a password, and returns the responses.
func useLinkPassword(t *testing.T, a *kit.App, password string) string {
	t.Helper()
	body := fmt.Sprintf(`{"destination_url": "https://example.com/", "slug": "secret", "password": %q}`, password)
	once := func() *kit.Response {
		return a.Do(t, "POST", "/api/v1/links", http.Header{"Idempotency-Key": {"a-link"}}, body).Want(t, 201)
	}
	v := &linkViewer{app: a, agent: chrome}
	responses := []*kit.Response{once(), once()}
	for given, status := range map[string]int{password + "x": 403, password: 200} {
		responses = append(responses, v.do(t, "POST", "/l/secret", "password="+given, urlencoded).Want(t, status))
	}
	responses = append(responses, a.Do(t, "PATCH", "/api/v1/links/"+field(t, responses[0], "id"), nil,
		fmt.Sprintf(`{"password": %q}`, password)).Want(t, 200))
	var text strings.Builder
	for _, r := range responses {
		fmt.Fprintf(&text, "%v %s\n", r.Header, r.Body)
	}
	return text.String()
}

var (
	created      = regexp.MustCompile(`CREATE TABLE (\w+) \(`) // a partition is read with its table
	droppedTable = regexp.MustCompile(`DROP TABLE \w+`)
)

// readTables returns the content of all tables as text.
func readTables(t *testing.T, a *kit.App) string {
	t.Helper()
	db := a.OpenDB(t)
	folder := repo.Path("dbx", "migrations")
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var text, schema strings.Builder
	for _, file := range files {
		steps, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		schema.Write(steps)
	}
	dropped := droppedTable.FindAllString(schema.String(), -1)
	for _, found := range created.FindAllStringSubmatch(schema.String(), -1) {
		if !slices.Contains(dropped, "DROP TABLE "+found[1]) {
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

// readRedis returns all values of the app in a shared Redis; an embedded Redis ends with its
// process.
func readRedis(t *testing.T, a *kit.App) string {
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
