/**
 * The words that mail programs write around quoted history, by language. Source: the interface texts of Outlook, Apple
 * Mail, Gmail, Thunderbird, Yahoo, Zoho and Lotus Notes. To add a language, add its words here.
 */

/**
 * The header field that a label denotes in a quoted header block. Labels of the kind `technical` occur only in header
 * blocks that the author has pasted.
 */
export type HeaderPart = "from" | "date" | "to" | "cc" | "subject" | "other" | "technical"

const headerWords: Readonly<Record<HeaderPart, string>> = {
  from:
    "from|de|von|van|da|från|fra|lähettäjä|od|feladó|de la|expeditor|от|від|kimden|gönderen|από|מאת|من|发件人|寄件者|寄件人|" +
    "差出人|送信者|보낸 사람|보낸사람|từ|จาก|dari|saatja|no|nuo|frá|expéditeur|remitente|mittente|absender|remetente|afsender|" +
    "avsändare|avsender|nadawca|odesílatel|odosielateľ|pošiljatelj|nga|از|प्रेषक|igorlea|ут",
  date:
    "sent|date|envoyé|envoyé le|message du|gesendet|gesendet am|datum|verzonden|verzonden op|inviato|data|enviado|" +
    "enviado el|enviado em|enviada em|enviada|fecha|skickat|skickades|sendt|dato|lähetetty|päiväys|päivämäärä|wysłano|" +
    "odesláno|odoslané|dátum|elküldve|küldve|trimis|дата|отправлено|надіслано|изпратено|gönderildi|tarih|gönderme tarihi|" +
    "στάλθηκε|εστάλη|ημερομηνία|נשלח|תאריך|تاريخ الإرسال|التاريخ|أرسلت|发送时间|发送日期|日期|寄件日期|傳送時間|時間|送信日時|" +
    "日付|日時|보낸 날짜|보낸 시간|날짜|đã gửi|ngày|ngày gửi|ส่ง|วันที่|tanggal|dikirim|saadetud|kuupäev|nosūtīts|išsiųsta|" +
    "poslano|sent at|sent on|date sent",
  to:
    "to|à|a|an|aan|para|till|til|vastaanottaja|do|komu|címzett|către|catre|кому|до|kime|alıcı|προς|אל|إلى|收件人|收件者|宛先|" +
    "받는 사람|받는사람|tới|đến|ถึง|kepada|ke|destinataire|destinatario|destinatário|empfänger|adresat|za|kam|kellele|per|" +
    "pour|al|به",
  cc: "cc|copie|copie à|kopie|kopia|kopi|kopio|копия|копія|bilgi|κοιν|κοιν.|עותק|نسخة|抄送|副本|참조|dw|másolatot kap|kópia|cópia|copia|ccn|bcc|cci",
  subject:
    "subject|objet|sujet|betreff|onderwerp|oggetto|asunto|assunto|ämne|emne|aihe|temat|předmět|predmet|tárgy|subiect|тема|" +
    "относно|konu|θέμα|נושא|الموضوع|主题|主旨|主題|件名|제목|chủ đề|tiêu đề|เรื่อง|perihal|subjek|teema|tema|zadeva|naslov|" +
    "efni|gaia|موضوع|assumpte",
  other:
    "importance|priority|reply-to|attachments|attachment|organization|on behalf of|sent by|wichtigkeit|anlagen|anhänge|" +
    "pièces jointes|importance haute|allegati|bijlagen|adjuntos|anexos|bilagor|вложения|resent-from|list-id",
  technical:
    "received|message-id|return-path|mime-version|content-type|content-transfer-encoding|references|in-reply-to|" +
    "delivered-to|envelope-to|dkim-signature|user-agent|x-mailer|x-spam-status|x-originating-ip"
}

const isHeaderPart = (part: string): part is HeaderPart => part in headerWords

/**
 * The kind of header field for each label (lower case, without colon). If two languages share a word, the first entry
 * is used.
 */
export const headerLabels: ReadonlyMap<string, HeaderPart> = new Map(
  Object.entries(headerWords)
    .flatMap(([part, words]) => words.split("|").map((word): [string, string] => [word, part]))
    .flatMap(([word, part]): Array<[string, HeaderPart]> => (isHeaderPart(part) ? [[word, part]] : []))
    .toReversed()
)

