package compare

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var answers = []Answer{OneDocument, ListedDocuments, TaggedDocuments, CountedDocuments}

// fieldName matches the names in a query, in any spelling.
var fieldName = regexp.MustCompile(`[A-Za-z_]+`)

func TestQueries(t *testing.T) {
	t.Parallel()
	const fields = `id workspaceid title contenttype communicationtype company executive author language createdat updatedat extractedat extracteddate
		mediaprovenance processingstatus processingerror sourceurl url wordcount charactercount isnarrativetestingupload tags`
	for _, p := range Peers() {
		for _, answer := range answers {
			t.Run(p.folder+"_"+string(answer), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(filepath.Join(p.folder, "queries", string(answer)+p.extension))
				if err != nil {
					t.Fatal(err)
				}
				names := fieldName.FindAllString(strings.ToLower(strings.ReplaceAll(string(text), "_", "")), -1)
				wanted := strings.Fields(fields)
				if answer == TaggedDocuments {
					wanted = append(wanted, "autotags", "extractedvalue", "appliedat", "confidencescore", "tagtype")
				}
				for _, name := range wanted {
					if !slices.Contains(names, name) {
						t.Errorf("the query does not select %s", name)
					}
				}
				// PostGraphile's field for a row by its id takes no other condition.
				if (p.storesText || answer != OneDocument) && !strings.Contains(string(text), "$workspace") {
					t.Error("the query does not restrict the documents to the workspace")
				}
			})
		}
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	values := Variables{Workspace: "w", ID: "d", Offset: 100}
	for name, test := range map[string]struct {
		peer   *Peer
		answer Answer
		want   string
	}{
		"a_name_and_the_id": {graphJin, OneDocument,
			`{"operationName":"one","variables":{"id":"d","workspace":"w"}}`},
		"a_name_and_a_page": {graphJin, ListedDocuments,
			`{"operationName":"list","variables":{"offset":100,"workspace":"w"}}`},
		"a_text_and_its_page": {postGraphile5, CountedDocuments, `"variables":{"offset":100,"workspace":"w"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := test.peer.Body(".", test.answer, values)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(body)
			if err != nil || !strings.HasSuffix(string(text), test.want) {
				t.Errorf("the body is %s (%v), want the end %s", text, err, test.want)
			}
			if stored := !strings.Contains(string(text), "totalCount"); stored != test.peer.storesText {
				t.Errorf("the body %s has the text of a query: %t", text, !stored)
			}
		})
	}
	t.Run("an_answer_that_a_peer_cannot_express", func(t *testing.T) {
		t.Parallel()
		if _, err := postGraphile4.Body(".", "none", values); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Body returns %v", err)
		}
	})
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, want string }{
		"a_list_of_one_is_the_document": {`{"data":{"document":[{"id":"a"}]}}`, `{"data":{"document":{"id":"a"}}}`},
		"a_document_stays":              {`{"data":{"document":{"id":"a"}}}`, `{"data":{"document":{"id":"a"}}}`},
		"a_list_stays": {`{"data":{"documents":[{"id":"a"}]}}`,
			`{"data":{"documents":[{"id":"a"}]}}`},
		"a_second_list_has_the_total": {`{"data":{"documents":[1],"total":[{"count_id":7}]}}`,
			`{"data":{"documents":{"documents":[1],"totalCount":7}}}`},
		"no_document":                     {`{"data":{"document":[]}}`, ""},
		"more_documents":                  {`{"data":{"document":[{},{}]}}`, ""},
		"a_second_list_without_the_total": {`{"data":{"documents":[],"total":[{}]}}`, ""},
		"data_with_errors":                {`{"data":{"document":[{}]},"errors":[{"message":"no"}]}`, ""},
		"no_data":                         {`{"data":null}`, ""},
		"no_json":                         {`<html>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Canonical([]byte(test.body))
			if string(got) != test.want || (err == nil) != (test.want != "") {
				t.Errorf("Canonical returns %s and %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestReason(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ message, want string }{
		"lines_are_joined": {"go: not found\n\tserver response: gone\n", "go: not found server response: gone"},
		"without_addresses": {"reading https://host.example/a/@v/list: 403 Forbidden",
			"reading (address): 403 Forbidden"},
		"without_paths": {"a log is in: /var/someone/.npm/_logs/x.log", "a log is in: (path)"},
		"modules_are_no_paths": {"github.com/dosco/graphjin/core/v3@v3.1.0: no",
			"github.com/dosco/graphjin/core/v3@v3.1.0: no"},
		"a_long_message_is_short": {strings.Repeat("é", 300), strings.Repeat("é", 200) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := plainReason(test.message); got != test.want {
				t.Errorf("plainReason returns %q, want %q", got, test.want)
			}
		})
	}
}

func TestInstaller(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		program   string
		arguments []string
		want      string
	}{
		"a_success": {"sh", []string{"-c", "echo done"}, ""},
		"a_refusal_of_a_package": {"sh", []string{"-c",
			"echo 'reading https://host.example/a: 403 Forbidden' >&2; exit 1"}, "reading (address): 403 Forbidden"},
		"a_silent_failure": {"sh", []string{"-c", "exit 3"}, "exit status 3"},
		"a_missing_client": {"no-such-package-client", nil,
			`exec: "no-such-package-client": executable file not found in $PATH`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := runInstaller(t.Context(), t.TempDir(), test.program, test.arguments...); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("runInstaller returns %q, want %q", got, test.want)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	const rest = " S 1 42 42 0 -1 4194560 5000 0 0 0 120 30 7 7 20 0"
	for name, text := range map[string]string{"a_name": "50 (node)" + rest, "a_name_with_parentheses": "50 (a) (b c)" +
		rest} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, ok := parseStat(text)
			if !ok || found.group != 42 || found.cpu != 1500*time.Millisecond {
				t.Errorf("parseStat returns %+v, %t", found, ok)
			}
		})
	}
	t.Run("no_process", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"", "50 (node", "50 (node) S 1",
			"50 (node) S 1 x 42 0 -1 4194560 5000 0 0 0 120 30"} {
			if found, ok := parseStat(text); ok {
				t.Errorf("parseStat(%q) returns %+v", text, found)
			}
		}
	})
	t.Run("shared_memory_counts_once", func(t *testing.T) {
		t.Parallel()
		if got := parseMemory([]byte("55-ff ---p 00000000 00:00 0 [rollup]\nRss:  9000 kB\nPss:  2048 kB\nPss_Dirty: 1000 kB\n")); got != 2<<20 {
			t.Errorf("parseMemory returns %d", got)
		}
	})
	t.Run("backends_that_started_later_count_from_zero", func(t *testing.T) {
		t.Parallel()
		before, after := map[int32]time.Duration{1: 5, 2: 7}, map[int32]time.Duration{1: 8, 3: 4}
		if got := AddedCPU(before, after); got != 7 {
			t.Errorf("AddedCPU returns %d", got)
		}
	})
}

func TestVersions(t *testing.T) {
	t.Parallel()
	exact := regexp.MustCompile(`^(5\.\d+\.\d+ on Node\.js \d+\.\d+\.\d+|4\.\d+\.\d+ on Node\.js \d+\.\d+\.\d+|core v3\.\d+\.\d+)$`)
	for _, p := range Peers() {
		t.Run(p.folder, func(t *testing.T) {
			t.Parallel()
			if version, err := p.Version("."); err != nil || !exact.MatchString(version) {
				t.Errorf("Version returns %q and %v", version, err)
			}
		})
	}
}
