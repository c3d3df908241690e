package speaker_test

import (
	"testing"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
)

// spoken is a text with passages and their speakers; "-" is a passage without a statement.
type spoken struct {
	name   string
	source speaker.Source
	want   [][2]string
}

var texts = []spoken{
	{"article", speaker.Source{Text: `Kestrel Foods recalls soup

LEEDS, 12 March 2026 – Kestrel Foods recalled 40,000 tins on Thursday.

“We found the fault ourselves,” said Dana Whitlock, the chief executive of Kestrel Foods. “We closed the line within the hour.”

“The hall is a drag on margin,” said Peter Kern, an analyst at Hansa Bank.

“This company,” Raj Menon said, “has nothing to hide.”

“We were the last to know,” one worker said.

Whitlock said that the hall would reopen in May. She said: “No job will be lost in Leeds.”

According to Raj Menon, the recall cost four million pounds.

The shares fell by three percent on Friday.

The member of parliament for Leeds, Amy Stone, told the Courier: “This is a scandal from top to bottom.”

“I will resign if it happens again,” the chief executive said.`},
		[][2]string{
			{"Kestrel Foods recalls soup", "-"}, {"We found the fault ourselves", "Dana Whitlock"},
			{"We closed the line within the hour.", "Dana Whitlock"},
			{"The hall is a drag on margin", "Peter Kern"}, {"has nothing to hide.", "Raj Menon"},
			{"We were the last to know", ""}, {"the hall would reopen in May", "Dana Whitlock"},
			{"No job will be lost in Leeds.", "Dana Whitlock"}, {"the recall cost four million pounds", "Raj Menon"},
			{"The shares fell by three percent on Friday.", ""},
			{"This is a scandal from top to bottom.", "Amy Stone"},
			{"I will resign if it happens again", "Dana Whitlock"},
			{"Kestrel Foods recalled 40,000 tins on Thursday.", ""}, {"LEEDS, 12 March 2026 –", "-"},
		}},
	{"transcript", speaker.Source{Text: `Half-year results call

Operator: Good morning. I now hand over to Dana Whitlock.

Dana Whitlock: Thank you. Sales rose by four percent.

The hall in Leeds stays open until June.

Raj Menon: The margin fell by two points.

Analyst, Hansa Bank: The hall is a drag on margin. Why keep it?

Dana Whitlock: We keep it because it works.

About Kestrel Foods

Kestrel Foods makes soup in Leeds.`},
		[][2]string{
			{"I now hand over to Dana Whitlock.", "-"}, {"Sales rose by four percent.", "Dana Whitlock"},
			{"The hall in Leeds stays open until June.", "Dana Whitlock"},
			{"The margin fell by two points.", "Raj Menon"}, {"The hall is a drag on margin.", ""},
			{"We keep it because it works.", "Dana Whitlock"},
			{"Kestrel Foods makes soup in Leeds.", ""}, {"Raj Menon:", "-"},
		}},
	{"one label", speaker.Source{Text: "Raj Menon: We cut the costs of the hall.\n\nThe shares of Kestrel fell.\n\nContact: Press office, Leeds"},
		[][2]string{{"We cut the costs of the hall.", "Raj Menon"}, {"The shares of Kestrel fell.", ""}}},
	{"remarks", speaker.Source{Title: "Remarks by Raj Menon, chief financial officer",
		Text: "Good morning.\n\nWe closed the hall in May. The costs were too high."},
		[][2]string{{"The costs were too high.", "Raj Menon"}}},
	{"letter", speaker.Source{Text: "Dear colleagues,\n\nI am sorry for the way in which you learned of this. The hall will close in June.\n\nYours sincerely,\n\nDana Whitlock\nChief Executive"},
		[][2]string{{"The hall will close in June.", "Dana Whitlock"}, {"Chief Executive", "-"}}},
	{"by-line of an article", speaker.Source{Text: "Soup maker in trouble\n\nBy Jane Harker\n\nKestrel closed its hall on Monday. The workers protested.\n\n“It hurts,” said Tom Reed, a driver."},
		[][2]string{{"Kestrel closed its hall on Monday.", ""}, {"It hurts", "Tom Reed"}, {"By Jane Harker", "-"}}},
	{"an executive without proof", speaker.Source{Text: "We build tidal power for everybody. Our turbines are quiet and safe."}, [][2]string{{"Our turbines are quiet and safe.", ""}}},
	{"interview", speaker.Source{Title: "Interview with Dana Whitlock",
		Text: "Q: Why did you close the hall?\n\nA: We had no choice at all.\n\nQ: Who decided?\n\nA: I did."},
		[][2]string{{"Why did you close the hall?", ""}, {"We had no choice at all.", "Dana Whitlock"},
			{"I did.", "Dana Whitlock"}}},
	{"paragraphs", speaker.Source{Text: "Anna Lund, the mayor, was angry on Monday.\n\n“The plan came without warning.\n\n“Nobody asked the town,” she said."},
		[][2]string{{"The plan came without warning.", "Anna Lund"}, {"Nobody asked the town", "Anna Lund"}}},
	{"pronouns of two", speaker.Source{Text: "Anna Lund met Peter Kern on Monday in the town hall. “The plan is wrong,” she said. “It is right,” he replied."},
		[][2]string{{"The plan is wrong", "Anna Lund"}, {"It is right", "Peter Kern"}}},
	{"german", speaker.Source{Text: `Werk in Kassel schließt

Kassel, 3. Mai 2026 – Die Nordlicht AG schließt ihr Werk.

„Wir haben alles versucht“, sagte Vorstandschefin Karin Vogt am Montag. „Am Ende fehlten die Aufträge.“

Der Analyst Peter Kern von der Hansabank erklärte: „Die Halle belastet die Marge seit Jahren.“

„Wir haben es zuletzt erfahren“, sagte ein Mitarbeiter.

Vogt sagte, die Halle bleibe bis Juni offen. Sie betonte: „Niemand wird allein gelassen.“

Laut Betriebsrat Emre Demir fehlt ein Sozialplan.

„Das ist“, so Demir, „ein schwarzer Tag für die Stadt.“`},
		[][2]string{
			{"Wir haben alles versucht", "Karin Vogt"}, {"Am Ende fehlten die Aufträge.", "Karin Vogt"},
			{"Die Halle belastet die Marge seit Jahren.", "Peter Kern"},
			{"Wir haben es zuletzt erfahren", ""}, {"die Halle bleibe bis Juni offen", "Karin Vogt"},
			{"Niemand wird allein gelassen.", "Karin Vogt"}, {"fehlt ein Sozialplan", "Emre Demir"},
			{"ein schwarzer Tag für die Stadt.", "Emre Demir"}, {"Die Nordlicht AG schließt ihr Werk.", ""},
		}},
	{"french", speaker.Source{Text: `L'usine de Lille ferme

« Nous avons tout essayé », a déclaré Claire Fontaine, directrice générale de Nordlait. « Les commandes manquaient. »

Selon Marc Petit, délégué syndical, la direction savait depuis un an.

« Nous l'avons appris les derniers », a dit un ouvrier.

« La halle, explique-t-elle, restera ouverte en juin. »

Paul Girard, analyste chez Banque du Port, estime que la halle pèse sur la marge. « C'est un scandale », a-t-il ajouté.`},
		[][2]string{
			{"Nous avons tout essayé", "Claire Fontaine"}, {"Les commandes manquaient.", "Claire Fontaine"},
			{"la direction savait depuis un an", "Marc Petit"}, {"Nous l'avons appris les derniers", ""},
			{"la halle pèse sur la marge", "Paul Girard"}, {"C'est un scandale", "Paul Girard"},
		}},
	{"spanish", speaker.Source{Text: `La fábrica de Gijón cierra

«Lo intentamos todo», dijo Lucía Campos, directora general de Aguanor. «Faltaban los pedidos.»

«La nave lastra el margen», señaló el analista Pedro Rivas, del Banco del Puerto.

«Fuimos los últimos en enterarnos», dijo una trabajadora.

Según Campos, la nave seguirá abierta hasta junio.

Rivas explicó que el mercado no perdona. Y añadió: «Nadie compra esta deuda.»`},
		[][2]string{
			{"Lo intentamos todo", "Lucía Campos"}, {"Faltaban los pedidos.", "Lucía Campos"},
			{"La nave lastra el margen", "Pedro Rivas"}, {"Fuimos los últimos en enterarnos", ""},
			{"la nave seguirá abierta hasta junio", "Lucía Campos"}, {"el mercado no perdona", "Pedro Rivas"},
		}},
	{"table and markup", speaker.Source{Text: "# Results\n\n| Item | Value |\n|---|---|\n| Sales | 4 |\n\n**Dana Whitlock:** Sales rose in every market.\n\n---\n\n*Raj Menon (CFO):* Costs fell in May.\n\n**Dana Whitlock:** Thank you all for that."},
		[][2]string{{"# Results", "-"}, {"| Item | Value |", "-"}, {"Sales rose in every market.", "Dana Whitlock"},
			{"Costs fell in May.", "Raj Menon"}}},
}

