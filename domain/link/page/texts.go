package page

import (
	"golang.org/x/text/language"

	"rostrum/errs"
)

// pageTexts are the built-in texts of a page in one language.
type pageTexts struct {
	Send, Required, LeaveEmpty, Wrong string
	Missing, Email, URL, Number, Date string // shown next to a field
	Notices                           map[Notice]noticeText
}

type noticeText struct{ Title, Text string }

// languages are the supported languages; the first is the fallback.
var languages = []struct {
	tag language.Tag
	pageTexts
}{
	{language.English, pageTexts{
		Send: "Send", Required: "required", LeaveEmpty: "Leave this empty", Wrong: "Please correct the following.",
		Missing: "is required", Email: "is not an email address", URL: "is not an http or https address",
		Number: "is not a number", Date: "is not a date",
		Notices: map[Notice]noticeText{
			Thanks:   {"Thank you", "Your answers have been sent."},
			Gone:     {"This link is not available", "It has been paused or removed by its owner."},
			NotFound: {"Page not found", "There is no link at this address."},
		},
	}},
	{language.German, pageTexts{
		Send: "Absenden", Required: "erforderlich", LeaveEmpty: "Bitte leer lassen",
		Wrong:   "Bitte korrigieren Sie Folgendes.",
		Missing: "fehlt", Email: "ist keine E-Mail-Adresse", URL: "ist keine http- oder https-Adresse",
		Number: "ist keine Zahl", Date: "ist kein Datum",
		Notices: map[Notice]noticeText{
			Thanks:   {"Vielen Dank", "Ihre Angaben wurden gesendet."},
			Gone:     {"Dieser Link ist nicht verfügbar", "Er wurde pausiert oder entfernt."},
			NotFound: {"Seite nicht gefunden", "Unter dieser Adresse gibt es keinen Link."},
		},
	}},
	{language.French, pageTexts{
		Send: "Envoyer", Required: "obligatoire", LeaveEmpty: "Laissez ce champ vide",
		Wrong:   "Veuillez corriger les points suivants.",
		Missing: "est obligatoire", Email: "n’est pas une adresse e-mail", URL: "n’est pas une adresse http ou https",
		Number: "n’est pas un nombre", Date: "n’est pas une date",
		Notices: map[Notice]noticeText{
			Thanks:   {"Merci", "Vos réponses ont été envoyées."},
			Gone:     {"Ce lien n’est pas disponible", "Il a été suspendu ou supprimé."},
			NotFound: {"Page introuvable", "Il n’y a pas de lien à cette adresse."},
		},
	}},
	{language.Spanish, pageTexts{
		Send: "Enviar", Required: "obligatorio", LeaveEmpty: "Deje este campo vacío", Wrong: "Corrija lo siguiente.",
		Missing: "es obligatorio", Email: "no es una dirección de correo", URL: "no es una dirección http o https",
		Number: "no es un número", Date: "no es una fecha",
		Notices: map[Notice]noticeText{
			Thanks:   {"Gracias", "Sus respuestas se han enviado."},
			Gone:     {"Este enlace no está disponible", "Se ha pausado o eliminado."},
			NotFound: {"Página no encontrada", "No hay ningún enlace en esta dirección."},
		},
	}},
	{language.Portuguese, pageTexts{
		Send: "Enviar", Required: "obrigatório", LeaveEmpty: "Deixe este campo vazio", Wrong: "Corrija o seguinte.",
		Missing: "é obrigatório", Email: "não é um endereço de e-mail", URL: "não é um endereço http ou https",
		Number: "não é um número", Date: "não é uma data",
		Notices: map[Notice]noticeText{
			Thanks:   {"Obrigado", "As suas respostas foram enviadas."},
			Gone:     {"Este link não está disponível", "Foi pausado ou removido."},
			NotFound: {"Página não encontrada", "Não há nenhum link neste endereço."},
		},
	}},
	{language.Italian, pageTexts{
		Send: "Invia", Required: "obbligatorio", LeaveEmpty: "Lasciare vuoto", Wrong: "Correggere quanto segue.",
		Missing: "è obbligatorio", Email: "non è un indirizzo e-mail", URL: "non è un indirizzo http o https",
		Number: "non è un numero", Date: "non è una data",
		Notices: map[Notice]noticeText{
			Thanks:   {"Grazie", "Le risposte sono state inviate."},
			Gone:     {"Questo link non è disponibile", "È stato sospeso o rimosso."},
			NotFound: {"Pagina non trovata", "A questo indirizzo non c’è alcun link."},
		},
	}},
	{language.Dutch, pageTexts{
		Send: "Verzenden", Required: "verplicht", LeaveEmpty: "Laat dit leeg", Wrong: "Verbeter het volgende.",
		Missing: "is verplicht", Email: "is geen e-mailadres", URL: "is geen http- of https-adres",
		Number: "is geen getal", Date: "is geen datum",
		Notices: map[Notice]noticeText{
			Thanks:   {"Bedankt", "Uw antwoorden zijn verzonden."},
			Gone:     {"Deze link is niet beschikbaar", "De link is gepauzeerd of verwijderd."},
			NotFound: {"Pagina niet gevonden", "Er is geen link op dit adres."},
		},
	}},
}

var languageMatcher = newMatcher()

func newMatcher() language.Matcher {
	tags := make([]language.Tag, len(languages))
	for i, s := range languages {
		tags[i] = s.tag
	}
	return language.NewMatcher(tags)
}

// textsFor returns a normalized language tag and the texts of the closest supported language; an
// invalid tag is en.
func textsFor(lang string) (string, pageTexts) {
	tag, err := language.Parse(lang)
	if err != nil {
		return "en", languages[0].pageTexts
	}
	_, i, _ := languageMatcher.Match(tag)
	return tag.String(), languages[i].pageTexts
}

// fieldMessage returns the translated message for an invalid field.
func (w pageTexts) fieldMessage(field Field, fieldErr errs.Field) string {
	if fieldErr.Type == "missing" {
		return w.Missing
	}
	if fieldErr.Type == "value_error" {
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
	return fieldErr.Msg
}
