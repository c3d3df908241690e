package speaker_test

import (
	"strings"
	"testing"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
	"rostrum/testkit/hostile"
)

// rules has a text for each rule, with a passage and its speaker; "" stands for an unknown speaker, "-" for no statement.
var rules = []struct {
	name, text string
	want       [][2]string
}{
	{"words that an answer copies", "From: Dana Whitlock\n\nI do not agree.\n\nOn 3 March 2026 Adam Roy wrote:\n> I think the hall is lost.\n> We give up.", [][2]string{{"I do not agree.", "Dana Whitlock"}, {"I think the hall is lost.", ""}, {"We give up.", ""}}},
	{"answer below the words that it copies", "From: Dana Whitlock\n\nOn 3 March 2026 Adam Roy wrote:\n> I think the hall is lost.\n\nI do not agree. I keep it.", [][2]string{{"I do not agree.", "Dana Whitlock"}, {"I think the hall is lost.", ""}}},
	{"forwarded message", "From: Dana Whitlock\n\nI send you this.\n\n---- Forwarded message ----\nFrom: Peter Kern\nTo: Dana Whitlock\n\nI think the hall is lost. “We give up,” said Amy Stone.", [][2]string{{"I send you this.", "Dana Whitlock"}, {"I think the hall is lost.", ""}, {"We give up", "Amy Stone"}}},
	{"weitergeleitete Nachricht", "Von: Karin Vogt\n\nIch sende Ihnen das.\n\nUrsprüngliche Nachricht\nVon: Jan Peters\n\nIch halte die Halle für verloren.", [][2]string{{"Ich sende Ihnen das.", "Karin Vogt"}, {"Ich halte die Halle für verloren.", ""}}},
	{"speech in marked lines only", "> Remarks by Dana Whitlock\n\n> I close the hall. I am sorry.", [][2]string{{"I close the hall.", "Dana Whitlock"}}},
	{"reaction to remarks", "Reaction to the remarks by Dana Whitlock\n\nI do not believe it. We were the last to know.", [][2]string{{"I do not believe it.", ""}, {"We were the last to know.", ""}}},
	{"opinion of a statement", "What I think of the statement by Dana Whitlock\n\nI do not believe it. We were the last to know.", [][2]string{{"We were the last to know.", ""}}},
	{"parody of remarks", "Remarks by Dana Whitlock, as imagined by Raj Menon\n\nI close the hall. I pay nobody.", [][2]string{{"I pay nobody.", ""}}},
	{"transcript of remarks", "Full transcript of the opening remarks by Dana Whitlock\n\nI close the hall. I am sorry.", [][2]string{{"I am sorry.", "Dana Whitlock"}}},
	{"Antwort auf eine Rede", "Antwort auf die Rede von Dana Whitlock\n\nIch glaube davon kein Wort. Wir haben es als Letzte erfahren.", [][2]string{{"Wir haben es als Letzte erfahren.", ""}}},
	{"Wortlaut einer Rede", "Der Wortlaut der Rede von Karin Vogt\n\nIch schließe die Halle. Wir haben es versucht.", [][2]string{{"Ich schließe die Halle.", "Karin Vogt"}}},
	{"réponse à un discours", "Réponse au discours de Claire Fontaine\n\nJe n'en crois pas un mot. Nous avons été les derniers informés.", [][2]string{{"Nous avons été les derniers informés.", ""}}},
	{"respuesta a un discurso", "Respuesta al discurso de Elena Robles\n\nNo creo una palabra. Nosotros fuimos los últimos en saberlo.", [][2]string{{"Nosotros fuimos los últimos en saberlo.", ""}}},
	{"verb that no lexicon has", "“Refunds don't rebook a wedding,” thundered Magnus Iredale.", [][2]string{{"Refunds don't rebook a wedding", "Magnus Iredale"}}},
	{"initials that minutes give in brackets", "Present: Nora Lamb (NL), Gareth Moss-Price (GMP)\n\nGMP reported that the gate was shut.", [][2]string{{"the gate was shut.", "Gareth Moss-Price"}}},
	{"initials at the end of a note in brackets", "Minutes of the board\n\nPresent: Nora Lamb (chair, NL), Adam Roy (treasurer, AR)\n\nNL reported that the gate was shut.", [][2]string{{"the gate was shut.", "Nora Lamb"}}},
	{"first name of another language", "Ayodele Emre Tasgin waited. Aylin Kaya spoke. Emre Özbay came home. “It banged twice,” he said.", [][2]string{{"It banged twice", "Emre Özbay"}}},
	{"first name for men in one language and for women in another", "Karl Rade spoke. Jocelyn Faulks said she hoped for sun. “Safety comes first,” she said.", [][2]string{{"Safety comes first", "Jocelyn Faulks"}}},
	{"paragraph of a quotation below the speaker's", "“It is the first week,” Nora Lamb said.\n\n“I have a shed full of fruit.\n\n“By Sunday it will be jam.”", [][2]string{{"I have a shed full of fruit.", "Nora Lamb"}, {"By Sunday it will be jam.", "Nora Lamb"}}},
	{"paragraph of a quotation below another sentence", "“It is the first week,” Nora Lamb said. Adam Roy laughed.\n\n“I have a shed full of fruit.”", [][2]string{{"I have a shed full of fruit.", ""}}},
	{"title with a full stop inside", "Landesrätin Mag.a Beatrix Lanz hob die Pflege hervor. „Niemand soll fortziehen müssen“, so die Landesrätin.", [][2]string{{"Niemand soll fortziehen müssen", "Beatrix Lanz"}}},
	{"answerer beside the asker in the opening", "ENTRETIEN. Gardienne du phare, Inès Caravelle raconte la mer. Propos recueillis par Loïc Hamonic.\n\nAviez-vous peur ?\n\nLa première nuit, oui.\n\nEt après ?\n\nOn s'habitue au bruit.", [][2]string{{"La première nuit, oui.", "Inès Caravelle"}, {"Aviez-vous peur ?", "Loïc Hamonic"}}},
	{"reflexive verb that no lexicon has", "« Deux lignes pour en supprimer une », s'indigne Mireille Castagnet, maire de la commune.", [][2]string{{"Deux lignes pour en supprimer une", "Mireille Castagnet"}}},
	{"day behind the verb at the end", "Jean Terrasson se veut rassurant. Rien ne sera fait avant l'été, a-t-il indiqué mardi.", [][2]string{{"Rien ne sera fait avant l'été", "Jean Terrasson"}}},
	{"letter that reports others", "Dear all,\n\nI met the porter. The porter told me that nobody had asked us. The gate stays shut.\n\nYours sincerely,\n\nNora Lamb", [][2]string{{"I met the porter.", "Nora Lamb"}, {"nobody had asked us.", ""}, {"The gate stays shut.", "Nora Lamb"}}},
	{"letter of somebody from a place", "Carta abierta de la presidenta de la Cámara de Río Claro\n\nEstimados socios:\n\nEl recinto no se hará.\n\nUn cordial saludo,\n\nMarcela Ibarra\nPresidenta", [][2]string{{"El recinto no se hará.", "Marcela Ibarra"}}},
	{"address of a letter", "Señor don Joaquín Abellán:\n\nLe escribo desde el andén.\n\nAtentamente,\n\nTeresa Ortuño", [][2]string{{"Le escribo desde el andén.", "Teresa Ortuño"}}},
	{"two last names", "El alcalde, Rubén Ochoa Lira, habló de la línea. «La línea no abre hasta mañana», dijo Rubén Ochoa.", [][2]string{{"La línea no abre hasta mañana", "Rubén Ochoa Lira"}}},
	{"note in brackets inside a turn", "Nora Lamb: Any questions? (Silence.) Then we vote.\n\nAdam Roy: Yes.\n\nNora Lamb: Good.", [][2]string{{"(Silence.)", "-"}, {"Then we vote.", "Nora Lamb"}}},
	{"initials that are a last name too", "Present: Laura Ingram (LI), Wei Li (WL)\n\nLI reported that the gate was shut.", [][2]string{{"the gate was shut.", ""}}},
	{"label that is an address too", "Nora Lamb: Any questions?\n\nMr Chairman: You are out of order.\n\nNora Lamb: I am not.", [][2]string{{"You are out of order.", ""}, {"I am not.", "Nora Lamb"}}},
	{"minutes without a conjunction", "Minutes of the board\n\nPresent: Nora Lamb (Chair); the Clerk (Mrs Ivy Moss)\n\n1. Gate\nMs Lamb proposed a new gate. The Clerk promised to ask three firms. The Chairman declared the meeting closed.", [][2]string{{"Ms Lamb proposed a new gate.", "Nora Lamb"}, {"The Clerk promised to ask three firms.", "Ivy Moss"}, {"The Chairman declared the meeting closed.", ""}}},
	{"minutes with any verb", "Quay Committee – notes\n\nAttending: Nora Lamb (NL, chair), Ivy Moss (IM)\n\n1. Lift\nNL had two complaints and favours a new lift. IM is elected treasurer. Ms Moss will find three firms. Ms Lamb, who had a letter, left the meeting.", [][2]string{{"NL had two complaints and favours a new lift.", "Nora Lamb"}, {"IM is elected treasurer.", ""}, {"Ms Moss will find three firms.", ""}, {"left the meeting", ""}}},
	{"note after a speech", "Remarks by Nora Lamb, President of Moor College\n\nGood morning, graduates. I thank your families.\n\nThe moor is open.\n\n(Applause)\n\nMoor College has two halls.", [][2]string{{"The moor is open.", "Nora Lamb"}, {"Moor College has two halls.", ""}}},
	{"advertisement in a transcript", "Nora Lamb: We begin.\n\nAdam Roy: Gladly.\n\n[Ad break]\n\nThis part is paid for by Moor Water.\n\nNora Lamb: We are back.", [][2]string{{"Gladly.", "Adam Roy"}, {"This part is paid for by Moor Water.", ""}, {"We are back.", "Nora Lamb"}}},
	{"question after a dash between labels", "Ana Roca y Luis Prado tienen un horno.\n\n—¿Cómo empezaron?\n\nAna Roca: Con un saco de harina.\n\nLuis Prado: Con dos.\n\n—¿Y ahora?\n\nAna Roca: Con mil.", [][2]string{{"Con dos.", "Luis Prado"}, {"¿Y ahora?", ""}, {"Con mil.", "Ana Roca"}}},
	{"age after a sentence in front", "Das Feuer brach in der Nacht aus. Jens Roth war von der Schicht heimgekommen. „Es hat zweimal laut gekracht“, sagt der 34-Jährige.", [][2]string{{"Es hat zweimal laut gekracht", "Jens Roth"}}},
	{"noun after a sentence in front", "Die Klinik schließt im Sommer. Jens Roth sprach von einem bitteren Tag. „Ich habe hier vielen Kindern geholfen“, sagte der Mediziner.", [][2]string{{"Ich habe hier vielen Kindern geholfen", "Jens Roth"}}},
	{"verb without a subject in a paragraph about one person", "El ensayo lo dirige en la ciudad el neurólogo Luis Prado. Es pronto para los resultados. «Vemos mejoras en el sueño de todos», apunta.", [][2]string{{"Vemos mejoras en el sueño de todos", "Luis Prado"}}},
	{"verb without a subject in a speech", "Discurso de Inés Prado\n\nMe llevo el enfado de Ana Roca. Y me llevo una nota anónima: «¿Quién habla de los precios?».", [][2]string{{"¿Quién habla de los precios?", ""}}},
	{"verb of saying in a source's words", "The union met in the hall. According to Darren Moyle, the company replied to the union.", [][2]string{{"the company replied to the union", "Darren Moyle"}}},
	{"source of somebody else's words", "The union met in the hall. According to Darren Moyle, the mayor said that the hall was old.", [][2]string{{"the hall was old", ""}}},
	{"pronoun after a sentence without a person as its subject", "A stoppage would delay the ships, says Theo Haldane. “The toys are already in the shops,” he said.", [][2]string{{"The toys are already in the shops,", "Theo Haldane"}}},
	{"pronoun after a sentence with an object in front", "Le car transporte quatre voyageurs. Un chiffre que conteste Paul Roy. « Ils ont compté en plein mois d'août », explique-t-il.", [][2]string{{"Ils ont compté en plein mois d'août", "Paul Roy"}}},
	{"short forms of a list", "Besprechungsprotokoll Kita\n\nTeilnehmer: Verena Lohse (LO, Bauherrin), Thorsten Quast (QU, Bauleitung)\n\nLO fragt nach einem Plan B. QU: „Föhnen.“ LO findet das nicht komisch.", [][2]string{{"Föhnen.", "Thorsten Quast"}, {"LO findet das nicht komisch.", "Verena Lohse"}}},
	{"verb of saying between commas", "Nora Lamb met the board in the hall. No order had been signed, she insisted, and none would be.", [][2]string{{"No order had been signed, she insisted, and none would be.", "Nora Lamb"}}},
	{"two last names in a label", "Comparece el gerente, don Gonzalo Teruel.\n\nEl Sr. TERUEL PONS: Gracias.\n\nLa Sra. ROCA: ¿Cuántas veces?\n\nEl Sr. TERUEL PONS: Cuatro veces.", [][2]string{{"Gracias.", "Gonzalo Teruel"}, {"Cuatro veces.", "Gonzalo Teruel"}}},
	{"two last names of somebody else", "Habló la periodista María Ruiz.\n\nEl Sr. RUIZ PÉREZ: Gracias.\n\nLa Sra. ROCA: ¿Cuántas veces?\n\nEl Sr. RUIZ PÉREZ: Cuatro veces.", [][2]string{{"Cuatro veces.", "RUIZ PÉREZ"}}},
	{"act outside minutes", "Nora Lamb came to the hall. Ms Lamb proposed a new gate.", [][2]string{{"Ms Lamb proposed a new gate.", ""}}},
	{"minutes with a letter", "Minutes of the board\n\nPresent: Nora Lamb (Chair)\n\nMs Lamb read out a letter, which requested a new gate.", [][2]string{{"Ms Lamb read out a letter, which requested a new gate.", ""}}},
	{"holder of a role in a list", "Acta\n\nSe reúnen la presidenta Rocío Prado, el tesorero Luis Prieto y la directora de la escuela Elena Frías.\n\nLa directora informa que hace frío. El tesorero promete estufas y pide paciencia.", [][2]string{{"hace frío", "Elena Frías"}, {"pide paciencia", "Luis Prieto"}}},
	{"role with its holder above the turns", "Verhandlungsleiter: Regierungsdirektor Karl Rade\nFür die Firma: Corinna Fuhs\n\nVerhandlungsleiter: Wir beginnen.\n\nFuhs: Danke sehr.\n\nVerhandlungsleiter: Bitte.", [][2]string{{"Wir beginnen.", "Karl Rade"}, {"Danke sehr.", "Corinna Fuhs"}}},
	{"newspaper in capital letters", "Ein Gespräch mit Anna Sorge\n\nTAGBLATT: Spielen Sie noch?\n\nSorge: Gegen die Schafe.\n\nTAGBLATT: Und gewinnen Sie?\n\nSorge: Nie.", [][2]string{{"Spielen Sie noch?", ""}, {"Gegen die Schafe.", "Anna Sorge"}}},
	{"names with times", "I am Nora Lamb, and with me is Adam Roy.\n\nNORA 00:12\nThe station is empty.\n\nADAM 00:20\nIt waits for its trains.\n\nNORA 00:31\nSince when?", [][2]string{{"The station is empty.", "Nora Lamb"}, {"It waits for its trains.", "Adam Roy"}, {"NORA 00:12", "-"}}},
	{"heading of minutes with a colon", "Board Meeting Minutes\n\nPresent: Don Kolva, Alan Dietz\n\nTREASURER’S REPORT: Mr. Kolva reported a balance of four pounds.\n\nMANAGER’S REPORT: Mr. Dietz stated that the lift was safe.", [][2]string{{"a balance of four pounds", "Don Kolva"}, {"the lift was safe", "Alan Dietz"}}},
	{"initials with a title's letter", "Marceline Abadie, horlogère. Propos recueillis par Jean Roy\n\nQui vous a formée ?\n\nMarceline Abadie : Un vieux monsieur.\n\nEst-il mort ?\n\nM. A. : Depuis longtemps.\n\nVous arrêtez quand ?\n\nM. A. : Jamais.", [][2]string{{"Depuis longtemps.", "Marceline Abadie"}, {"Est-il mort ?", "Jean Roy"}}},
	{"answerer who talked to the asker", "Graciela Heredia, intérprete\n\nEn su casa conversó con Tomás Prado.\n\n—¿Cuándo aprendió?\n\n—Antes que a hablar.\n\n—¿Y le gusta?\n\n—Mucho, sí.", [][2]string{{"¿Cuándo aprendió?", "Tomás Prado"}, {"Antes que a hablar.", "Graciela Heredia"}}},
	{"relative with the last name of somebody named before", "Gail Brand spoke. “We pay for it,” Brand said. Ned Brand is her uncle.", [][2]string{{"We pay for it", "Gail Brand"}}},
	{"letter about somebody's finding", "Dear all,\n\nI asked Frances Keough. She found that we had no rule for it. We have one now.\n\nYours sincerely,\n\nNora Lamb", [][2]string{{"She found that we had no rule for it.", ""}, {"We have one now.", "Nora Lamb"}}},
	{"letter that reports a person", "Dear all,\n\nI asked Frances Keough, our auditor. She said that we had no rule for it. We have one now.\n\nYours sincerely,\n\nNora Lamb", [][2]string{{"we had no rule for it.", "Frances Keough"}}},
	{"note on the sitting", "Nora Lamb: Any questions?\n\nAdam Roy: Yes.\n\nSitting suspended for a vote.\n\nNora Lamb: Good.", [][2]string{{"Sitting suspended for a vote.", ""}}},
	{"member without a name", "Mme Leïla Benamou. Cent douze.\n\nM. Paul Roy. Vraiment ?\n\nMme Leïla Benamou. Oui, à la page 9.\n\nUn député. C'est bien de le savoir !\n\nM. Paul Roy. Merci.", [][2]string{{"C'est bien de le savoir !", ""}, {"Cent douze.", "Leïla Benamou"}}},
	{"speech with notes around it", "Discurso de Inés Prado, rectora\n\n(Versión escrita)\n\nEstimadas autoridades:\n\nLas becas no se tocan. Muchas gracias.\n\nAl final se ofrecerá un café.", [][2]string{{"Las becas no se tocan.", "Inés Prado"}, {"Al final se ofrecerá un café.", ""}}},
	{"contact of a release", "Klinik eröffnet Station\n\nDie Klinik hat heute ihre neue Station in Betrieb genommen. „Jede Minute zählt“, sagt Nadine Overbeck.\n\nPressekontakt:\nLars Imhoff, Kommunikation", [][2]string{{"Die Klinik hat heute ihre neue Station in Betrieb genommen.", ""}, {"Jede Minute zählt", "Nadine Overbeck"}}},
	{"insertion between a verb and its conjunction", "El gobernador, Luis Quispe, habló. Recordó, sin embargo, que el río crece.", [][2]string{{"el río crece", "Luis Quispe"}}},
	{"report after a quotation", "«Nadie se queda en las zonas bajas», dijo a la prensa el gobernador, Luis Quispe. Indicó que el río crece.", [][2]string{{"el río crece", "Luis Quispe"}}},
	{"own view", "El portavoz, Iker Prado, habló. A su juicio, la medida llega tarde.", [][2]string{{"la medida llega tarde", "Iker Prado"}}},
	{"epithet", "La directora de Defensa Civil, Luciana Prado, llegó en tren. La funcionaria agregó que el agua está garantizada.", [][2]string{{"el agua está garantizada", "Luciana Prado"}}},
	{"epithet of somebody else", "El director, Luis Prado, llegó en tren. La funcionaria agregó que el agua está garantizada.", [][2]string{{"el agua está garantizada", ""}}},
	{"who takes the floor", "Acta del pleno\n\nAsistentes: D. Luis Prado, D.ª Ana Roca\n\nSe aprueba por unanimidad el acta de la sesión. Toma la palabra D. Luis Prado. Expone que la tasa sube por los costes. Propone un bono.", [][2]string{{"la tasa sube por los costes", "Luis Prado"}, {"Propone un bono.", "Luis Prado"}}},
	{"headline below its heading", "ENTREVISTA\n\nAna Roca, directora: “El silencio se ensaya”\n\nDirige a 84 jóvenes.\n\nP. ¿Cuántos violines?\n\nR. Nueve violines.\n\nP. ¿Y pianos?\n\nR. Un piano.", [][2]string{{"Dirige a 84 jóvenes.", ""}, {"Nueve violines.", "Ana Roca"}}},
	{"names in capital letters with roles", "Conferencia con Regina Villa y Alonso Kuri.\n\nREGINA VILLA, RELACIÓN CON INVERSIONISTAS\nBuenos días a todos.\n\nALONSO KURI, DIRECTOR GENERAL\nLas ventas crecieron.\n\nREGINA VILLA, RELACIÓN CON INVERSIONISTAS\nHay preguntas.", [][2]string{{"Las ventas crecieron.", "Alonso Kuri"}, {"Hay preguntas.", "Regina Villa"}}},
	{"clause without a person", "Holt read a letter.\n\n“We slept in the car,” it began.", [][2]string{{"We slept in the car", ""}}},
	{"colon without a verb", "Der Landrat, Falk Ehrhardt, trat ans Fenster: „Die Hilfe ist längst unterwegs.“", [][2]string{{"Die Hilfe ist längst unterwegs.", "Falk Ehrhardt"}}},
	{"sentence in front", "Carol Dunning laughed at that. “Then they replaced it with a louder one.”", [][2]string{{"Then they replaced it with a louder one.", "Carol Dunning"}}},
	{"sentence about two people", "Carol Dunning met Anders Holt. “Nobody warned us at all.”", [][2]string{{"Nobody warned us at all.", ""}}},
	{"verb without a subject", "El alcalde, Carlos Lozoya, le respondió. «La remolacha sí que viene», dijo.", [][2]string{{"La remolacha sí que viene", "Carlos Lozoya"}}},
	{"subject without a name", "Carlos Lozoya habló. «No nos dijeron nada», lamenta una operaria.", [][2]string{{"No nos dijeron nada", ""}}},
	{"report without a subject", "La Sra. Ferreiro manifiesta que su techo gotea. Añade que ha avisado cuatro veces.", [][2]string{{"ha avisado cuatro veces", "Ferreiro"}}},
	{"dialogue with a dash", "Hablaron todos en la plaza del pueblo.\n\n—No sabíamos nada —aseguró a este diario uno de ellos, Pedro Sanz—. Nos la vendieron así.", [][2]string{{"No sabíamos nada", "Pedro Sanz"}, {"Nos la vendieron así.", "Pedro Sanz"}}},
	{"one of several", "“It's the apprentices I feel for,” said one of them, Sal Okoro, 41.", [][2]string{{"It's the apprentices I feel for", "Sal Okoro"}}},
	{"person with a relative clause", "“They walked out early,” said Petra Dunlop. Quenby Kehoe, who leads the union, disagrees. “We saw no roster,” she said.", [][2]string{{"We saw no roster", "Quenby Kehoe"}}},
	{"neighbour without a name", "Noémie Cazal est partie. À sa place, sa voisine acquiesce. « C'est vraiment la mort », dit-elle.", [][2]string{{"C'est vraiment la mort", ""}}},
	{"pronoun after a preposition", "Le maire, Pierre Bastide, se tait. Selon lui, un repreneur s'était manifesté.", [][2]string{{"un repreneur s'était manifesté", "Pierre Bastide"}}},
	{"role with a title", "Mme Aubriot (présidente) ouvre la séance. La présidente répond que non.", [][2]string{{"La présidente répond que non.", "Aubriot"}}},
	{"new sentence between quotations", "Anna Lund déclare : « Ils ont mis mille ans. » Elle ajoute : « Ils n'ont rien compris. »", [][2]string{{"Ils n'ont rien compris.", "Anna Lund"}}},
	{"words of a speech that quotes", "Rede von Karin Vogt\n\nMeine Damen und Herren,\n\nein Kollege schrieb mir: „Sagen Sie uns die Wahrheit.“ Das will ich tun.\n\nIch danke Ihnen.", [][2]string{{"Sagen Sie uns die Wahrheit.", ""}, {"Das will ich tun.", "Karin Vogt"}}},
	{"speech with a line of its speaker", "THE RIVER IS OURS\n\nMeredith Pryce, chair of the Teme Trust\n\nFriends,\n\nLast month a boy fell in.", [][2]string{{"Last month a boy fell in.", "Meredith Pryce"}, {"THE RIVER IS OURS", "-"}}},
	{"speech to a house", "Statement to the House by the Minister of Transport, Jonah Pike\n\nMadam President,\n\nThe roof came down at four.", [][2]string{{"The roof came down at four.", "Jonah Pike"}}},
	{"letter with its signature", "Queridas compañeras:\n\nEl sistema falló el lunes.\n\nUn abrazo,\nEfrén Lizarraga", [][2]string{{"El sistema falló el lunes.", "Efrén Lizarraga"}}},
	{"bold questions", "Oona Farrant on flour\n\n**Was it a mistake?**\n\nNo, it was late.\n\n**The staff say that you hid.**\n\nThey are right.\n\n**What will you do?**\n\nSleep and bake.", [][2]string{{"No, it was late.", "Oona Farrant"}, {"The staff say that you hid.", ""}, {"They are right.", "Oona Farrant"}, {"Sleep and bake.", "Oona Farrant"}}},
	{"dashes that alternate", "Luz Vega habla del mar.\n\n—¿Qué pasa?\n\n—Pasa que hace calor.\n\n—Hay quien culpa a los furtivos.\n\n—Los conozco.\n\n—¿Pedirán ayudas?\n\n—Pediremos datos.", [][2]string{{"Pasa que hace calor.", "Luz Vega"}, {"Hay quien culpa a los furtivos.", ""}, {"Pediremos datos.", "Luz Vega"}}},
	{"question that addresses", "Ein Gespräch mit unserer Redakteurin Britta Sommer über Bäume. Thea Lindqvist erzählt.\n\n**Frau Lindqvist, warum?**\n\nDarum.\n\n**Und Ihre Leute?**\n\nDie haben abgestimmt.", [][2]string{{"Die haben abgestimmt.", "Thea Lindqvist"}}},
	{"questions of readers", "Frequently asked questions\nA message from Dana Okafor, chief executive\n\nHow do I get a refund?\nTake our jar to any shop.\n\nWho can I call?\nOur line is open.", [][2]string{{"Take our jar to any shop.", ""}, {"Our line is open.", ""}}},
	{"headline with a name", "Anna Vidal : « Une usine, ça se respire »\n\nElle reçoit dans son atelier.\n\n**Le regrettez-vous ?**\n\nLa date, pas la décision.\n\n**Et votre frère ?**\n\nIl navigue.", [][2]string{{"La date, pas la décision.", "Anna Vidal"}}},
	{"initials and a newspaper", "Entretien avec Anne Grandjean\n\nLe Phare : Êtes-vous inquiète ?\n\nAnne Grandjean : Attentive, oui.\n\nLe Phare : Les dockers crient.\n\nA. G. : Il n'y a pas de plan.\n\nA. G. : Il y a des départs.", [][2]string{{"Les dockers crient.", ""}, {"Il n'y a pas de plan.", "Anne Grandjean"}}},
	{"labels without names", "CHAIR: Order.\n\nUNIDENTIFIED SPEAKER: Shame on all of you!\n\nCHAIR: Order, please.", [][2]string{{"Shame on all of you!", ""}, {"Order, please.", ""}}},
	{"label with a role and a name", "La señora PRESIDENTA (Arrieta): Se abre la sesión.\n\nEl señor CEBRIÁN: El tren lleva un año parado.\n\nLa señora PRESIDENTA (Arrieta): Silencio.", [][2]string{{"Se abre la sesión.", "Arrieta"}, {"El tren lleva un año parado.", "CEBRIÁN"}}},
	{"names on lines beside labels", "Operator: Welcome.\n\nPiers Holloway -- Chief Executive\nWe had a hard half.\n\nEd Corrigan -- Analyst, Bank Merrow\nWhy keep the hall?\n\nPiers Holloway -- Chief Executive\nBecause we need it.", [][2]string{{"We had a hard half.", "Piers Holloway"}, {"Why keep the hall?", "Ed Corrigan"}, {"Because we need it.", "Piers Holloway"}}},
	{"note in brackets", "Vorsitzende Gisela Tamm: Ich eröffne die Sitzung.\n\nProf. Lutz Overbeck: Der Zustand ist bekannt.\n\n(Zuruf: Hört!)\n\nIch habe ein Gutachten geschrieben.\n\nVorsitzende Gisela Tamm: Danke sehr.", [][2]string{{"Ich habe ein Gutachten geschrieben.", "Lutz Overbeck"}, {"Hört!", "-"}}},
	{"initials with a dash", "Nora Blanc, directrice de la gare, répond aux questions de Jean-Luc Roy.\n\n**J.-L. R.** – La gare est vide.\n\n**N. B.** – Elle attend ses trains.\n\n**J.-L. R.** – Depuis quand ?\n\n**N. B.** – Depuis mars.", [][2]string{{"La gare est vide.", "Jean-Luc Roy"}, {"Elle attend ses trains.", "Nora Blanc"}, {"Depuis mars.", "Nora Blanc"}}},
	{"initials in one word", "Nora Lamb, chair of the station, spoke to Adam Roy.\n\nAR: The station is empty.\n\nNL: It waits for its trains.\n\nAR: Since when?\n\nNL: Since March.", [][2]string{{"The station is empty.", "Adam Roy"}, {"It waits for its trains.", "Nora Lamb"}}},
	{"two people with a last name", "Present: Nora Blanc (chair), Adam Blanc (works council), Ivy Moss (clerk)\n\nN. Blanc: The gate stays shut.\nA. Blanc: It was open all night.\nBlanc: Then ask the porter.\nMoss: The porter is ill.\nThe gate was then locked.", [][2]string{{"The gate stays shut.", "Nora Blanc"}, {"It was open all night.", "Adam Blanc"}, {"Then ask the porter.", ""}, {"The porter is ill.", "Ivy Moss"}, {"The gate was then locked.", ""}}},
	{"line without a label in minutes", "IVY MOSS: The gate stays shut.\nADAM ROY: It was open all night.\nIVY MOSS: Then ask the porter.\nA voice from the back: The porter is ill!\nADAM ROY: I am sorry.", [][2]string{{"The porter is ill!", ""}, {"Then ask the porter.", "Ivy Moss"}, {"I am sorry.", "Adam Roy"}}},
	{"names in capital letters on lines of their own", "With Nora Lamb and Adam Lamb. Ivy Moss asks.\n\nIVY MOSS\nIs the gate shut?\n\nNORA LAMB\nIt stays shut.\n\nVOICE IN THE HALL\nIt was open all night!\n\nLAMB\nThen ask the porter.\n\nADAM LAMB\nThe porter is ill.", [][2]string{{"Is the gate shut?", "Ivy Moss"}, {"It stays shut.", "Nora Lamb"}, {"It was open all night!", ""}, {"Then ask the porter.", ""}, {"The porter is ill.", "Adam Lamb"}}},
	{"names in capital letters with a dash", "Present: Nora Lamb (chair), Ivy Moss (clerk)\n\nNORA LAMB – The gate stays shut.\nIVY MOSS – It was open all night.\nNORA LAMB – Then ask the porter.\n", [][2]string{{"The gate stays shut.", "Nora Lamb"}, {"It was open all night.", "Ivy Moss"}, {"NORA LAMB –", "-"}}},
	{"place in capital letters with a dash", "NEW HARBOUR – The gate stayed shut on Monday.\n\nThe porter was ill.", [][2]string{{"The gate stayed shut on Monday.", ""}}},
	{"pronoun in a turn", "Ivy Moss: Is the gate shut?\n\nAdam Lamb: A porter came to me. He said: “Go home before it rains, son.” I went.\n\nIvy Moss: And then?", [][2]string{{"Go home before it rains, son.", ""}, {"I went.", "Adam Lamb"}}},
	{"answer to an indirect question", "Ivy Moss, the judge, asked whether he had seen the porter. “I was never near the gate.”", [][2]string{{"I was never near the gate.", ""}}},
	{"letter without a signer", "Dear editor,\n\nI read about the gate. Nobody told us.\n\nYours faithfully,\n\nName and address supplied\n\ncc: Adam Roy, Harbour Trust", [][2]string{{"Nobody told us.", ""}}},
	{"letter of two people", "Dear colleagues,\n\nWe are sorry for the gate.\n\nYours sincerely,\n\nNora Lamb and Adam Roy", [][2]string{{"We are sorry for the gate.", ""}}},
	{"letter to the person above it", "Frau\nNora Lamm\nVorstandsvorsitzende\n\nSehr geehrte Frau Lamm,\n\nich arbeite seit neun Jahren bei Ihnen. Niemand hat uns etwas gesagt.\n\nMit freundlichen Grüßen\nEine Mitarbeiterin aus Halle 3", [][2]string{{"Niemand hat uns etwas gesagt.", ""}}},
	{"letter to the person whose name is below it", "Dear Ms Lamb,\n\nI have worked for you for nine years. Nobody told us.\n\nFor the attention of:\nNora Lamb\n", [][2]string{{"Nobody told us.", ""}}},
	{"role after a note in parentheses", "Claire Roux (LR), maire de Nancy, a rencontré Ivo Brand. « L'usine ouvre en mai », a dit la maire.", [][2]string{{"L'usine ouvre en mai", "Claire Roux"}}},
	{"condition", "Dana Whitlock spoke on Monday. If Dana Whitlock said “there will be a new hall by May”, the shares would rise.", [][2]string{{"there will be a new hall by May", ""}}},
	{"hearsay", "Allegedly Dana Whitlock said: “There is no plan for us.”", [][2]string{{"There is no plan for us.", ""}}},
	{"possibility", "Laurent Roux dirige l'usine. Laurent Roux aurait confié à un ami : « C'était ça ou la faillite. »", [][2]string{{"C'était ça ou la faillite.", ""}}},
	{"source who repeats", "Laut Karin Vogt sagte der Bürgermeister noch im Mai: „Das alte Bad bleibt offen.“", [][2]string{{"Das alte Bad bleibt offen.", ""}}},
	{"thing with words", "Eusebio Marín sostiene una pancarta: «El mercado es del pueblo».", [][2]string{{"El mercado es del pueblo", ""}}},
	{"impersonal clause", "Staatsanwalt Jens Rohloff verlas die Anklage. „Die Angeklagte kannte jeden Menschen“, heißt es darin.", [][2]string{{"Die Angeklagte kannte jeden Menschen", ""}}},
	{"role with an indefinite article", "Die Sprecherin Lina Achatz kam. „Dazu äußern wir uns heute nicht“, teilte eine Sprecherin mit.", [][2]string{{"Dazu äußern wir uns heute nicht", ""}}},
	{"somebody without a name in front of a pronoun", "« Mon fils rentre affamé », dit Sandra Roux. À côté d'elle, une autre maman lève les yeux. « Le mien redemande des lentilles », dit-elle.", [][2]string{{"Le mien redemande des lentilles", ""}}},
	{"reported words of somebody else in a speech", "Speech by Dana Whitlock\n\nDear friends,\n\nThe mayor, Adam Roy, told me that the bridge was safe. I trust him.\n\nThank you.", [][2]string{{"the bridge was safe", "Adam Roy"}, {"I trust him.", "Dana Whitlock"}}},
	{"indirect speech in the subjunctive", "„Wir gehen“, sagte Karin Vogt. Die Halle sei zu alt.", [][2]string{{"Die Halle sei zu alt.", "Karin Vogt"}}},
	{"source behind a name", "Karin Vogt kam. Vogt zufolge steigen die Kosten.", [][2]string{{"steigen die Kosten", "Karin Vogt"}}},
	{"noun in front of a name", "„Das glaube ich nicht mehr“, sagte der Abgeordnete Ralf Tiedemann.", [][2]string{{"Das glaube ich nicht mehr", "Ralf Tiedemann"}}},
	{"labels with a title and a full stop", "M. Denis Roux, rapporteur. – Le barrage a tenu.\n\nMme LE MAIRE (Anne Blanc). – Depuis quand ?\n\nM. Denis Roux. – Depuis mars.\n\nMme LE MAIRE. – Votons donc.", [][2]string{{"Le barrage a tenu.", "Denis Roux"}, {"Votons donc.", "Anne Blanc"}}},
	{"labels in brackets", "[Dr. Karl Behnke, Vorsitzender]\nIch eröffne die Sitzung.\n\n[Beate Marx]\nDer Kurs hat sich halbiert.\n\n[Zwischenruf]\nUnd wer zahlt das?\n\n[Dr. Karl Behnke]\nWir zahlen das.", [][2]string{{"Der Kurs hat sich halbiert.", "Beate Marx"}, {"Und wer zahlt das?", ""}, {"Wir zahlen das.", "Karl Behnke"}}},
	{"label that cannot be read", "taz: Fehlt Ihnen nichts?\n\nSwantje Pop: Ein Stuhl.\n\ntaz: Was war Ihr Fehler?\n\nSwantje Pop: Der Keller.\n\ntaz: Danke sehr.\n\nSwantje Pop: Gern.", [][2]string{{"Was war Ihr Fehler?", ""}, {"Der Keller.", "Swantje Pop"}}},
	{"colon in the paragraph above", "Dana Whitlock, the head of Kestrel, said:\n\n“We close the old hall in May.”", [][2]string{{"We close the old hall in May.", "Dana Whitlock"}}},
	{"person who is told", "Ivo Brand was told by Dana Whitlock: “Not while I am here.”", [][2]string{{"Not while I am here.", ""}}},
	{"person who quotes", "Dana Whitlock quoted her father: “Not while I am here.”", [][2]string{{"Not while I am here.", ""}}},
	{"person who quotes and adds", "Dana Whitlock quoted her father and added: “Not while I am here.”", [][2]string{{"Not while I am here.", "Dana Whitlock"}}},
	{"person who hears", "“Not while I am here,” Ivo Brand heard Dana Whitlock say.", [][2]string{{"Not while I am here", ""}}},
	{"spokesman of a person", "“Not while I am here,” Dana Whitlock's spokesman said.", [][2]string{{"Not while I am here", ""}}},
	{"person who never said it", "Ivo Brand never said that the plant would open in May.", [][2]string{{"the plant would open in May", ""}}},
	{"person who may have said it", "If Ivo Brand said the plant would open, nobody heard it.", [][2]string{{"the plant would open", ""}}},
	{"person who holds a sign", "Dana Whitlock held up a sign: “Not while I am here.”", [][2]string{{"Not while I am here.", ""}}},
	{"person who wrote a letter", "Dana Whitlock wrote in a letter: “Not while I am here.”", [][2]string{{"Not while I am here.", "Dana Whitlock"}}},
	{"person who reads the paper", "Ivo Brand las in der Zeitung: „Das Werk wird nicht gebaut.“", [][2]string{{"Das Werk wird nicht gebaut.", ""}}},
	{"person who is told after the words", "“You will not stay here,” Dana Whitlock was told.", [][2]string{{"You will not stay here", ""}}},
	{"person who remembers", "“We had nothing to eat at all,” Dana Whitlock remembers.", [][2]string{{"We had nothing to eat at all", "Dana Whitlock"}}},
	{"words that somebody remembers", "Dana Whitlock remembers what her father said: “Not while I am here.”", [][2]string{{"Not while I am here.", ""}}},
	{"source with a subject of its own", "According to Dana Whitlock, her father said: “Not while I am here.”", [][2]string{{"Not while I am here.", ""}}},
	{"words of a third person", "Dana Whitlock said a driver had shouted: “Not while I am here.”", [][2]string{{"Not while I am here.", ""}}},
	{"role beside a person", "Speaking next to Dana Whitlock, the mayor said: “You will not stay here.”", [][2]string{{"You will not stay here.", ""}}},
	{"label with a remark that no rule reads", "Ivy Moss: The gate stays shut.\n\nAdam Roy: Since when?\n\nResident 2 (from the gallery): It was open all night!\n\nNobody told us.\n\nIvy Moss: Thank you.", [][2]string{{"Since when?", "Adam Roy"}, {"It was open all night!", ""}, {"Nobody told us.", ""}, {"Thank you.", "Ivy Moss"}}},
	{"label with a full stop that no rule reads", "M. Denis Roux. – Le barrage a tenu.\n\nMme Anne Blanc. – Depuis quand ?\n\nUne élue. – Depuis hier !\n\nM. Denis Roux. – Depuis mars.", [][2]string{{"Depuis quand ?", "Anne Blanc"}, {"Depuis hier !", ""}, {"Depuis mars.", "Denis Roux"}}},
	{"last name that ends like a role", "Karl Moosbauer: Die Halle ist zu.\n\nVera Lamm: Seit wann?\n\nMoosbauer: Seit Mai.", [][2]string{{"Seit Mai.", "Karl Moosbauer"}}},
	{"noun in front of last names", "Anwesend: Ratsfrau Vera Lamm, Ratsherr Emil Roth.\n\nRatsherr Roth merkt an, dass die Halle leer sei.", [][2]string{{"die Halle leer sei", "Emil Roth"}}},
	{"noun with an article in front of a name", "La potière Vera Lamm est venue. « Le four est froid », a dit la potière.", [][2]string{{"Le four est froid", "Vera Lamm"}}},
	{"marks within a quotation", "« Le curé m'a dit : “Prenez donc la clé.” C'était gentil », raconte Vera Roux.", [][2]string{{"Prenez donc la clé.", ""}, {"C'était gentil", "Vera Roux"}}},
	{"quoted words of a question", "Interview with Nora Lamb\n\n**The paper calls you “hard as a nail”. Are you?**\n\nNo.\n\n**Why not?**\n\nI am tired.", [][2]string{{"hard as a nail", ""}, {"I am tired.", "Nora Lamb"}}},
	{"words of a sign", "Remarks by Dana Whitlock\n\nDear friends,\n\nI saw the new sign: NO FOOD IN HERE. I laughed.", [][2]string{{"NO FOOD IN HERE.", ""}, {"I laughed.", "Dana Whitlock"}}},
	{"words of several people in a speech", "Discours de Vera Roux\n\nChers amis,\n\nles élèves ont conclu que le pont était vieux. Je les crois.", [][2]string{{"le pont était vieux", ""}, {"Je les crois.", "Vera Roux"}}},
	{"words that a speaker was told", "Remarks by Dana Whitlock\n\nDear friends,\n\nwe were told by the city that the bridge was safe. I doubt it.", [][2]string{{"the bridge was safe", ""}, {"I doubt it.", "Dana Whitlock"}}},
	{"words that the first person said", "Ivy Moss: What did you do?\n\nAdam Roy: I told them, “We never close the gate,” and I went.\n\nIvy Moss: And then?", [][2]string{{"We never close the gate", "Adam Roy"}}},
	{"subjunctive after a verb of saying", "Frau Lamm schildert die Lage. Von zehn Türen seien vier kaputt.", [][2]string{{"Von zehn Türen seien vier kaputt.", "Lamm"}}},
	{"subjunctive after a colon", "Vera Lamm sieht das anders: Die Halle sei zu alt.", [][2]string{{"Die Halle sei zu alt.", "Vera Lamm"}}},
	{"subjunctive around a quoted fragment", "Vera Lamm klagte, die Halle sei alt. Das Dach habe „schon lange ausgedient“.", [][2]string{{"schon lange ausgedient", "Vera Lamm"}}},
	{"shout in the passive", "Vera Lamm stellt klar, dass die Halle leer sei. Aus dem Saal wird gerufen, das sei gelogen.", [][2]string{{"das sei gelogen", ""}}},
	{"verb whose prefix ends the clause", "Dagegen wendet Vera Lamm ein, die Halle sei leer.", [][2]string{{"die Halle sei leer", "Vera Lamm"}}},
	{"ordinal of a role", "Der 1. Vorsitzende, Emil Roth, kam. Kassierer Otto Lamm schwieg. Der Vorsitzende lachte. „Das wird noch teuer für uns“, sagte er.", [][2]string{{"Das wird noch teuer für uns", "Emil Roth"}}},
	{"office in brackets", "Anwesend: Ratsfrau Vera Lamm (Vorsitz), Otto Kern.\n\nDie Vorsitzende erklärt, dass die Sitzung endet.", [][2]string{{"die Sitzung endet", "Vera Lamm"}}},
	{"office with a colon", "Présidente de séance : Mme Vera Roux. Secrétaire : M. Paul Lam.\n\nLa présidente rappelle que le règlement suffit.", [][2]string{{"le règlement suffit", "Vera Roux"}}},
	{"several roles in brackets", "Présents : Vera Roux (directrice, présidente du comité), Paul Lam (CGT), Dr Ada Petit (médecin).\n\nLa présidente affirme que tout va bien. Le médecin répond que non.", [][2]string{{"tout va bien", "Vera Roux"}, {"Le médecin répond que non.", "Ada Petit"}}},
	{"role with a name in brackets", "Moderatorin (Vera Lamm): Guten Abend.\n\nEmil Roth: Guten Abend.\n\nModeratorin: Wir beginnen.", [][2]string{{"Wir beginnen.", "Vera Lamm"}}},
	{"last name of two words", "Présents : Anne Le Goff, Paul Lam.\n\nMME LE GOFF : La porte est fermée.\n\nM. LAM : Depuis quand ?\n\nMME LE GOFF : Depuis mars.", [][2]string{{"Depuis mars.", "Anne Le Goff"}}},
	{"clause after a semicolon", "Pedro Sanz pide paciencia; Ana Vidal contesta que ya no queda.", [][2]string{{"ya no queda", "Ana Vidal"}}},
	{"clause with a verb of its own", "Dana Whitlock said the clerk had put it so: “Come back when it rains.”", [][2]string{{"Come back when it rains.", ""}}},
	{"introduction in italics", "**Vera Roux : « Le four est froid »**\n\n*Potière à Lille, elle publie un livre.*\n\n**Vous écrivez encore ?**\n\nPar ennui.\n\n**Et après ?**\n\nJe dors.", [][2]string{{"Potière à Lille, elle publie un livre.", ""}, {"Par ennui.", "Vera Roux"}}},
	{"newspaper with an article", "The Ledger met Ivy Moss.\n\nLedger: Is the gate shut?\n\nMoss: It is.\n\nLedger: Why?\n\nMoss: It rains.", [][2]string{{"Is the gate shut?", ""}, {"It rains.", "Ivy Moss"}}},
	{"questions without labels", "Die Forscherin Vera Lamm misst Pegel. Mit Emil Roth sprach sie über Regen.\n\n**Was misst man da?**\n\nLamm: Wasser.\n\n**Und nachts?**\n\nLamm: Auch Wasser.\n\n**Immer?**\n\nLamm: Immer.", [][2]string{{"Und nachts?", "Emil Roth"}, {"Auch Wasser.", "Vera Lamm"}}},
	{"label of the first question alone", "Ivy Moss has sold her kiln. She talks to Adam Roy about clay.\n\n**Adam Roy: Why now?**\n\nIt was cold.\n\n**Do you miss it?**\n\nI do not.", [][2]string{{"Do you miss it?", "Adam Roy"}, {"I do not.", "Ivy Moss"}}},
	{"plain paragraph between two labels of one person", "Ivy Moss: It is shut.\n\nAnd the gate?\n\nIvy Moss: It is open.\n\nSince when?\n\nIvy Moss: Since March.", [][2]string{{"And the gate?", ""}, {"Since March.", "Ivy Moss"}}},
	{"age in place of a name", "Vera Lamm bleibt im Verein. „Ich habe hier noch etwas vor“, sagt die 27-Jährige.", [][2]string{{"Ich habe hier noch etwas vor", "Vera Lamm"}}},
	{"epithet in place of a name", "Am Ofen steht Vera Lamm. „Der Ton ist heute zu nass“, sagt die gelernte Töpferin.", [][2]string{{"Der Ton ist heute zu nass", "Vera Lamm"}}},
	{"relative with a first name", "Remarks by Dana Whitlock\n\nDear friends,\n\nI asked my sister, Patricia, who laughed. “You will never change,” she said.", [][2]string{{"You will never change", "Patricia"}}},
	{"sender of a message", "From: Dana Whitlock\nTo: all staff\n\nDear all,\n\nThe hall closes in May. I am sorry.\n\nDana", [][2]string{{"The hall closes in May.", "Dana Whitlock"}}},
	{"person who talks to the first person", "Discurso de Ana Vidal\n\nQueridos amigos:\n\nAyer hablé con Pedro Sanz. «La grúa no tenía freno», me dijo.", [][2]string{{"La grúa no tenía freno", "Pedro Sanz"}}},
	{"paragraph above a verb without a subject", "El cine lo compró Pedro Sanz en mayo.\n\n«Aquí no queda ya nadie», cuenta en el vestíbulo.", [][2]string{{"Aquí no queda ya nadie", "Pedro Sanz"}}},
	{"rank in capital letters", "Present: PCSO Ben Lamb, Adam Roy.\n\nPCSO Lamb reported that the gate was open.", [][2]string{{"the gate was open", "Ben Lamb"}}},
	{"name of a firm", "Tarn Outdoor Group has a new head. Ms Okoro joined Tarn in May. “Our jackets last for years,” she said.", [][2]string{{"Our jackets last for years", "Okoro"}}},
	{"organization after its noun", "L'association Eau Claire salue « un premier pas fort sérieux ».", [][2]string{{"un premier pas fort sérieux", ""}}},
	{"name in capital letters with a title and a dash", "LE PRÉSIDENT – La parole est à vous.\n\nMME VERA ROUX – Où est le train ?\n\nM. PAUL LAM, DIRECTEUR – Au dépôt, madame.\n\nMME VERA ROUX – Merci.", [][2]string{{"Où est le train ?", "Vera Roux"}, {"Au dépôt, madame.", "Paul Lam"}}},
	{"neighbour as the subject of a sentence", "« Mon four est froid », dit Vera Roux. La voisine approuve. « Le mien est tiède », dit-elle.", [][2]string{{"Le mien est tiède", ""}}},
	{"role that is a last name", "“We shall not close it,” said Anna Porter.", [][2]string{{"We shall not close it", "Anna Porter"}}},
}

