package app

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/brand"
	"rostrum/domain/bulk"
	"rostrum/domain/content"
	"rostrum/domain/event"
	"rostrum/domain/house"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/operation"
	"rostrum/domain/search"
	"rostrum/graph/policy"
	houserules "rostrum/llm/text/house"
	"rostrum/model"
	"rostrum/platform/idempotency"
)

// figureReader reads the figures of SECURITY.md from the program.
type figureReader struct{ t *testing.T }

// setting returns the default of a setting.
func (r figureReader) setting(name string) string {
	r.t.Helper()
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if field.Tag.Get("env") == name {
			return field.Tag.Get("envDefault")
		}
	}
	r.t.Fatalf("there is no setting %s", name)
	return ""
}

// duration returns the default of a setting that is a duration.
func (r figureReader) duration(setting string) time.Duration {
	r.t.Helper()
	d, err := time.ParseDuration(r.setting(setting))
	if err != nil {
		r.t.Fatalf("%s: %v", setting, err)
	}
	return d
}

// constant returns a constant of a file of the program, or a member that a variable's composite
// literal sets. Durations are nanoseconds.
func (r figureReader) constant(file, name string) int {
	r.t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash("../"+file), nil,
		parser.SkipObjectResolution)
	if err != nil {
		r.t.Fatal(err)
	}
	name, member, _ := strings.Cut(name, ".")
	value := 0
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			if n.Names[0].Name == name && len(n.Values) == 1 && member == "" {
				value = evaluate(n.Values[0])
			}
			return n.Names[0].Name == name
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == member {
				value = evaluate(n.Value)
			}
		}
		return true
	})
	if value == 0 {
		r.t.Fatalf("%s has no constant %s %s", file, name, member)
	}
	return value
}

// evaluate returns the value of a product, a shift or a number. Factors for the race detector are
// 1.
func evaluate(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.BasicLit:
		n, _ := strconv.ParseInt(e.Value, 0, 64)
		return int(n)
	case *ast.BinaryExpr:
		if e.Op == token.SHL {
			return evaluate(e.X) << evaluate(e.Y)
		}
		return evaluate(e.X) * evaluate(e.Y)
	case *ast.SelectorExpr:
		return int(map[string]time.Duration{"Second": time.Second, "Minute": time.Minute,
			"Hour": time.Hour}[e.Sel.Name])
	case *ast.Ident:
		return map[string]int{"raceMemory": 1, "raceFactor": 1}[e.Name]
	}
	return 0
}

