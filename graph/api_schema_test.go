package graph

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// restOnly lists the elements that exist for stored operations only. A new one needs a reason: what REST can make of other fields is made in
// rest/operations.
var restOnly = []string{
	"Job.parametersText",             // REST sends the stored text byte for byte, which a typed value does not keep
	"Job.resultText",                 // the same
	"JobFilter.jobTypeText",          // REST accepts any text as a filter
	"JobRef.jobTypeText",             // REST spells types of jobs in lower case, as open text
	"ReactionJobPayload.jobTypeText", // the same
}

func TestInaccessible(t *testing.T) {
	t.Parallel()
	full, api := FullSchema(), Schema()
	var found []string
	for _, def := range full.Types {
		if def.Directives.ForName(inaccessible) != nil {
			found = append(found, def.Name)
		}
		for _, field := range def.Fields {
			if name := def.Name + "." + field.Name; field.Directives.ForName(inaccessible) != nil {
				found = append(found, name)
				if api.Types[def.Name].Fields.ForName(field.Name) != nil {
					t.Errorf("clients see %s", name)
				}
			}
			for _, argument := range field.Arguments {
				if isInaccessible(argument) {
					found = append(found, def.Name+"."+field.Name+"."+argument.Name)
				}
			}
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, restOnly) {
		t.Errorf("the schema has for REST alone\n%s\nand not\n%s", strings.Join(found, "\n"), strings.Join(restOnly, "\n"))
	}
	if strings.Contains(SDL(), inaccessible) || strings.Contains(SDL(), "resultText") {
		t.Error("the printed schema has inaccessible elements")
	}
	if api.Query == nil || api.Types["Job"] != api.PossibleTypes["Job"][0] || !slices.Contains(api.PossibleTypes["Node"], api.Types["Job"]) {
		t.Error("the types of the clients' schema are not those of its indexes")
	}
}

func TestInaccessible_refused(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	for query, name := range map[string]string{
		`{ job(id: "job_1") { resultText } }`:                                `"resultText\" on type`,
		`{ job(id: "job_1") { parametersText } }`:                            `"parametersText\" on type`,
		`{ jobs(filter: {jobTypeText: "ingest"}) { totalCount } }`:           `"jobTypeText\" is not defined`,
		`query($f: JobFilter) { jobs(filter: $f) { nodes { resultText } } }`: `"resultText\" on type`,
	} {
		if r := b.post(t, adminKey, query); !strings.Contains(r.body, name) || strings.Contains(r.body, `"data":{`) {
			t.Errorf("%s is answered with %d %s", query, r.status, r.body)
		}
	}
	described := b.post(t, "", `{ __type(name: "Job") { fields { name } } directives: __schema { directives { name } } }`)
	described.want(t, http.StatusOK, `"name":"jobTypeText"`)
	if strings.Contains(described.body, "resultText") || strings.Contains(described.body, inaccessible) {
		t.Errorf("introspection describes %s", described.body)
	}
}
