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
	Password                          passwordTexts
	Brand                             brandTexts
	Newsroom                          newsroomTexts
}

// brandTexts are the texts below a page with a brand.
type brandTexts struct{ Imprint, Privacy string }

// newsroomTexts are the texts of a newsroom. Pages names the links to other pages of the list.
type newsroomTexts struct{ Title, Empty, Pages, Newer, Older, Feed string }

// passwordTexts are the texts of the page that asks for a password.
type passwordTexts struct{ Title, Text, Label, Open, Wrong, TooMany, Unavailable, Right, Continue string }

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
			Thanks:    {"Thank you", "Your answers have been sent."},
			Gone:      {"This link is not available", "It has been paused or removed by its owner."},
			NotFound:  {"Page not found", "There is no link at this address."},
			Withdrawn: {"This page has been withdrawn", "The reason is:"},
			Embargoed: {"This page is not open yet", "It opens at:"},
			Ended:     {"This link has ended", "Its time is over, or it was opened as often as its owner allows."},
		},
		Password: passwordTexts{
			Title: "Password needed", Label: "Password", Open: "Open",
			Text:  "The content of this link is protected. Enter the password that you were given.",
			Wrong: "This is not the password.", TooMany: "There were too many attempts. Please try again later.",
			Unavailable: "The password cannot be checked now. Please try again later.",
			Right:       "The password is right", Continue: "Continue to the content",
		},
		Brand: brandTexts{Imprint: "Imprint", Privacy: "Privacy"},
		Newsroom: newsroomTexts{Title: "News", Empty: "Nothing has been published yet.", Pages: "Other pages", Newer: "Newer",
			Older: "Older", Feed: "Subscribe to the feed"},
	}},
	{language.German, pageTexts{
		Send: "Absenden", Required: "erforderlich", LeaveEmpty: "Bitte leer lassen",
		Wrong:   "Bitte korrigieren Sie Folgendes.",
		Missing: "fehlt", Email: "ist keine E-Mail-Adresse", URL: "ist keine http- oder https-Adresse",
		Number: "ist keine Zahl", Date: "ist kein Datum",
		Notices: map[Notice]noticeText{
			Thanks:    {"Vielen Dank", "Ihre Angaben wurden gesendet."},
			Gone:      {"Dieser Link ist nicht verfügbar", "Er wurde pausiert oder entfernt."},
			NotFound:  {"Seite nicht gefunden", "Unter dieser Adresse gibt es keinen Link."},
			Withdrawn: {"Diese Seite wurde zurückgezogen", "Der Grund:"},
			Embargoed: {"Diese Seite ist noch nicht öffentlich", "Sie öffnet am:"},
			Ended:     {"Dieser Link ist beendet", "Seine Zeit ist um, oder er wurde so oft geöffnet wie erlaubt."},
		},
		Password: passwordTexts{
			Title: "Passwort erforderlich", Label: "Passwort", Open: "Öffnen",
			Text:  "Der Inhalt dieses Links ist geschützt. Geben Sie das Passwort ein, das Sie erhalten haben.",
			Wrong: "Das ist nicht das Passwort.", TooMany: "Zu viele Versuche. Bitte versuchen Sie es später erneut.",
			Unavailable: "Das Passwort kann gerade nicht geprüft werden. Bitte versuchen Sie es später erneut.",
			Right:       "Das Passwort ist richtig", Continue: "Weiter zum Inhalt",
		},
		Brand: brandTexts{Imprint: "Impressum", Privacy: "Datenschutz"},
		Newsroom: newsroomTexts{Title: "Neuigkeiten", Empty: "Es ist noch nichts veröffentlicht.", Pages: "Weitere Seiten", Newer: "Neuere",
			Older: "Ältere", Feed: "Feed abonnieren"},
	}},
	{language.French, pageTexts{
		Send: "Envoyer", Required: "obligatoire", LeaveEmpty: "Laissez ce champ vide",
		Wrong:   "Veuillez corriger les points suivants.",
		Missing: "est obligatoire", Email: "n’est pas une adresse e-mail", URL: "n’est pas une adresse http ou https",
		Number: "n’est pas un nombre", Date: "n’est pas une date",
		Notices: map[Notice]noticeText{
			Thanks:    {"Merci", "Vos réponses ont été envoyées."},
			Gone:      {"Ce lien n’est pas disponible", "Il a été suspendu ou supprimé."},
			NotFound:  {"Page introuvable", "Il n’y a pas de lien à cette adresse."},
			Withdrawn: {"Cette page a été retirée", "La raison :"},
			Embargoed: {"Cette page n’est pas encore publique", "Elle ouvre le :"},
			Ended:     {"Ce lien a pris fin", "Sa durée est écoulée, ou il a été ouvert autant de fois que prévu."},
		},
		Password: passwordTexts{
			Title: "Mot de passe requis", Label: "Mot de passe", Open: "Ouvrir",
			Text:  "Le contenu de ce lien est protégé. Saisissez le mot de passe que vous avez reçu.",
			Wrong: "Ce n’est pas le mot de passe.", TooMany: "Trop de tentatives. Veuillez réessayer plus tard.",
			Unavailable: "Le mot de passe ne peut pas être vérifié maintenant. Veuillez réessayer plus tard.",
			Right:       "Le mot de passe est correct", Continue: "Continuer vers le contenu",
		},
		Brand: brandTexts{Imprint: "Mentions légales", Privacy: "Confidentialité"},
		Newsroom: newsroomTexts{Title: "Actualités", Empty: "Rien n’a encore été publié.", Pages: "Autres pages", Newer: "Plus récents",
			Older: "Plus anciens", Feed: "S’abonner au flux"},
	}},
	{language.Spanish, pageTexts{
		Send: "Enviar", Required: "obligatorio", LeaveEmpty: "Deje este campo vacío", Wrong: "Corrija lo siguiente.",
		Missing: "es obligatorio", Email: "no es una dirección de correo", URL: "no es una dirección http o https",
		Number: "no es un número", Date: "no es una fecha",
		Notices: map[Notice]noticeText{
			Thanks:    {"Gracias", "Sus respuestas se han enviado."},
			Gone:      {"Este enlace no está disponible", "Se ha pausado o eliminado."},
			NotFound:  {"Página no encontrada", "No hay ningún enlace en esta dirección."},
			Withdrawn: {"Esta página se ha retirado", "El motivo:"},
			Embargoed: {"Esta página aún no es pública", "Se abre el:"},
			Ended:     {"Este enlace ha terminado", "Su plazo ha vencido, o se ha abierto todas las veces previstas."},
		},
		Password: passwordTexts{
			Title: "Se necesita una contraseña", Label: "Contraseña", Open: "Abrir",
			Text:  "El contenido de este enlace está protegido. Introduzca la contraseña que ha recibido.",
			Wrong: "Esa no es la contraseña.", TooMany: "Ha habido demasiados intentos. Inténtelo de nuevo más tarde.",
			Unavailable: "La contraseña no se puede comprobar ahora. Inténtelo de nuevo más tarde.",
			Right:       "La contraseña es correcta", Continue: "Continuar al contenido",
		},
		Brand: brandTexts{Imprint: "Aviso legal", Privacy: "Privacidad"},
		Newsroom: newsroomTexts{Title: "Noticias", Empty: "Todavía no se ha publicado nada.", Pages: "Otras páginas", Newer: "Más recientes",
			Older: "Más antiguas", Feed: "Suscribirse al canal"},
	}},
	{language.Portuguese, pageTexts{
		Send: "Enviar", Required: "obrigatório", LeaveEmpty: "Deixe este campo vazio", Wrong: "Corrija o seguinte.",
		Missing: "é obrigatório", Email: "não é um endereço de e-mail", URL: "não é um endereço http ou https",
		Number: "não é um número", Date: "não é uma data",
		Notices: map[Notice]noticeText{
			Thanks:    {"Obrigado", "As suas respostas foram enviadas."},
			Gone:      {"Este link não está disponível", "Foi pausado ou removido."},
			NotFound:  {"Página não encontrada", "Não há nenhum link neste endereço."},
			Withdrawn: {"Esta página foi retirada", "O motivo:"},
			Embargoed: {"Esta página ainda não é pública", "Abre em:"},
			Ended:     {"Este link terminou", "O seu prazo acabou, ou foi aberto tantas vezes quantas o previsto."},
		},
		Password: passwordTexts{
			Title: "É necessária uma palavra-passe", Label: "Palavra-passe", Open: "Abrir",
			Text:  "O conteúdo deste link está protegido. Introduza a palavra-passe que recebeu.",
			Wrong: "Essa não é a palavra-passe.", TooMany: "Houve demasiadas tentativas. Tente novamente mais tarde.",
			Unavailable: "A palavra-passe não pode ser verificada agora. Tente novamente mais tarde.",
			Right:       "A palavra-passe está correta", Continue: "Continuar para o conteúdo",
		},
		Brand: brandTexts{Imprint: "Ficha técnica", Privacy: "Privacidade"},
		Newsroom: newsroomTexts{Title: "Notícias", Empty: "Ainda não foi publicado nada.", Pages: "Outras páginas", Newer: "Mais recentes",
			Older: "Mais antigas", Feed: "Subscrever o feed"},
	}},
	{language.Italian, pageTexts{
		Send: "Invia", Required: "obbligatorio", LeaveEmpty: "Lasciare vuoto", Wrong: "Correggere quanto segue.",
		Missing: "è obbligatorio", Email: "non è un indirizzo e-mail", URL: "non è un indirizzo http o https",
		Number: "non è un numero", Date: "non è una data",
		Notices: map[Notice]noticeText{
			Thanks:    {"Grazie", "Le risposte sono state inviate."},
			Gone:      {"Questo link non è disponibile", "È stato sospeso o rimosso."},
			NotFound:  {"Pagina non trovata", "A questo indirizzo non c’è alcun link."},
			Withdrawn: {"Questa pagina è stata ritirata", "Il motivo:"},
			Embargoed: {"Questa pagina non è ancora pubblica", "Si apre il:"},
			Ended:     {"Questo link è terminato", "Il suo tempo è scaduto, o è stato aperto quanto previsto."},
		},
		Password: passwordTexts{
			Title: "Password necessaria", Label: "Password", Open: "Apri",
			Text:  "Il contenuto di questo link è protetto. Inserisca la password che ha ricevuto.",
			Wrong: "Questa non è la password.", TooMany: "I tentativi sono stati troppi. Riprovi più tardi.",
			Unavailable: "La password non può essere verificata ora. Riprovi più tardi.",
			Right:       "La password è corretta", Continue: "Continua al contenuto",
		},
		Brand: brandTexts{Imprint: "Note legali", Privacy: "Privacy"},
		Newsroom: newsroomTexts{Title: "Notizie", Empty: "Non è ancora stato pubblicato nulla.", Pages: "Altre pagine", Newer: "Più recenti",
			Older: "Meno recenti", Feed: "Abbonarsi al feed"},
	}},
	{language.Dutch, pageTexts{
		Send: "Verzenden", Required: "verplicht", LeaveEmpty: "Laat dit leeg", Wrong: "Verbeter het volgende.",
		Missing: "is verplicht", Email: "is geen e-mailadres", URL: "is geen http- of https-adres",
		Number: "is geen getal", Date: "is geen datum",
		Notices: map[Notice]noticeText{
			Thanks:    {"Bedankt", "Uw antwoorden zijn verzonden."},
			Gone:      {"Deze link is niet beschikbaar", "De link is gepauzeerd of verwijderd."},
			NotFound:  {"Pagina niet gevonden", "Er is geen link op dit adres."},
			Withdrawn: {"Deze pagina is ingetrokken", "De reden:"},
			Embargoed: {"Deze pagina is nog niet openbaar", "Zij gaat open op:"},
			Ended:     {"Deze link is beëindigd", "De tijd is voorbij, of de link is zo vaak geopend als bedoeld was."},
		},
		Password: passwordTexts{
			Title: "Wachtwoord nodig", Label: "Wachtwoord", Open: "Openen",
			Text:  "De inhoud van deze link is beveiligd. Voer het wachtwoord in dat u hebt gekregen.",
			Wrong: "Dat is niet het wachtwoord.", TooMany: "Er waren te veel pogingen. Probeer het later opnieuw.",
			Unavailable: "Het wachtwoord kan nu niet worden gecontroleerd. Probeer het later opnieuw.",
			Right:       "Het wachtwoord klopt", Continue: "Verder naar de inhoud",
		},
		Brand: brandTexts{Imprint: "Colofon", Privacy: "Privacy"},
		Newsroom: newsroomTexts{Title: "Nieuws", Empty: "Er is nog niets gepubliceerd.", Pages: "Andere pagina’s", Newer: "Nieuwer",
			Older: "Ouder", Feed: "Abonneren op de feed"},
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

// PreferredLanguage returns the supported language that suits a reader's Accept-Language header best,
// as a BCP 47 tag.
func PreferredLanguage(accepted string) string {
	tags, _, err := language.ParseAcceptLanguage(accepted)
	if err != nil || len(tags) == 0 {
		return languages[0].tag.String()
	}
	_, i, _ := languageMatcher.Match(tags...)
	return languages[i].tag.String()
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