// TestRead checks the speakers of passages, and that the proof's name is in the text.
func TestRead(t *testing.T) {
	for _, c := range texts {
		t.Run(c.name, func(t *testing.T) {
			reading := speaker.Read(c.source)
			runes := []rune(c.source.Text)
			for _, want := range c.want {
				span, ok := text.Locate(c.source.Text, want[0])
				if !ok {
					t.Fatalf("%q is not in the text", want[0])
				}
				found, ok := reading.Find(span.Start, span.End)
				got := found.Speaker
				if !ok {
					got = "-"
				}
				if got != want[1] {
					t.Errorf("%q is said by %q (%s), want %q", want[0], got, found.Proof, want[1])
				}
				if found.Speaker != "" && found.Name.Start >= 0 &&
					string(runes[found.Name.Start:found.Name.End]) != found.Name.Text {
					t.Errorf("the proof %q is not at %d", found.Name.Text, found.Name.Start)
				}
			}
			for _, statement := range reading.Statements() {
				if string(runes[statement.Start:statement.End]) != statement.Text {
					t.Errorf("%q is not at %d", statement.Text, statement.Start)
				}
			}
		})
	}
}

// TestSameName checks which names can be of one person.
func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Dana Whitlock", "DANA WHITLOCK", true}, {"Ms Whitlock", "Dana Whitlock", true},
		{"Dana Q. Whitlock", "Dana Whitlock", true}, {"Dana Whitlock", "Tom Whitlock", false},
		{"Dana", "Dana Whitlock", false}, {"", "Dana Whitlock", false}, {"Frau Dr. Vogt", "Karin Vogt", true},
	} {
		if got := speaker.SameName(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// FuzzRead checks that every text is accepted, and that positions are inside it.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.source.Title, c.source.Text)
	}
	f.Fuzz(func(t *testing.T, title, content string) {
		checkReading(t, speaker.Source{Title: title, Author: title, Text: content})
	})
}
