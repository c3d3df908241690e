package notice_test

import (
	"testing"
	"time"

	"rostrum/domain/notice"
	"rostrum/model"
)

// TestNames has a name in each language for each event that an alert can tell.
func TestNames(t *testing.T) {
	for _, language := range notice.Languages {
		names := map[string]model.EventType{}
		for _, event := range model.EventTypes {
			name, err := notice.Execute(string(event)+"."+language, nil)
			if err != nil || name == "" || names[name] != "" {
				t.Errorf("%s in %s is %q, as %q (%v)", event, language, name, names[name], err)
			}
			names[name] = event
		}
	}
}

// TestNextBriefing is due at the hour of the reader's time zone, once a day, also when clocks change.
func TestNextBriefing(t *testing.T) {
	for _, test := range []struct {
		zone        string
		hour        int
		after, want string
	}{
		{"UTC", 7, "2026-11-30T06:59:59Z", "2026-11-30T07:00:00Z"},
		{"UTC", 7, "2026-11-30T07:00:00Z", "2026-12-01T07:00:00Z"},
		{"Europe/Zurich", 7, "2026-11-30T07:00:00Z", "2026-12-01T06:00:00Z"},
		{"America/Los_Angeles", 23, "2026-12-31T23:30:00Z", "2027-01-01T07:00:00Z"},
		{"Europe/Zurich", 2, "2027-03-27T12:00:00Z", "2027-03-28T01:00:00Z"}, // 02:00 does not exist
		{"Europe/Zurich", 2, "2027-03-28T01:00:00Z", "2027-03-29T00:00:00Z"},
		{"Europe/Zurich", 2, "2026-10-24T12:00:00Z", "2026-10-25T01:00:00Z"}, // 02:00 is twice
		{"Europe/Zurich", 2, "2026-10-25T01:00:00Z", "2026-10-26T01:00:00Z"},
	} {
		after, err := time.Parse(time.RFC3339, test.after)
		if err != nil {
			t.Fatal(err)
		}
		got := notice.NextBriefing(&model.MailSettings{BriefingHour: &test.hour, TimeZone: test.zone}, after)
		if got == nil || got.Format(time.RFC3339) != test.want {
			t.Errorf("%d:00 in %s after %s is %v, want %s", test.hour, test.zone, test.after, got, test.want)
		}
	}
	if got := notice.NextBriefing(&model.MailSettings{TimeZone: "UTC"}, time.Now()); got != nil {
		t.Errorf("without an hour it is %v", got)
	}
}
