package extract

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// notesPattern matches headings of sections after the text: references, footnotes, links and
// rights.
const notesPattern = `references?( and notes)?|(foot|end)?notes( and references)?|bibliography|works cited|citations|external links|sources|keywords|(rights|permissions)( and permissions)?|(how to )?cite this( (article|page|paper))?|funding|competing interests|conflicts? of interest|supplementary (material|information)|contents|` +
	`(einzel)?nachweise|anmerkungen|fußnoten|literatur(verzeichnis)?|weblinks|quellen|siehe auch|références|notes et références|voir aussi|liens externes|bibliographie|referencias|notas|véase también|enlaces externos|bibliografía|fuentes|note|voci correlate|collegamenti esterni|bibliografia|altri progetti|voetnoten|bronnen|externe links?|zie ook|przypisy|zobacz też|linki zewnętrzne|referências|ver também|ligações externas|fontes|` +
	`脚注|注釈|出典|参考文献|関連項目|外部リンク|参考资料|參考資料|参见|參見|外部链接|外部連結|注释|각주|참고 ?문헌|외부 링크|같이 보기|примечания|литература|ссылки|см\. также|источники|джерела|примітки|посилання|див\. також|المراجع|مراجع|وصلات خارجية|انظر أيضا|הערות שוליים|קישורים חיצוניים|ראו גם|kaynakça|dış bağlantılar|ayrıca bakınız|referenser|källor|externa länkar|se även`

