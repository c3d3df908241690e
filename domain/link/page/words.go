package page

import (
	"golang.org/x/text/language"

	"rostrum/errs"
)

// words are what a page says by itself in one language.
type words struct {
	Send, Required, LeaveEmpty, Wrong string
	Missing, Email, URL, Number, Date string // beside a field
	Notices                           map[Notice]notice
}

type notice struct{ Title, Text string }

// spoken are the languages of the pages' own words; the first is for all others.
var spoken = []struct {
	tag language.Tag
	words
}{
	{language.English, words{
		Send: "Send", Required: "required", LeaveEmpty: "Leave this empty", Wrong: "Please correct the following.",
		Missing: "is required", Email: "is not an email address", URL: "is not an http or https address", Number: "is not a number", Date: "is not a date",
		Notices: map[Notice]notice{
			Thanks: {"Thank you", "Your answers have been sent."}, Gone: {"This link is not available", "It has been paused or removed by its owner."},
			NotFound: {"Page not found", "There is no link at this address."},
		},
	}},
	{language.German, words{
		Send: "Absenden", Required: "erforderlich", LeaveEmpty: "Bitte leer lassen", Wrong: "Bitte korrigieren Sie Folgendes.",
		Missing: "fehlt", Email: "ist keine E-Mail-Adresse", URL: "ist keine http- oder https-Adresse", Number: "ist keine Zahl", Date: "ist kein Datum",
		Notices: map[Notice]notice{
			Thanks: {"Vielen Dank", "Ihre Angaben wurden gesendet."}, Gone: {"Dieser Link ist nicht verfügbar", "Er wurde pausiert oder entfernt."},
			NotFound: {"Seite nicht gefunden", "Unter dieser Adresse gibt es keinen Link."},
		},
	}},
	{language.French, words{
		Send: "Envoyer", Required: "obligatoire", LeaveEmpty: "Laissez ce champ vide", Wrong: "Veuillez corriger les points suivants.",
		Missing: "est obligatoire", Email: "n’est pas une adresse e-mail", URL: "n’est pas une adresse http ou https", Number: "n’est pas un nombre", Date: "n’est pas une date",
		Notices: map[Notice]notice{
			Thanks: {"Merci", "Vos réponses ont été envoyées."}, Gone: {"Ce lien n’est pas disponible", "Il a été suspendu ou supprimé."},
			NotFound: {"Page introuvable", "Il n’y a pas de lien à cette adresse."},
		},
	}},
	{language.Spanish, words{
		Send: "Enviar", Required: "obligatorio", LeaveEmpty: "Deje este campo vacío", Wrong: "Corrija lo siguiente.",
		Missing: "es obligatorio", Email: "no es una dirección de correo", URL: "no es una dirección http o https", Number: "no es un número", Date: "no es una fecha",
		Notices: map[Notice]notice{
			Thanks: {"Gracias", "Sus respuestas se han enviado."}, Gone: {"Este enlace no está disponible", "Se ha pausado o eliminado."},
			NotFound: {"Página no encontrada", "No hay ningún enlace en esta dirección."},
		},
	}},
	{language.Portuguese, words{
		Send: "Enviar", Required: "obrigatório", LeaveEmpty: "Deixe este campo vazio", Wrong: "Corrija o seguinte.",
		Missing: "é obrigatório", Email: "não é um endereço de e-mail", URL: "não é um endereço http ou https", Number: "não é um número", Date: "não é uma data",
		Notices: map[Notice]notice{
			Thanks: {"Obrigado", "As suas respostas foram enviadas."}, Gone: {"Este link não está disponível", "Foi pausado ou removido."},
			NotFound: {"Página não encontrada", "Não há nenhum link neste endereço."},
		},
	}},
	{language.Italian, words{
		Send: "Invia", Required: "obbligatorio", LeaveEmpty: "Lasciare vuoto", Wrong: "Correggere quanto segue.",
		Missing: "è obbligatorio", Email: "non è un indirizzo e-mail", URL: "non è un indirizzo http o https", Number: "non è un numero", Date: "non è una data",
		Notices: map[Notice]notice{
			Thanks: {"Grazie", "Le risposte sono state inviate."}, Gone: {"Questo link non è disponibile", "È stato sospeso o rimosso."},
			NotFound: {"Pagina non trovata", "A questo indirizzo non c’è alcun link."},
		},
	}},
	{language.Dutch, words{
		Send: "Verzenden", Required: "verplicht", LeaveEmpty: "Laat dit leeg", Wrong: "Verbeter het volgende.",
		Missing: "is verplicht", Email: "is geen e-mailadres", URL: "is geen http- of https-adres", Number: "is geen getal", Date: "is geen datum",
		Notices: map[Notice]notice{
			Thanks: {"Bedankt", "Uw antwoorden zijn verzonden."}, Gone: {"Deze link is niet beschikbaar", "De link is gepauzeerd of verwijderd."},
			NotFound: {"Pagina niet gevonden", "Er is geen link op dit adres."},
		},
	}},
}

var matcher = newMatcher()

func newMatcher() language.Matcher {
	tags := make([]language.Tag, len(spoken))
	for i, s := range spoken {
		tags[i] = s.tag
	}
	return language.NewMatcher(tags)
}

// wordsOf gives the language that a page says it is in, and the words nearest to it; what is no language tag counts as en.
func wordsOf(lang string) (string, words) {
	tag, err := language.Parse(lang)
	if err != nil {
		return "en", spoken[0].words
	}
	_, i, _ := matcher.Match(tag)
	return tag.String(), spoken[i].words
}

// problem says in the page's language what is wrong with a field.
func (w words) problem(field Field, bad errs.Field) string {
	if bad.Type == "missing" {
		return w.Missing
	}
	if bad.Type == "value_error" {
		switch field.Type {
		case "email":
			return w.Email
		case "url":
			return w.URL
		case "number":
			return w.Number
		case "date":
			return w.Date
		}
	}
	return bad.Msg
}