// TestRead_rules checks each rule by a text of its own.
func TestRead_rules(t *testing.T) {
	for _, c := range rules {
		t.Run(c.name, func(t *testing.T) {
			reading := speaker.Read(speaker.Source{Text: c.text})
			for _, want := range c.want {
				span, ok := text.Locate(c.text, want[0])
				if !ok {
					t.Fatalf("%q is not in the text", want[0])
				}
				found, isStatement := reading.Find(span.Start, span.End)
				got := found.Speaker
				if !isStatement {
					got = "-"
				}
				if got != want[1] && !speaker.SameName(got, want[1]) {
					t.Errorf("%q is said by %q (%s), want %q", want[0], got, found.Proof, want[1])
				}
			}
		})
	}
}

// TestRead_time checks that the time is linear in the length of hostile texts.
func TestRead_time(t *testing.T) {
	for name, line := range map[string]string{
		"quotations without ends": "“He said that the director, ",
		"pronouns":                "Ana Vidal spoke. “We go on with it,” she said. ",
		"subjectless verbs":       "«No lo sé todavía», dijo. El alcalde de la ciudad lo negó.\n\n",
		"labels":                  "Ana Vidal, director: Why?\n\nA. V.: Because.\n\n",
		"questions":               "**Is it you?**\n\nIt is our own work.\n\n",
		"questions and letters":   "Q. Is it you?\n\nA. It is our own work.\n\n",
		"dashes":                  "—¿Es usted? —preguntó—. No.\n\n—Sí —dijo él—. Claro.\n\n",
		"verbs":                   "said told added noted ",
		"passive verbs":           "was told, ",
		"quoted clauses":          "was told: “It is a sign for all.” ",
		"commas":                  "one of them, the director, ",
		"names":                   "Ana Ben Carl Dora Emil ",
		"one line":                "said Ana: «",
		"semicolons":              "the hall; ",
		"german colons":           "und die Halle : ",
		"labels without people":   "Gate: It rains.\n\nTower: It snows.\n\nThe hall: It is dry.\n\n",
		"capitals after a colon":  "it says: NO WAY ",
		"epithets":                "„Das geht so nicht“, sagt die Bäckerin und ",
		"roles with a colon":      "Chair: Ana Vidal. ",
	} {
		t.Run(name, func(t *testing.T) {
			hostile.CheckGrowth(t, 10_000/len(line), func(size int) func() {
				content := strings.Repeat(line, size)
				return func() { speaker.Read(speaker.Source{Text: content}).Statements() }
			})
		})
	}
}