// sectionOpeners match the start of a section after the text, in the most common languages.
var sectionOpeners = regexp.MustCompile(`(?i)^\W*(` +
	`related( (articles?|stories|posts|news|links|content|topics|reading|coverage|products?|items|searches))?|(you (may|might|can|could) )?(also )?(like|enjoy|be interested in)( this| these)?|` +
	`(recommended|suggested|further|more|additional) (for you|articles|stories|posts|reading|news|to read|to explore|videos?|resources)|more (from|in|about|by|stories|articles|news|like this)\b.{0,60}|` +
	`what to read next|read (next|also)|see also|don.t miss|up next|(most|also) (read|popular|viewed|shared)|trending( now)?|popular (posts|articles|now)|latest( (news|stories|posts|articles|from .{1,40}))?|recent (posts|articles|news|comments)|editor.s picks?|` +
	`(leave|post|add|write|submit) a (comment|reply|response)|(\d+ )?(comments?|responses?|replies|thoughts on .{0,80})( \(?\d+\)?)?|join the (conversation|discussion)|about the authors?|author bio|sponsored( (links|content|stories))|table of contents|` +
	`(das )?könnte (sie|dich|ihnen|dir) auch (interessieren|gefallen)|ähnliche (artikel|beiträge|themen)|mehr zum thema|weitere (artikel|beiträge|themen|nachrichten|meldungen)|verwandte (artikel|themen|beiträge)|lesen sie auch|auch interessant|meistgelesen|(\d+ )?kommentare?|kommentar (schreiben|verfassen)|schreibe einen kommentar|über (den autor|die autorin)|` +
	`(à lire|lire) (aussi|également)|articles? (similaires?|liés?|associés?|connexes?|recommandés?)|sur le même (sujet|thème)|vous (aimerez|pourriez|pourrez) (aussi|également|aimer).{0,40}|les plus lus|plus d.articles|(\d+ )?commentaires?|laisser un commentaire|à propos de l.auteur|` +
	`(artículos|noticias|entradas|contenidos|temas) (relacionad[oa]s|recomendad[oa]s|similares)|(también )?te (puede|podría) interesar|le puede interesar|(te )?puede(s)? (que )?(te )?(interesar|gustar).{0,20}|lea también|lee también|más (noticias|leídas|leído)|(\d+ )?comentarios?|deja (un|tu) comentario|sobre el autor|` +
	`(articoli|notizie|contenuti) (correlat[ie]|simili|consigliat[ie])|potrebbe(ro)? (anche )?interessar(ti|vi)( anche)?|ti potrebbe(ro)? (anche )?(interessare|piacere).{0,10}|leggi anche|(i )?più letti|(\d+ )?commenti|lascia un commento|sull.autore|` +
	`(gerelateerde?|verwante|aanbevolen) (artikelen|berichten|nieuws)|lees (ook|verder)|meer (nieuws|artikelen|van .{1,40})|meest gelezen|(\d+ )?reacties?|(geef|plaats) een reactie|over de auteur|` +
	`(powiązane|podobne|polecane) (artykuły|wpisy|tematy)|(zobacz|czytaj|przeczytaj) (też|także|również)|najczęściej czytane|komentarze|dodaj komentarz|o autorze|` +
	`(artigos|notícias|posts|matérias|conteúdos?) (relacionad[oa]s|semelhantes|recomendad[oa]s)|(você |talvez )?(também )?(pode|poderá) (também )?(gostar|se interessar|interessar).{0,10}|leia (também|mais)|veja (também|mais)|mais (lidas|lidos|notícias)|comentários?|deixe (um|seu) comentário|sobre o autor|` +
	`関連(記事|ニュース|リンク|キーワード|コンテンツ)|おすすめ(の)?(記事|情報)?|あわせて読みたい|こちらもおすすめ|人気記事|(アクセス)?ランキング|コメント|著者(プロフィール|について)|` +
	`相关(阅读|文章|新闻|推荐|链接|报道|内容)|相關(閱讀|文章|新聞|推薦|連結|報導)|推荐阅读|推薦閱讀|延伸阅读|延伸閱讀|热门(文章|推荐|新闻)|熱門(文章|新聞)|猜你喜欢|更多(文章|新闻|精彩)|评论|評論|发表评论|关于作者|` +
	`관련\s?(기사|뉴스|글)|추천\s?(기사|뉴스)|많이 본 (기사|뉴스)|댓글|` +
	`(читайте|смотрите) также|по теме|похожие (статьи|материалы|новости)|(ещё|еще) по теме|материалы по теме|самое (читаемое|популярное)|комментарии|оставить комментарий|об авторе|` +
	`(اقرأ|إقرأ) (أيضا|أيضًا|أيضاً|المزيد)|(مقالات|مواضيع|أخبار) ذات صلة|موضوعات متعلقة|الأكثر (قراءة|مشاهدة)|التعليقات|تعليقات|` +
	`כתבות (נוספות|קשורות)|אולי יעניין אותך|תגובות|` +
	`(ilgili|benzer) (haberler|yazılar|konular)|bunlar da ilginizi çekebilir|yorumlar|yorum yap|` +
	notesPattern + `|` +
	`(relaterade|liknande) (artiklar|inlägg|nyheter)|läs (också|även)|mest lästa|kommentarer|relaterte (artikler|saker)|les også|læs også` +
	`)\W*$`)