/** Phrases between two dashed rules above history: `-----Original Message-----` and its translations. */
export const separatorPhrases: ReadonlySet<string> = new Set(
  (
    "original message|original mail|original email|original e-mail|original appointment|forwarded message|forwarded mail|" +
    "forwarded email|weitergeleitete nachricht|ursprüngliche nachricht|ursprüngliche e-mail|originalnachricht|" +
    "original-nachricht|ursprünglicher termin|message d'origine|message original|message d’origine|message transféré|" +
    "message initial|courriel original|mensaje original|mensaje reenviado|mensagem original|mensagem encaminhada|" +
    "mensagem reencaminhada|messaggio originale|messaggio inoltrato|messaggio originario|oorspronkelijk bericht|" +
    "oorspronkelijke bericht|origineel bericht|doorgestuurd bericht|ursprungligt meddelande|originalmeddelande|" +
    "vidarebefordrat meddelande|oprindelig besked|oprindelig meddelelse|videresendt besked|opprinnelig melding|" +
    "videresendt melding|alkuperäinen viesti|välitetty viesti|wiadomość oryginalna|oryginalna wiadomość|" +
    "wiadomość przekazana|przekazana wiadomość|původní zpráva|přeposlaná zpráva|pôvodná správa|preposlaná správa|" +
    "eredeti üzenet|továbbított üzenet|mesaj original|mesaj inițial|mesaj redirecționat|исходное сообщение|" +
    "первоначальное сообщение|пересылаемое сообщение|пересланное сообщение|оригінальне повідомлення|вихідне повідомлення|" +
    "оригинално съобщение|özgün ileti|orijinal mesaj|iletilen mesaj|yönlendirilmiş ileti|αρχικό μήνυμα|" +
    "προωθημένο μήνυμα|הודעה מקורית|הודעה שהועברה|رسالة أصلية|الرسالة الأصلية|رسالة معاد توجيهها|原始邮件|原始郵件|原邮件|" +
    "转发的邮件|轉寄的郵件|元のメッセージ|転送メッセージ|원본 메시지|원본 메일|전달된 메시지|thư gốc|tin nhắn gốc|" +
    "thư được chuyển tiếp|ข้อความต้นฉบับ|pesan asli|pesan terusan|izvirno sporočilo|izvorna poruka|originalna poruka|" +
    "algne kiri|sākotnējais ziņojums|originalus laiškas|missatge original"
  ).split("|")
)

