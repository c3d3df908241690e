package refusal_test

import (
	"testing"

	"rostrum/llm/text/refusal"
)

// TestIs checks refusals in seven languages, and statements of people that only resemble them.
func TestIs(t *testing.T) {
	for _, answer := range []string{
		"I can't help with that.", "I'm sorry, but I can't help with that request.", "I’m sorry, I cannot assist with this.",
		"As an AI language model, I do not have opinions.", "Sorry, but I am unable to provide that information.",
		"I apologize, but I cannot fulfill this request. It may harm people.", "I won't write this press release.",
		"Unfortunately, I am not able to help with this topic.", "I'm just an AI, so I have no view.",
		"Thank you for asking. I must decline this request.",
		"Es tut mir leid, aber dabei kann ich nicht helfen.", "Ich kann Ihnen dabei leider nicht helfen.",
		"Als KI-Sprachmodell habe ich keine Meinung.", "Ich kann diese Anfrage nicht erfüllen.",
		"Je suis désolé, mais je ne peux pas vous aider.", "Je ne peux pas répondre à cette demande.",
		"En tant qu'IA, je n'ai pas d'avis.", "Lo siento, pero no puedo ayudar con eso.",
		"Como modelo de lenguaje, no tengo opinión.", "No puedo ayudarte con eso.", "Mi dispiace, non posso aiutarti.",
		"Desculpe, mas não posso ajudar com isso.", "Het spijt me, maar ik kan hier niet mee helpen.",
		"抱歉，我无法协助完成这个请求。",
	} {
		if !refusal.Is(answer) {
			t.Errorf("not recognized: %s", answer)
		}
	}
	for _, answer := range []string{
		"I cannot support this plan as it stands.", "We cannot accept a levy on turbines.", "I can't wait for the opening.",
		"We are sorry for the delay and will refund every customer.", "As an engineer, I doubt the figures.",
		"I won't pay more for water.", "The plant opens in May. We cannot help every region at once.",
		"I am sorry that the works were noisy.", "Ich kann den Plan nicht unterstützen.",
		"Als Betriebsrat sehe ich das kritisch.", "Je ne peux pas accepter cette hausse.", "No puedo apoyar este plan.",
		"Como vecina, me preocupa el ruido.", "Tidewall opens its plant in May.",
	} {
		if refusal.Is(answer) {
			t.Errorf("taken for a refusal: %s", answer)
		}
	}
}
