package value_test

import (
	"regexp"
	"testing"

	"rostrum/llm/text/value"
)

// TestRead checks the canonical forms of values, and that values which a type cannot have are
// refused with a reason.
func TestRead(t *testing.T) {
	for _, c := range []struct{ tagType, said, want string }{
		{"number", "12,400", "12400"}, {"number", "£2.4 million", "2400000"},
		{"number", "212,5 Millionen Euro", "212500000"}, {"number", "1.870", "1870"},
		{"number", "3 200 tondeuses", "3200"}, {"number", "4.5%", "4.5"}, {"number", "2,5 %", "2.5"},
		{"number", "18 millones de euros", "18000000"},
		{"number", "1.875 million", "1875000"}, {"number", "$1,234.50", "1234.5"}, {"number", "0", "0"},
		{"number", "about 7 to 9", ""}, {"number", "many", ""},
		{"number", "B12", ""}, {"number", "3 May 2026", ""},
		{"date", "4 March 2026", "2026-03-04"}, {"date", "March 4, 2026", "2026-03-04"},
		{"date", "11. Februar 2026", "2026-02-11"}, {"date", "1er juin 2026", "2026-06-01"},
		{"date", "14 de septiembre de 2026", "2026-09-14"}, {"date", "31.12.2026", "2026-12-31"},
		{"date", "May 2026", "2026-05"}, {"date", "31 June 2026", ""},
		{"date", "next week", ""}, {"date", "from 1 May 2026 to 2 May 2026", ""},
		{"boolean", "Yes", "true"}, {"boolean", "nein", "false"}, {"boolean", "Kestrel Foods", ""},
		{"boolean", "0.9", ""},
		{"person", "Ines Okafor", "Ines Okafor"}, {"person", "the board", ""}, {"person", "王小明", "王小明"},
		{"person", "R2D2 Unit 7", ""},
		{"place", "Halverton", "Halverton"}, {"place", "over there", ""},
		{"list", "Spain, Portugal, Spain", "Spain; Portugal"}, {"theme", "anything at all", "anything at all"},
	} {
		got, reason := value.Read(value.KindOf(c.tagType), c.said)
		if got != c.want || (reason == "") != (c.want != "") {
			t.Errorf("%s %q is %q (%s), want %q", c.tagType, c.said, got, reason, c.want)
		}
	}
}

// FuzzRead checks that canonical dates and names are their own canonical form, and that canonical
// numbers have digits and at most one point.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"12,400", "£2.4 million", "31.12.2026", "Mai 2026", "a;b,c", "", "9.999.999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, said string) {
		for _, kind := range []value.Kind{value.Date, value.Boolean, value.Person} {
			once, reason := value.Read(kind, said)
			if twice, _ := value.Read(kind, once); reason == "" && twice != once {
				t.Errorf("%s %q is %q, then %q", kind, said, once, twice)
			}
		}
		if number, reason := value.Read(value.Number, said); reason == "" &&
			!regexp.MustCompile(`^\d+(\.\d+)?$`).MatchString(number) {
			t.Errorf("number %q is %q", said, number)
		}
	})
}
