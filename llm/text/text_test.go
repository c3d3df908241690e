package text_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"rostrum/llm/text"
)

func texts(spans []text.Span) []string {
	var list []string
	for _, s := range spans {
		list = append(list, s.Text)
	}
	return list
}

// TestSentences/… check sentence boundaries.
func TestSentences(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"empty":   {"", nil},
		"space":   {" \n\t ", nil},
		"english": {"It works. Does it? Yes!", []string{"It works.", "Does it?", "Yes!"}},
		"abbreviations": {"Dr. Smith met J. R. Miller. They spoke, e.g. Of cost.",
			[]string{"Dr. Smith met J. R. Miller.", "They spoke, e.g. Of cost."}},
		"numbers": {"It cost 3.50 euros. Version 2.1 is out.",
			[]string{"It cost 3.50 euros.", "Version 2.1 is out."}},
		"quotes": {`"We won." She left.`, []string{`"We won."`, "She left."}},
		"headings": {"The plan\n\nWe begin now. It ends\nlate.",
			[]string{"The plan", "We begin now.", "It ends\nlate."}},
		"lists":             {"First thing\nSecond thing", []string{"First thing", "Second thing"}},
		"chinese":           {"我们宣布一项计划。它很好！", []string{"我们宣布一项计划。", "它很好！"}},
		"hindi":             {"यह अच्छा है। हम जाते हैं।", []string{"यह अच्छा है।", "हम जाते हैं।"}},
		"arabic":            {"هل هذا جيد؟ نعم.", []string{"هل هذا جيد؟", "نعم."}},
		"german":            {"Das kostet z.B. Geld. Gut so.", []string{"Das kostet z.B. Geld.", "Gut so."}},
		"bytes_of_no_text":  {"a\xff. B\xfe.", []string{"a\xff.", "B\xfe."}},
		"ends_with_initial": {"He is from the U.S. Senate. Done.", []string{"He is from the U.S. Senate.", "Done."}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := texts(text.Sentences(c.text)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	t.Run("offsets_count_runes", func(t *testing.T) {
		want := []text.Span{{"Äh.", 1, 4}, {"日本。", 5, 8}}
		if got := text.Sentences(" Äh. 日本。"); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v", got)
		}
	})
}

// TestStems/… check the stems that similarity compares.
func TestStems(t *testing.T) {
	for name, c := range map[string]struct {
		text, language string
		want           []string
	}{
		"empty":    {"", "", nil},
		"english":  {"The running costs of the companies", "en", []string{"run", "cost", "compani"}},
		"german":   {"Die Häuser und die Kosten", "de", []string{"haus", "kost"}},
		"russian":  {"новые книги", "ru", []string{"нов", "книг"}},
		"unknown":  {"Running 2026", "", []string{"run", "2026"}},
		"no_rules": {"Кошти зросли", "uk", []string{"кошти", "зросли"}},
		"chinese":  {"新产品 发布", "zh", []string{"新产", "产品", "发布"}},
		"thai":     {"ไทย", "th", []string{"ไท", "ทย"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := text.Stems(c.text, c.language); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestLanguage/… check that a language is detected only in sufficiently long texts.
func TestLanguage(t *testing.T) {
	for want, sample := range map[string]string{
		"":   "Short text",
		"en": "The company announced today that it will open a new office in the north of the country, and hire forty people there.",
		"de": "Das Unternehmen hat heute angekündigt, dass es im Norden des Landes ein neues Büro eröffnen und vierzig Menschen einstellen wird.",
		"ru": "Компания объявила сегодня, что откроет новый офис на севере страны и наймёт там сорок человек.",
	} {
		if got := text.Language(sample); got != want {
			t.Errorf("%q is %q, want %q", sample, got, want)
		}
	}
}

const harbour = `Harbour tram opens early. The city of Porto Alto opened its harbour tram on Monday, four months before the date that was planned.
The harbour tram links the old docks with the railway station and carries 12,000 passengers a day. Mayor Ana Reis called it a wonderful success.
Some residents complained about the noise of construction. The weather was mild. The operator Northline Transit says that the harbour tram cost
less than the budget allowed. Northline expects the tram to pay for itself within nine years.`

// TestKeyphrases/… check the key phrases of a text.
func TestKeyphrases(t *testing.T) {
	t.Run("a_news_item", func(t *testing.T) {
		got := text.Keyphrases(harbour, 3)
		if len(got) != 3 || strings.ToLower(got[0].Text) != "harbour tram" || got[0].Weight != 1 || got[0].Count < 3 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("unrelated_neighbours_are_omitted", func(t *testing.T) {
		for _, p := range text.Keyphrases(harbour, 100)[1:] {
			if strings.Contains(strings.ToLower(p.Text), "tram") {
				t.Errorf("%q repeats the first phrase", p.Text)
			}
		}
	})
	t.Run("possessives_are_removed", func(t *testing.T) {
		if got := text.Keyphrases("The workspace's plan. A workspace’s.", 5); len(got) == 0 ||
			got[0].Text != "workspace" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no_phrase_is_part_of_another", func(t *testing.T) {
		got := text.Keyphrases(harbour, 100)
		for i, a := range got {
			for j, b := range got {
				if i != j && strings.Contains(" "+strings.ToLower(a.Text)+" ", " "+strings.ToLower(b.Text)+" ") {
					t.Errorf("%q contains %q", a.Text, b.Text)
				}
			}
		}
	})
	t.Run("chinese", func(t *testing.T) {
		got := text.Keyphrases("电车开通。电车连接码头和车站。电车很好。", 1)
		if len(got) != 1 || !strings.Contains(got[0].Text, "电车") {
			t.Errorf("%+v", got)
		}
	})
	for name, empty := range map[string]string{"empty": "", "only_stop_words": "the of and",
		"only_numbers": "12 13, 14"} {
		t.Run(name, func(t *testing.T) {
			if got := text.Keyphrases(empty, 5); len(got) != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
	if got := text.Keyphrases(harbour, 0); len(got) != 0 {
		t.Errorf("0 phrases were requested: %+v", got)
	}
}

// TestSentiment/… check the sign of sentiments.
func TestSentiment(t *testing.T) {
	german := "Die Firma hat gestern angekündigt, dass sie im Norden des Landes ein neues Werk eröffnet und dort vierzig Menschen einstellt."
	for name, c := range map[string]struct {
		text     string
		from, to float64
	}{
		"good":                     {"This is a wonderful success. We love it!", 0.5, 1},
		"bad":                      {"A terrible failure. Customers are angry and hate it.", -1, -0.5},
		"negated":                  {"This is not good.", -0.9, -0.1},
		"plain":                    {"The office opens at nine.", 0, 0},
		"empty":                    {"", 0, 0},
		"plain_german":             {german, 0, 0},
		"german_with_emoji":        {german + " 😀", 0.1, 1},
		"good_german":              {german + " Das ist ein großartiger Erfolg.", 0.4, 1},
		"bad_german":               {german + " Die Kunden sind enttäuscht und wütend.", -1, -0.4},
		"negated_german":           {german + " Das ist leider nicht gut.", -1, -0.1},
		"bad_french":               {"La direction a annoncé hier que le projet est un échec, et les clients sont très déçus par cette décision.", -1, -0.3},
		"good_spanish":             {"La empresa anunció ayer que el proyecto ha sido un éxito y que los vecinos están muy contentos con ello.", 0.3, 1},
		"negated_french":           {"La direction a annoncé hier aux salariés que le nouveau projet de la ville n’est pas bon du tout.", -1, -0.1},
		"bad_russian":              {"Компания объявила вчера, что проект закончился провалом, и жители города разочарованы этим решением.", -1, -0.2},
		"chinese_is_not_supported": {strings.Repeat("我们今天宣布一项新计划，大家都非常高兴。", 5), 0, 0},
		"across_lines":             {"This is\na wonderful\nday", 0.3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := text.Sentiment(c.text); got < c.from || got > c.to {
				t.Errorf("%g, want %g to %g", got, c.from, c.to)
			}
		})
	}
}

// TestOverlap/… check both measures of similarity.
func TestOverlap(t *testing.T) {
	for name, c := range map[string]struct {
		a, b             string
		overlap, covered float64
	}{
		"same_but_for_endings": {"running costs", "the cost of a run", 1, 1},
		"part":                 {"harbour tram", "The harbour tram opened its doors", 2.0 * 2 / 6, 1},
		"nothing":              {"harbour", "salary", 0, 0},
		"empty":                {"", "salary", 0, 0},
		"both_empty":           {"", "", 0, 0},
		"chinese":              {"新产品", "新产品", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := text.Overlap(c.a, c.b); got != c.overlap {
				t.Errorf("the overlap is %g, want %g", got, c.overlap)
			}
			if got := text.Covered(c.a, c.b); got != c.covered {
				t.Errorf("the coverage is %g, want %g", got, c.covered)
			}
		})
	}
}

// TestNearest/… check which example is the nearest.
func TestNearest(t *testing.T) {
	examples := []string{"Quarterly results and dividend", "New tram line in the harbour", "Recall of a kettle", ""}
	for name, c := range map[string]struct {
		text     string
		index    int
		from, to float64
	}{
		"same":    {"Recall of a kettle", 2, 0.999, 1},
		"alike":   {"The harbour trams are new", 1, 0.5, 0.99},
		"unlike":  {"Gardening", -1, 0, 0},
		"nothing": {"", -1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			index, like := text.NewIndex(examples).Nearest(c.text)
			if index != c.index || like < c.from || like > c.to {
				t.Errorf("%d with %g, want %d with %g to %g", index, like, c.index, c.from, c.to)
			}
		})
	}
	if index, like := text.NewIndex(nil).Nearest("anything"); index != -1 || like != 0 {
		t.Errorf("without examples: %d, %g", index, like)
	}
}

// TestRank/… check which sentences summarize a text.
func TestRank(t *testing.T) {
	t.Run("returns_the_main_sentences", func(t *testing.T) {
		got := text.Rank(harbour, 2)
		if len(got) != 2 || got[0].Start >= got[1].Start {
			t.Fatalf("%q", texts(got))
		}
		for _, s := range got {
			if !strings.Contains(s.Text, "tram") {
				t.Errorf("%q is not a main sentence", s.Text)
			}
		}
	})
	t.Run("a_repeated_sentence_is_returned_once", func(t *testing.T) {
		said := "The tram opens on Monday in the harbour. "
		got := texts(text.Rank(said+said+said+"The operator expects twelve thousand passengers each day. Costs fell.",
			2))
		if len(got) != 2 || got[0] == got[1] {
			t.Errorf("%q", got)
		}
	})
	t.Run("short_texts_are_returned_whole", func(t *testing.T) {
		if got := texts(text.Rank("One. Two.", 5)); !reflect.DeepEqual(got, []string{"One.", "Two."}) {
			t.Errorf("%q", got)
		}
		if len(text.Rank("", 3)) != 0 || len(text.Rank("One.", 0)) != 0 || len(text.Rank("One.", -1)) != 0 {
			t.Error("an empty text has sentences")
		}
	})
}

// TestNames/… check the detection of names.
func TestNames(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"empty": {"", nil},
		"people_and_firms": {"On Monday Ana Reis joined the Bank of England. She left Northline.",
			[]string{"Monday Ana Reis", "Bank of England", "Northline"}},
		"sentence_starts": {"Acme grows. Costs fell. We like Acme.", []string{"Acme", "Acme"}},
		"german":          {"Die Firma hat gestern angekündigt, dass Anna Müller im Norden des Landes ein neues Werk eröffnet.", []string{"Anna Müller"}},
		"cyrillic":        {"Говорят, Анна Иванова приехала в Москву.", []string{"Анна Иванова", "Москву"}},
		"chinese":         {"我们在北京。", nil},
		"model_numbers":   {"We launch Kettle 3000 today.", []string{"Kettle 3000"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := texts(text.Names(c.text)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestTruncate/… check where a text is truncated.
func TestTruncate(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		limit int
		want  string
	}{
		"fits":               {" It fits. ", 8, "It fits."},
		"at_a_sentence":      {"It works well. And then it went on and on.", 20, "It works well."},
		"at_a_word":          {"A sentence that never ends, so it is cut", 29, "A sentence that never ends…"},
		"one_long_word":      {"abcdefghij", 5, "abcd…"},
		"no_half_characters": {"👩‍👩‍👧👩‍👩‍👧", 7, "👩‍👩‍👧…"},
		"chinese":            {"我们今天宣布一项新计划", 6, "我们今天宣…"},
		"zero_length":        {"text", 0, ""},
		"negative_length":    {"text", -3, ""},
		"length_one":         {"text", 1, "…"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := text.Truncate(c.text, c.limit); got != c.want || utf8.RuneCountInString(got) > max(c.limit, 0) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// FuzzText checks for any text that nothing panics, that spans are parts of the text in order, and
// that measures stay in their bounds.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", harbour, "Dr. A. B.", "a\xff. B", "我们。ไทย\n\n😀", "don’t — stop", "ß ﬁ İ",
		"A.B.C. d\r\ne", "0 \u061c0"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n %= 50
		runes := []rune(s)
		inOrder := func(label string, spans []text.Span) {
			last := 0
			for _, span := range spans {
				if span.Start < last || span.End <= span.Start || span.End > len(runes) ||
					string(runes[span.Start:span.End]) != string([]rune(span.Text)) {
					t.Fatalf("%s: %+v is not a part of %q after %d", label, span, s, last)
				}
				last = span.End
			}
		}
		if strings.Join(text.Pieces(s), "") != s {
			t.Fatalf("the joined parts differ from %q", s)
		}
		inOrder("sentences", text.Sentences(s))
		inOrder("words", text.Words(s))
		inOrder("names", text.Names(s))
		inOrder("rank", text.Rank(s, n))
		for _, p := range text.Keyphrases(s, n) {
			inOrder("phrase", []text.Span{p.Span})
			if p.Weight < 0 || p.Weight > 1 {
				t.Fatalf("%+v", p)
			}
		}
		if cut := text.FirstRunes(s, max(n, 0)); string([]rune(cut)) != string(runes[:min(max(n, 0), len(runes))]) {
			t.Fatalf("the first %d runes of %q are %q", n, s, cut)
		}
		if cut := text.Truncate(s, n); utf8.RuneCountInString(cut) > max(n, 0) {
			t.Fatalf("%q is longer than %d", cut, n)
		}
		_, near := text.NewIndex([]string{s, "tram"}).Nearest(s)
		for label, value := range map[string]float64{"overlap": text.Overlap(s, harbour),
			"covered": text.Covered(s, harbour), "nearest": near} {
			if !(value >= 0 && value <= 1) {
				t.Fatalf("%s is %g", label, value)
			}
		}
		if feeling := text.Sentiment(s); !(feeling >= -1 && feeling <= 1) {
			t.Fatalf("sentiment %g", feeling)
		}
		for _, language := range []string{"ar", "da", "de", "es", "fi", "fr", "hu", "it", "no", "nl", "pt", "ro", "ru",
			"sv", "ta", "tr", "xx"} {
			text.Stems(s, language)
		}
	})
}
