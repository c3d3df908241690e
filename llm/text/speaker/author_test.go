package speaker_test

import (
	"testing"

	"rostrum/llm/text/speaker"
)

// TestReading_Author checks the authors whom by-lines, heads of messages and signatures name.
func TestReading_Author(t *testing.T) {
	for text, want := range map[string]string{
		"Soup maker in trouble\n\nBy Jane Harker\n\nKestrel closed its hall on Monday.":                                              "Jane Harker",
		"Soup maker in trouble\nBy Jane Harker, business editor\n\nKestrel closed its hall on Monday.":                               "Jane Harker",
		"Soup maker in trouble\n\nWords: Jane Harker\n\nKestrel closed its hall on Monday.":                                          "Jane Harker",
		"Die Suppe wird knapp\n\nVon Karin Vogt\n\nDas Werk schließt am Montag und wird nicht mehr geöffnet.":                        "Karin Vogt",
		"La soupe manque\n\nPar Claire Fontaine\n\nL'usine ferme lundi et ne rouvre pas.":                                            "Claire Fontaine",
		"La sopa se acaba\n\nPor Ana Roca\n\nLa fábrica cierra el lunes y no abre los domingos.":                                     "Ana Roca",
		"Luis Prado, panadero\n\nEntrevista de Ana Roca\n\n¿Cuándo empezó usted?\n\nCon un saco de harina.\n\n¿Y ahora?\n\nCon dos.": "Ana Roca",
		"Luis Prado, panadero\n\nTexto: Ana Roca\n\nLa fábrica cierra el lunes y no abre los domingos.":                              "Ana Roca",
		"Luc Roux, boulanger\n\nPropos recueillis par Claire Fontaine\n\nAviez-vous peur ?\n\nLa nuit, oui.":                         "Claire Fontaine",
		"From: Jane Harker\nTo: Adam Roy\nSubject: The hall\n\nThe hall closes on Monday.":                                           "Jane Harker",
		"From: Jane Harker <jane@example.com>\nTo: Adam Roy <adam@example.com>\n\nThe hall closes on Monday.":                        "Jane Harker",
		"Von: Karin Vogt\nAn: Jan Peters\nBetreff: Halle\n\nDie Halle schließt am Montag und wird nicht mehr geöffnet.":              "Karin Vogt",
		"De : Claire Fontaine\nÀ : Paul Roy\nObjet : la halle\n\nLa halle ferme lundi et ne rouvre pas.":                             "Claire Fontaine",
		"De: Ana Roca\nPara: Luis Prado\nAsunto: la nave\n\nLa nave cierra el lunes y no abre los domingos.":                         "Ana Roca",
		"Dear all,\n\nThe hall closes on Monday.\n\nYours sincerely,\n\nJane Harker":                                                 "Jane Harker",
		"Kestrel closed its hall on Monday. The workers protested.":                                                                  "",
		"Kestrel closed its hall by Friday.\n\n“It hurts,” said Tom Reed.":                                                           "",
	} {
		if got := speaker.Read(speaker.Source{Text: text}).Author(); got != want {
			t.Errorf("the author of %q is %q, want %q", text, got, want)
		}
	}
}