// promptLines match lines that ask the reader for an action.
var promptLines = regexp.MustCompile(`(?i)^\W*(` +
	`(share|tweet)( (this|on|via|your)\b.{0,40})?|follow (us|me)\b.{0,60}|written by|(sign up|subscribe)\b.{0,90}|(get|join) (the|our) (latest|newsletter|free|mailing)\b.{0,60}|newsletters?|sponsored( by .{0,40})?|advert(isement)?|ads? by .{0,40}|tags?( .{0,60})?|(filed under|topics|categories|keywords)(:.{0,80})?|(previous|next) (post|article)|(read|see|watch) more\b.{0,90}|(read|see|watch|listen)( (also|next|this|now))?\s?:.{1,90}|like this story\b.{0,40}|` +
	`(lesen sie|lies|mehr) (auch|dazu|zum thema)\b.{0,90}|(artikel|beitrag) teilen|teilen|schlagw(ort|orte|örter)(:.{0,80})?|anzeige|werbung|(zum|unser(en)?) newsletter.{0,60}|` +
	`(à lire|lire) (aussi|également)\b.{0,90}|partager( (cet|l.)? ?article)?|mots.clés(:.{0,80})?|publicité|(inscrivez|abonnez)-vous.{0,90}|` +
	`(lea|lee) también\b.{0,90}|(comparte|compartir)\b.{0,30}|etiquetas(:.{0,80})?|publicidad|suscríbe(te|se).{0,90}|leggi anche\b.{0,90}|condividi\b.{0,30}|pubblicità|iscriviti.{0,90}|` +
	`lees (ook|meer)\b.{0,90}|deel (dit|deze|via)\b.{0,30}|delen|advertentie|(zobacz|czytaj|przeczytaj) (też|także|również|więcej)\b.{0,90}|udostępnij.{0,30}|tagi(:.{0,80})?|reklama|` +
	`(leia|veja) (também|mais)\b.{0,90}|(compartilhe|partilhar)\b.{0,30}|assine.{0,90}|publicidade|(この)?記事をシェア(する)?|シェア(する)?|タグ|広告|分享(到|至)?|广告|標籤|标签|공유하기|태그|광고|` +
	`(читайте|смотрите) также.{1,90}|поделиться.{0,30}|теги|реклама|(اقرأ|إقرأ) (أيضا|أيضًا|أيضاً).{1,90}|شارك.{0,20}|שתפו.{0,20}|paylaş|etiketler|läs (också|även|mer)\b.{0,90}|dela( artikeln)?|les også\b.{0,90}|læs (også|mere)\b.{0,90}` +
	`)\W*$`)

// labelLines match lines around a text that are not part of it.
var labelLines = regexp.MustCompile(`(?i)^\W*(` +
	`(by|von|par|por|di|door|autor|author|text|words|reporting by|photos?|fotos?|foto|image|bild|credits?|source|quelle|via)\s*:?\s.{2,60}|` +
	`(published|updated|posted|last (updated|modified)|first published|veröffentlicht|aktualisiert|stand|publié|mis à jour|publicado|actualizado|pubblicato|aggiornato|gepubliceerd|opublikowano|publicado em|atualizado)\b.{0,80}|` +
	`.{0,40}\b\d{1,3}[- ](min(ute)?s?|minuten|minutos|minuti|minut)\b( (read|lesezeit|de lecture|de lectura|di lettura|leestijd|czytania|de leitura))?|` +
	`(facebook|twitter|linkedin|whatsapp|pinterest|e-?mail|reddit|telegram|print|copy link|link copied.?|tweet|pin|x|drucken|imprimer|imprimir|stampa|pint|baixar|save|listen|play|pause|close|menu|search|home|back to top|skip to .{0,20}|advertisement|click here.{0,40}|loading.{0,3})([\s|/,·•]+(facebook|twitter|linkedin|whatsapp|pinterest|e-?mail|reddit|telegram|print|copy link|tweet|pin|x|drucken|imprimer|share|pint|baixar|save))*|` +
	`(©|copyright|\(c\)).{0,120}` +
	`)\W*$`)

// rightsLine matches a reservation of rights, which often ends like a sentence.
var rightsLine = regexp.MustCompile(`(?i)^\W*(.{0,60}all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|` +
	`tutti i diritti riservati|todos os direitos reservados|alle rechten voorbehouden|wszelkie prawa zastrzeżone|все права защищены)\b?.{0,120}$`)

// dateLine matches a line with a date and little else.
var dateLine = regexp.MustCompile(`(?i)^.{0,30}\b((19|20)\d\d[-./年]\s?\d{1,2}[-./月]\s?\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](19|20)?\d\d|\p{L}{3,12}\.? \d{1,2}(st|nd|rd|th)?,? (19|20)\d\d|\d{1,2}\.?º?( de)? \p{L}{3,12}\.?,?( de)? (19|20)\d\d)\b.{0,40}$`)

// maxLabelLength is the maximum length in letters of a label or a section opener.
const maxLabelLength = 100