// inSeconds, inKilobytes, inMegabytes and inThousands write figures as SECURITY.md does.
func inSeconds(d time.Duration) string { return fmt.Sprintf("%d s", int(d.Seconds())) }
func inKilobytes(bytes int) string     { return fmt.Sprintf("%d KB", bytes>>10) }
func inMegabytes(bytes int) string     { return fmt.Sprintf("%d MB", bytes>>20) }
func inThousands(n int) string {
	text := strconv.Itoa(n)
	if len(text) > 3 {
		return text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return text
}

// requestFigures returns the limits of requests and responses.
func (r figureReader) requestFigures() map[string]string {
	l, public := policy.Limits{}.WithDefaults(), r.constant("rest/body.go", "maxPublicBody")
	if r.constant("graph/transport/handler.go", "maxPublicBody") != public ||
		int64(r.constant("rest/body.go", "maxBody")) != l.Body {
		r.t.Error("the limits of bodies of REST and of the graph differ")
	}
	query, window := r.duration("ROSTRUM_QUERY_TIME"), time.Duration(r.constant("platform/web/pace_body.go", "window"))
	return map[string]string{
		"requests of a key or user":            r.setting("ROSTRUM_RATE_PER_KEY") + " a minute",
		"requests of an address without a key": r.setting("ROSTRUM_RATE_PER_ADDRESS") + " a minute",
		"new viewer sessions of an address":    r.setting("ROSTRUM_SESSIONS_PER_ADDRESS") + " a minute",
		"failed sign-ins with a password for an email: from one address, from all addresses without an earlier sign-in": r.attempts(
			"perPair") + ", " + r.attempts("perEmail"),
		"attempts of an address to sign in":                          r.attempts("perAddress"),
		"links for a forgotten password that are mailed to an email": r.attempts("perForgotten"),
		"mails of a workspace": fmt.Sprintf("%d in 24 hours of each kind; each is tried for %d hours",
			r.constant("domain/mail/mail.go", "maxPerDay"),
			int(time.Duration(r.constant("domain/mail/mail.go", "retryTime")).Hours())),
		"alerts to a member by mail": fmt.Sprintf("one in %d minutes, with %d lines",
			int(time.Duration(r.constant("domain/notice/run.go", "alertInterval")).Minutes()),
			r.constant("domain/notice/compose.go", "maxLines")),
		"passwords for a link with one: from one address, wrong ones from all addresses": r.attempts("perPair") + ", " +
			r.attempts("perLink"),
		"time without another password for a link": fmt.Sprintf("%d hours",
			int(time.Duration(r.constant("domain/link/password.go", "unlockedTime")).Hours())),
		"life of an invite's link, of a link that sets a password, and of a session of a user": fmt.Sprintf(
			"%s, %d hours, %s", r.days("invite.go", "inviteLife"),
			int(time.Duration(r.constant("domain/account/reset.go", "resetLife")).Hours()),
			r.days("session.go", "sessionLife")),
		"invites of a workspace that nobody has accepted": strconv.Itoa(r.constant("domain/account/invite.go",
			"maxInvites")),
		"header of a request":                  inKilobytes(maxHeader),
		"body without a key, and of a sign-in": inKilobytes(public),
		"body with a key":                      inMegabytes(int(l.Body)) + "; uploads have their own limit",
		"values and levels of a JSON body": fmt.Sprintf("%s and %d",
			inThousands(r.constant("platform/web/json.go", "maxValues")),
			r.constant("platform/web/json.go", "maxDepth")),
		"variables of a form of the graph that are files": strconv.Itoa(r.constant("graph/transport/multipart.go",
			"maxFilePaths")),
		"rate of a body": inKilobytes(r.constant("platform/web/pace_body.go",
			"minBytes")) + " in " + inSeconds(window),
		"concurrent requests on a connection of HTTP/2":  strconv.Itoa(maxStreams),
		"time of a write to a client that does not read": inSeconds(2 * window),
		"concurrent streams (subscriptions, event streams) of a key or user, of a workspace, of a process": fmt.Sprintf(
			"%s, %s and %s", r.setting("ROSTRUM_STREAMS_PER_KEY"), r.setting("ROSTRUM_STREAMS_PER_WORKSPACE"),
			inThousands(l.AllStreams)),
		"text in a response of a stream": inKilobytes(l.StreamText) +
			"; a longer one is an error and is read by a query; streams that write a text send all of it",
		"responses of streams that are not yet written": fmt.Sprintf(
			"a part in %d of the memory, a quarter of that for a workspace; further ones wait", frameMemory),
		"filters of `documentChanges` of a workspace in a process": strconv.Itoa(event.MaxFilters) +
			", each searched once for a change",
		"bodies of requests that are not answered": fmt.Sprintf("a part in %d of the memory, half of that for a workspace; JSON counts %d times; further ones get a 503 before they are read",
			bodyMemory, r.constant("platform/web/budget.go", "jsonCopies")),
		"time of a query": inSeconds(query),
		"time of a query that searches passages": inSeconds(l.Mutation) +
			", in which it compares all vectors of the workspace",
		"time of an authentication": inSeconds(credentialQueries * query),
		"text of a GraphQL operation": fmt.Sprintf("%s and %s tokens", inKilobytes(l.Text),
			inThousands(l.Tokens)),
		"introspection": inThousands(l.Introspection) + " fields",
		"response of the graph, and the texts that a query reads for it": inMegabytes(l.Answer),
		"texts of queries that are not answered": fmt.Sprintf(
			"a part in %d of the memory, half of that for a workspace; further ones get a 503", queryMemory),
		"listed errors": strconv.Itoa(l.Errors),
		"cached parsed operations": fmt.Sprintf("%s with together %s of text",
			inThousands(r.constant("graph/policy/document.go", "cachedDocuments")),
			inMegabytes(r.constant("graph/policy/document.go", "cachedBytes"))),
		"texts of a page of documents": inMegabytes(dbx.MaxPageText),
		"stored response of an `Idempotency-Key`": fmt.Sprintf("%s, for %d hours",
			inKilobytes(r.constant("platform/idempotency/idempotency.go", "maxResponse")),
			int(idempotency.Retention.Hours())),
	}
}

// days returns a constant of package account that is a duration of days.
func (r figureReader) days(file, name string) string {
	return fmt.Sprintf("%d days", int(time.Duration(r.constant("domain/account/"+file, name)).Hours())/24)
}

// attempts returns a limit of sign-in attempts.
func (r figureReader) attempts(limit string) string {
	const file = "domain/account/attempt.go"
	return fmt.Sprintf("%d in %d minutes", r.constant(file, limit+".Burst"),
		int(time.Duration(r.constant(file, limit+".Period")).Minutes()))
}

// workFigures returns the limits of stored data and of work.
func (r figureReader) workFigures() map[string]string {
	if r.duration("ROSTRUM_SESSION_RETENTION") != 365*24*time.Hour {
		r.t.Error("viewer sessions are not stored for a year")
	}
	const limits = "domain/ingest/extract/limit.go"
	return map[string]string{
		"retention of viewer sessions": "a year",
		"concurrent transactions of a workspace": strconv.Itoa(
			r.constant("dbx/dbx.go", "maxTenantSlots")),
		"concurrent queries, and concurrent mutations, of a workspace in a process": fmt.Sprintf(
			"%d for each processor; further ones wait within their time limit",
			r.constant("graph/policy/extension.go", "operationsPerProcessor")),
		fmt.Sprintf("concurrent analyses and exports of texts over %d KB of a workspace in a process",
			r.constant("platform/slot/compute.go", "longText")/1000): "one for every two processors",
		"connections to a server": fmt.Sprintf("%d, a quarter of them for reads only",
			r.constant("dbx/dialect.go", "defaultConns")),
		"comments on a draft": fmt.Sprintf("%s, each with %d replies", strconv.Itoa(content.MaxComments/1000)+",000",
			content.MaxReplies),
		"saved searches of a workspace": strconv.Itoa(search.MaxSearches) + ", each searched once for a change",
		"logo of a brand": fmt.Sprintf("%s as it is sent and as it is stored, %d pixels in width and height",
			inMegabytes(brand.MaxLogoSize), brand.MaxLogoSide),
		"house rules of a workspace, characters of a rule, and time of a check": fmt.Sprintf("%d, %s and 5 seconds",
			house.MaxRules, inThousands(houserules.MaxSource)),
		"versions of front ends of a workspace, operations of a version, and texts of all": fmt.Sprintf("%d, %s and %s",
			operation.MaxVersions, inThousands(operation.MaxOperations), inMegabytes(operation.MaxBytes)),
		"bulk queries, and bulk mutations, of a workspace at the same time": fmt.Sprintf("1; a process works on %d", bulk.Workers),
		"file of a bulk job, a line of it, and files that a workspace keeps": fmt.Sprintf(
			"%d GB, %s and %d GB for %d days; the oldest are deleted", bulk.MaxFile>>30, inMegabytes(bulk.MaxLine), bulk.MaxKept>>30,
			bulk.Retention/(24*time.Hour)),
		"inputs of a bulk mutation": fmt.Sprintf("%s, %s lines of %s", inMegabytes(bulk.MaxInput),
			strconv.Itoa(bulk.MaxLines/1000)+",000", inMegabytes(bulk.MaxInputLine)),
		"webhooks of a workspace": strconv.Itoa(r.constant("domain/webhook/manage.go", "maxWebhooks")),
		"sources of a workspace":  strconv.Itoa(r.constant("domain/ingest/source.go", "maxSubscriptions")),
		"sources that a process polls at the same time": fmt.Sprintf("%d, at most %d of them of one workspace, each for %d minutes at most",
			r.constant("domain/ingest/source_run.go", "maxPolls"), r.constant("domain/ingest/source_run.go", "maxOwnPolls"),
			int(time.Duration(r.constant("domain/ingest/source_run.go", "pollTime")).Minutes())),
		"entries of a source of which a poll makes documents": fmt.Sprintf("%d, of the newest %s",
			r.constant("domain/ingest/source_entry.go", "maxTaken"),
			inThousands(r.constant("domain/ingest/source_entry.go", "maxEntries"))),
		"links of a page that is a source that are looked at": fmt.Sprintf("the first %s, each up to %s bytes",
			inThousands(r.constant("domain/ingest/extract/pagelink.go", "maxPageLinks")),
			inThousands(r.constant("domain/ingest/extract/pagelink.go", "maxLinkAddress"))),
		"mails that a poll of a mailbox looks at": fmt.Sprintf("%d, of which it reads %d MB, each up to %d MB",
			r.constant("domain/ingest/source_entry.go", "maxTaken"),
			r.constant("domain/ingest/source_mail.go", "maxPolledMails")/1_000_000,
			r.constant("domain/ingest/upload.go", "maxUpload")/1_000_000),
		"bytes that a mail server may send for a command": fmt.Sprintf("%d MB, and %d MB besides a mail, in %s, %d minutes for a mail",
			r.constant("domain/ingest/mailbox/session.go", "commandBytes")>>20,
			r.constant("domain/ingest/mailbox/session.go", "mailOverhead")>>20,
			inSeconds(time.Duration(r.constant("domain/ingest/mailbox/session.go", "commandTime"))),
			int(time.Duration(r.constant("domain/ingest/mailbox/session.go", "mailTime")).Minutes())),
		"a file that is read": fmt.Sprintf("%d GiB of memory or what the container leaves for each processor, %s of processor time, %d minutes; in a child process without settings",
			r.constant(limits, "standardLimits.Memory")>>30,
			inSeconds(time.Duration(r.constant(limits, "standardLimits.CPU"))),
			int(time.Duration(r.constant(limits, "standardLimits.Wall")).Minutes())),
		"pages of an image": fmt.Sprintf("%d million pixels",
			r.constant("domain/ingest/extract/pixel.go", "imagePixels")/1_000_000),
		"an export": fmt.Sprintf("%s table cells, %d MiB",
			inThousands(r.constant("domain/content/export/parse_state.go", "maxCells")),
			r.constant("domain/content/export/buffer.go", "maxFile")>>20),
		"embedded text of a document": fmt.Sprintf("its first %s characters, %s of a passage and %d of the title",
			inThousands(r.constant("llm/text/passage.go", "maxSplitRunes")),
			inThousands(r.constant("llm/embedding.go", "EmbeddedRunes")),
			r.constant("domain/passage/job.go", "maxTitle")),
		"files of a request that creates documents": fmt.Sprintf("%d and %d with those in ZIPs and mails, %d MB together; %d MB unpacked from one, %d unpacked at the same time in a process",
			r.constant("domain/ingest/file.go", "maxFiles"), r.constant("domain/ingest/file.go", "maxDocuments"),
			r.constant("graph/transport/multipart.go", "formFiles")*int(policy.Limits{}.WithDefaults().Upload)>>20,
			extract.MaxUnpacked/1_000_000, r.constant("domain/ingest/file.go", "maxUnpacking")),
		"parts of a mail, and their levels": fmt.Sprintf("%s and %d",
			inThousands(r.constant("domain/ingest/extract/mail.go", "maxParts")),
			r.constant("domain/ingest/extract/mail.go", "maxNestedParts")),
		"stored texts and files of a workspace": fmt.Sprintf("%d, %d and %d GB by plan", model.PlanFree.StorageLimit()>>30,
			model.PlanPro.StorageLimit()>>30, model.PlanTeam.StorageLimit()>>30),
		"a run of tesseract": fmt.Sprintf("%d GiB of memory or what the container leaves for each processor, %s",
			r.constant("domain/ingest/extract/image.go", "tesseractMemory")>>30,
			inSeconds(time.Duration(r.constant("domain/ingest/extract/image.go", "tesseractTime")))),
		"clean bodies of hosted pages that are kept": inMegabytes(r.constant("domain/link/page/clean.go",
			"keptBodiesSize")),
		"lost workers of a job": strconv.Itoa(r.constant("platform/job/rescue.go", "maxRescues")),
	}
}

// rowsWithoutFigure are the rows of the table that have no figure.
var rowsWithoutFigure = map[string]string{
	"depth, breadth, repeats, rows and complexity of an operation": "`{ limits { … } }` returns them",
	"models that requests may name":                                "those of the operator",
	"addresses that ingestion, mailboxes and webhooks reach":       "public ones",
}

var settingName = regexp.MustCompile(`\b(ROSTRUM|LLM)_[A-Z_]+`)

// TestSecurity compares SECURITY.md's table of limits with the program's constants and settings'
// defaults.
func TestSecurity(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| Limit | Value | Setting |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	r := figureReader{t}
	missing := map[string]bool{}
	want := map[string]string{}
	for _, figures := range []map[string]string{r.requestFigures(), r.workFigures(), rowsWithoutFigure} {
		for row, figure := range figures {
			want[row], missing[row] = figure, true
		}
	}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		row, value := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1])
		figure, known := want[row]
		delete(missing, row)
		if !known {
			t.Errorf("this test does not know the figure of %q", row)
		} else if figure != value {
			t.Errorf("%s: %s, in the program %s", row, value, figure)
		}
		for _, setting := range settingName.FindAllString(cells[2], -1) {
			r.setting(setting)
		}
	}
	for row := range missing {
		t.Errorf("the table lacks %q", row)
	}
}
