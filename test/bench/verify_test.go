package main

import (
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	t.Parallel()
	const rest = `{"documents":[{"workspace_id":"w","media_provenance":"owned","auto_tags":[{"tag_type":null}]}],"pagination":{"page":1,"total_count":50}}`
	for name, test := range map[string]struct{ body, difference string }{
		"graph_is_rest_in_other_words": {
			`{"data":{"documents":{"documents":[{"workspaceId":"w","mediaProvenance":"OWNED","autoTags":[{"tagType":null}]}],"totalCount":50}}}`, "",
		},
		"another_value":   {strings.Replace(rest, "50", "20", 1), "/total_count"},
		"a_missing_field": {strings.Replace(rest, `"media_provenance":"owned",`, "", 1), "/documents/0"},
		"a_missing_row":   {`{"documents":[],"pagination":{"total_count":50}}`, "/documents"},
		"another_kind":    {strings.Replace(rest, `[{"tag_type":null}]`, `{}`, 1), "/documents/0/auto_tags"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := decodeBody([]byte(rest))
			if err != nil {
				t.Fatal(err)
			}
			got, err := decodeBody([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			difference, same := compareValues("", want, got)
			if same != (test.difference == "") || !strings.HasPrefix(difference, test.difference) {
				t.Errorf("compareValues returns %q, %t", difference, same)
			}
		})
	}
}