/** The line of a help desk that separates a reply from history. Matched against lower case. */
export const replyAbove =
  /^[#>*\s]*(?:please )?(?:reply|(?:type|write|enter|add) (?:your )?(?:reply|response|answer|message)) above this line|^(?:bitte )?(?:geben sie ihre antwort|antworten sie|ihre antwort) (?:bitte )?(?:oberhalb|über) dieser (?:zeile|linie)|^(?:veuillez )?(?:répond(?:ez|re)|(?:écrire|écrivez|saisir|saisissez) votre réponse) au-dessus de cette ligne|^(?:por favor,? )?(?:escrib[ae]|responda|introduzca) (?:su (?:respuesta|mensaje) )?(?:por )?(?:encima|arriba) de esta línea|^(?:rispondi|digita(?:re)? la (?:tua )?risposta) (?:al di )?sopra (?:di )?questa riga|^(?:typ|plaats|schrijf) (?:uw|je) (?:antwoord|reactie) boven deze (?:regel|lijn)|^(?:por favor,? )?(?:digite|escreva) (?:a |sua |a sua )?resposta acima desta linha/u

/** Lines that announce forwarded content without dashes around them (Apple Mail). The entries omit the final colon. */
export const forwardPhrases: ReadonlySet<string> = new Set(
  (
    "begin forwarded message|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|" +
    "début du message réexpédié|début du message transféré|inicio del mensaje reenviado|inizio messaggio inoltrato|" +
    "início da mensagem reencaminhada|início da mensagem encaminhada|begin doorgestuurd bericht|vidarebefordrat brev|" +
    "vidarebefordrat mejl|videresendt besked|videresendt melding|välitetty viesti alkaa|początek przekazywanej wiadomości|" +
    "začátek přeposílané zprávy|továbbított levél kezdete|начало переадресованного сообщения|" +
    "начало пересылаемого сообщения|iletilen mesaj başlangıcı|开始转发的邮件|下面是被转发的邮件|以下是轉寄的信件|転送されたメッセージ|전달된 메시지 시작"
  ).split("|")
)

/** `wrote` in many languages, as used in the line above a quote. Matched as whole words. */
export const wroteWords: ReadonlyArray<string> = (
  "wrote|writes|said|says|schrieb|schrieben|schreibt|geschrieben|a écrit|écrit|ecrit|escribió|escribio|escribe|ha scritto|scritto|scrive|escreveu|" +
  "schreef|heeft geschreven|geschreven|skrev|skreiv|kirjoitti|napisał|napisała|napisał(a)|napisali|pisze|napsal|napsala|" +
  "napsal(a)|napísal|napísala|napísal(a)|írta|ezt írta|a scris|пишет|писал|писала|написал|написала|написал(а)|пише|написав|" +
  "написала|написа|yazdı|şunu yazdı|yazmış|έγραψε|έγραψεν|כתב|כתבה|‫כתב|كتب|كتبت|đã viết|viết|เขียนว่า|เขียน|menulis|" +
  "je napisao|je napisala|napisao|napisala|je napisal|je napisala|kirjutas|rakstīja|rašė|va escriure|ha escrit|idatzi du|" +
  "skrifaði|نوشت|ने लिखा"
).split("|")

/** `wrote` in scripts without spaces between words. */
export const wroteEndings: ReadonlyArray<string> =
  "写道|寫道|写到|來信|のメッセージ|は書きました|が書きました|님이 작성|작성|님이 쓴 글|님의 말".split("|")

/** The first words of an attribution that starts with a date. */
export const dateLeads: ReadonlyArray<string> = (
  "on|am|le|el|il|em|às|op|den|w dniu|dnia|dne|dňa|in data|il giorno|no dia|a|az|pe|la data de|la data|în data de|на|в|у|з|" +
  "στις|την|בתאריך|ב|في|بتاريخ|vào|vào lúc|เมื่อ|pada|u|dana|le jeu|ngày|þann|el día|vom"
).split("|")

/** The first words of a line that a phone or mail app has added. */
export const deviceLeads: ReadonlyArray<string> = (
  "sent from|sent via|sent with|sent using|sent by|get outlook for|download outlook for|typed on|composed on|powered by|gesendet von|gesendet mit|gesendet via|" +
  "diese nachricht wurde von|diese nachricht wurde mit|diese e-mail wurde von|holen sie sich outlook|outlook für|envoyé de mon|envoyé depuis|envoyé à partir d|envoyé avec|" +
  "télécharger outlook pour|obtenir outlook pour|enviado desde|enviado de|enviado do|enviado a partir d|enviado con|" +
  "enviado com|obtener outlook para|obtenha o outlook para|inviato da|inviato con|scarica outlook per|" +
  "ottieni outlook per|verzonden vanaf|verzonden vanuit|verstuurd vanaf|verstuurd met|outlook voor|" +
  "download outlook voor|skickat från|skickat med|hämta outlook för|sendt fra|sendt via|hent outlook|få outlook for|" +
  "lähetetty|wysłane z|wysłano z|pobierz outlook|odesláno z|odoslané z|trimis de pe|отправлено с|отправлено из|" +
  "надіслано з|изпратено от|εστάλη από|στάλθηκε από|נשלח מ|أُرسلت من|أرسلت من|تم الإرسال من|发自|發自|đã gửi từ|" +
  "được gửi từ|ส่งจาก|dikirim dari|poslano z|poslano s"
).split("|")

/** The start and the end of such a line, in languages that put the verb at the end. */
export const deviceFrames: ReadonlyArray<readonly [string, string]> = [
  ["von mein", "gesendet"],
  ["", "에서 보냄"],
  ["", "から送信"],
  ["", "den gönderildi"],
  ["", "dan gönderildi"],
  ["", "ról küldve"],
  ["", "ből küldve"],
  ["從我的", "傳送"],
  ["从我的", "发送"]
]

/**
 * Devices and apps. Their names distinguish lines such as "Sent from my iPhone" from the author's own text, such as
 * "Sent from my desk". Matched as substrings.
 */
export const deviceNames: ReadonlyArray<string> = (
  "iphone|ipad|ipod|android|blackberry|mobile|mobil|móvil|móbil|cellulare|celular|portable|phone|telefon|téléphone|teléfono|" +
  "telefone|telefoon|smartphone|handy|handset|samsung|galaxy|huawei|xiaomi|nokia|lumia|oneplus|pixel|wiko|sony|xperia|htc|lg|" +
  "motorola|droid|tablet|windows|outlook|yahoo|gmail|aol|proton|mail|sparrow|airmail|spark|superhuman|thunderbird|zoho|hey|" +
  "mailbird|verizon|t-mobile|wireless|smart|手机|手機|айфон|телефон|приложения|почты|почта|устройства|cihaz|gerät|apparaat|" +
  "tlf|puhelin|电邮|邮箱"
).split("|")

/** Closings of a letter. A short block below a closing is the signature. */
export const closings: ReadonlySet<string> = new Set(
  (
    "regards|best regards|kind regards|kindest regards|warm regards|warmest regards|with regards|with kind regards|" +
    "with best regards|with warm regards|best personal regards|personal regards|kind wishes|best|best wishes|" +
    "with best wishes|all the best|cheers|sincerely|sincerely yours|yours sincerely|yours truly|yours faithfully|" +
    "faithfully|yours|respectfully|cordially|warmly|love|ciao|br|rgds|kr|" +
    "mit freundlichen grüßen|mit freundlichen grüssen|mit freundlichem gruß|mit freundlichem gruss|freundliche grüße|" +
    "freundliche grüsse|viele grüße|viele grüsse|viele liebe grüße|liebe grüße|liebe grüsse|beste grüße|beste grüsse|" +
    "mit besten grüßen|mit besten grüssen|mit herzlichen grüßen|herzliche grüße|herzliche grüsse|schöne grüße|" +
    "sonnige grüße|gruß|gruss|grüße|grüsse|hochachtungsvoll|mfg|lg|vg|bg|" +
    "cordialement|bien cordialement|très cordialement|bien à vous|bien à toi|sincèrement|salutations|" +
    "sincères salutations|meilleures salutations|salutations distinguées|amicalement|cdlt|cdt|" +
    "saludos|saludos cordiales|cordiales saludos|un saludo|un cordial saludo|un abrazo|atentamente|muy atentamente|atte|" +
    "cordialmente|cordiali saluti|distinti saluti|cari saluti|un saluto|un caro saluto|un cordiale saluto|saluti|" +
    "a presto|atenciosamente|att|abraços|abraço|um abraço|cumprimentos|com os melhores cumprimentos|" +
    "melhores cumprimentos|saudações|" +
    "met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|vriendelijke groeten|hartelijke groet|" +
    "hartelijke groeten|groeten|groet|mvg|" +
    "vänliga hälsningar|med vänliga hälsningar|med vänlig hälsning|vänligen|bästa hälsningar|mvh|hälsningar|" +
    "med venlig hilsen|venlig hilsen|bedste hilsner|mange hilsner|kh|vh|vennlig hilsen|med vennlig hilsen|beste hilsen|" +
    "hilsen|hilsner|ystävällisin terveisin|parhain terveisin|terveisin|terv|" +
    "pozdrawiam|pozdrawiam serdecznie|serdecznie pozdrawiam|z poważaniem|z wyrazami szacunku|s pozdravem|" +
    "s přátelským pozdravem|s úctou|zdravím|s pozdravom|üdvözlettel|tisztelettel|cu stimă|cu respect|toate cele bune|" +
    "с уважением|с наилучшими пожеланиями|всего доброго|з повагою|с уважение|s poštovanjem|lep pozdrav|lijep pozdrav|" +
    "lugupidamisega|parimate soovidega|ar cieņu|pagarbiai|saygılarımla|saygılarımızla|iyi çalışmalar|με εκτίμηση|" +
    "בברכה|مع تحياتي|مع خالص التحيات|此致|祝好|顺颂商祺|よろしくお願いします|よろしくお願いいたします|" +
    "宜しくお願い致します|敬具|trân trọng|salam|hormat kami"
  ).split("|")
)

/**
 * Thanks that close a letter. If a name follows in the same line, the thanks address that person and do not close the
 * letter.
 */
export const thanks: ReadonlySet<string> = new Set(
  (
    "thanks|thank you|many thanks|thanks again|thanks a lot|thank you very much|thanks so much|thanks in advance|" +
    "thank you in advance|with thanks|thx|tia|danke|vielen dank|besten dank|herzlichen dank|danke im voraus|" +
    "vielen dank im voraus|merci|merci beaucoup|merci d'avance|grazie|grazie mille|gracias|muchas gracias|obrigado|" +
    "obrigada|muito obrigado|muito obrigada|bedankt|alvast bedankt|dank u|tack|tack på förhand|tak|på forhånd tak|takk|" +
    "kiitos|kiitoksia|dziękuję|dzięki|děkuji|ďakujem|köszönöm|mulțumesc|спасибо|дякую|благодаря|teşekkürler|ευχαριστώ|" +
    "谢谢|謝謝|감사합니다|ありがとうございます|many thanks and regards"
  ).split("|")
)

/** Words that connect a closing with a place: `Grüße aus Köln`. */
export const originWords: ReadonlySet<string> = new Set(
  "from|aus|de|depuis|desde|da|dal|dalla|uit|från|fra|z|ze|iz".split("|")
)
