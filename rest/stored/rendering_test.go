package stored

import "testing"

// TestTable_render checks what a cell has of each JSON value, and that no spreadsheet reads a text as
// a formula.
func TestTable_render(t *testing.T) {
	t.Parallel()
	table := &Table{"rows", []string{"text", "count", "owner.name", "tags", "free"}}
	for name, test := range map[string]struct{ body, want string }{
		"no rows":   {`{"rows":[],"pagination":{"page":1}}`, ""},
		"values":    {`{"rows":[{"text":"a, \"b\"","count":-1,"owner":{"name":"Ann"},"tags":["x"],"free":{"k":1}}]}`, "\"a, \"\"b\"\"\",-1,Ann,\"[\"\"x\"\"]\",\"{\"\"k\"\":1}\"\n"},
		"nulls":     {`{"rows":[{"text":null,"count":null,"owner":null,"tags":null}]}`, ",,,,\n"},
		"formulas":  {`{"rows":[{"text":"=1+1"},{"text":"+1"},{"text":"-1"},{"text":"@x"},{"text":"\tx"},{"text":"\rx"}]}`, "'=1+1,,,,\n'+1,,,,\n'-1,,,,\n'@x,,,,\n'\tx,,,,\n\"'\rx\",,,,\n"},
		"lines":     {`{"rows":[{"text":"a\nb"}]}`, "\"a\nb\",,,,\n"},
		"no letter": {`{"rows":[{"text":""},{"text":"ü"}]}`, ",,,,\nü,,,,\n"},
	} {
		if got := string(table.render([]byte(test.body))); got != "text,count,owner.name,tags,free\n"+test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