// trimSurroundings removes non-text blocks from the chosen blocks: the title, by-lines and dates
// above the text, sections with a known heading, and lines that are only labels.
func (b *blockVotes) trimSurroundings(in []bool, title string) {
	first := b.firstParagraph(in)
	titleKey := keyOf(title)
	for i, block := range b.blocks {
		if !in[i] {
			continue
		}
		if b.nodes.isCellLabel(block) || block.kind == paragraphBlock && block.linkShare() > 0.9 &&
			!endsSentence(block.text) {
			in[i] = false
			continue
		}
		if len(block.key) > maxLabelLength {
			continue
		}
		if block.kind == rowBlock || block.kind == paragraphBlock && isLeadDateline(block.text) {
			continue // a date or a source in a table is its content, as is where a text was written
		}
		above := i < first
		repeats := above && block.kind != itemBlock &&
			(block.key == titleKey || len(block.key) > 8 && strings.HasPrefix(titleKey, block.key) &&
				block.kind == headingBlock)
		byline := above && block.kind == paragraphBlock && block.letters() < maxLabelLength/2 &&
			!endsSentence(block.text)
		if byline || repeats || block.kind != codeBlock && promptLines.MatchString(block.text) ||
			labelLines.MatchString(block.text) && !endsSentence(block.text) || rightsLine.MatchString(block.text) ||
			above && block.kind != headingBlock && dateLine.MatchString(block.text) {
			in[i] = false
		}
	}
	homes := &homeFinder{blockVotes: b, in: in, lengths: map[*html.Node]int{}}
	for i, block := range b.blocks {
		if in[i] && i > first && len(block.key) <= maxLabelLength && block.kind != codeBlock &&
			block.kind != rowBlock && sectionOpeners.MatchString(block.text) {
			b.cutSection(in, i, homes.precedingHome(i))
		}
	}
}

// endsSentence reports whether a line ends with closing punctuation.
func endsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?…。！？؟।”\"»", last)
}

// minParagraphLength is the minimum length in letters of a paragraph of the text.
const minParagraphLength = 80

func (b *blockVotes) firstParagraph(in []bool) int {
	for i, block := range b.blocks {
		if in[i] && block.kind != headingBlock && len(block.key) >= minParagraphLength {
			return i
		}
	}
	return len(b.blocks)
}

// cutSection removes the section from the block to the point where the text's own element
// continues, or to the end.
func (b *blockVotes) cutSection(in []bool, at int, home *html.Node) {
	for i := at; i < len(b.blocks); i++ {
		block := b.blocks[i]
		resumes := i > at && areSiblings(paragraphContainer(block.node), home) &&
			(len(block.key) >= minParagraphLength || block.kind == headingBlock) && block.linkShare() < 0.5
		if resumes && !sectionOpeners.MatchString(block.text) {
			return
		}
		in[i] = false
	}
}

// homeFinder finds the elements that hold the chosen paragraphs, in one pass over the blocks.
type homeFinder struct {
	*blockVotes
	in      []bool
	next    int // the first block that is not counted
	lengths map[*html.Node]int
	home    *html.Node
}

// precedingHome returns the element that directly holds most of the chosen paragraphs before the
// block. Further calls are for later blocks.
func (f *homeFinder) precedingHome(at int) *html.Node {
	for ; f.next < at; f.next++ {
		block := f.blocks[f.next]
		if !f.in[f.next] || block.kind == itemBlock {
			continue
		}
		n := paragraphContainer(block.node)
		f.lengths[n] += len(block.key)
		if f.home == nil || f.lengths[n] > f.lengths[f.home] {
			f.home = n
		}
	}
	return f.home
}

// areSiblings reports whether two elements are the same or are close and have the same name, as
// sections of a text do.
func areSiblings(a, b *html.Node) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	if a.Parent != b.Parent && (a.Parent == nil || b.Parent == nil || a.Parent.Parent != b.Parent.Parent) {
		return false
	}
	return a.DataAtom == b.DataAtom && attributeValue(a, "class") == attributeValue(b, "class")
}

// paragraphContainer returns the element that contains a paragraph.
func paragraphContainer(n *html.Node) *html.Node {
	switch n.DataAtom {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Pre:
		return n.Parent
	}
	return n
}
