/**
 * A contact's request about all text messages of the tenant. `yes` is an opt-in if the contact has opted out. From any
 * other contact, `yes` is an ordinary answer.
 */
export interface ConsentRequest {
  readonly request: "stop" | "start" | "yes" | "help"
  /**
   * `keyword`: the whole text is one word that most providers recognise too. `wording`: the text contains a phrase that
   * only this parser recognises.
   */
  readonly source: "keyword" | "wording"
}

/** In characters. A longer text is also about other matters, so no request is detected in it. */
const maxReadLength = 600

const spellings: ReadonlyArray<readonly [RegExp, string]> = [
  [/['’‘`´]/gu, "'"],
  [/\b(?:do|does|did|ca|wo|should|would|could|is|have|has)n'?t\b/gu, "not"],
  [/\b(?:cannot|can not|do not|does not|did not|will not)\b/gu, "not"],
  [/\bi'?d like\b/gu, "i want"],
  [/\b(?:pls|plz|plse)\b/gu, "please"],
  [/\btxt(?<end>s|ing|ed)?\b/gu, "text$<end>"],
  [/\bm(?:sg|sj)(?<end>s)?\b/gu, "message$<end>"],
  [/\bany ?more\b(?! (?:text|message|sms|call|of|spam))|\bany ?longer\b/gu, "again"],
  [/\bunsu[bs]c?ribe\b|\bunsubcribe\b/gu, "unsubscribe"],
  [/\bopt(?:-|ing )?out\b/gu, "opt out"]
]

/** Normalises a text: converts it to lower case, removes accents, and gives variants of a word one spelling. */
const plain = (text: string): string => {
  const lower = text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
  return spellings.reduce((so, [from, to]) => so.replace(from, to), lower)
}

/** Splits a text into sentences with single spaces between words. */
const sentencesOf = (text: string): ReadonlyArray<string> =>
  plain(text)
    .split(/[.!?¡¿;:\n()]+|,/u)
    .map((sentence) => sentence.replace(/[^a-z0-9']+/gu, " ").trim())
    .filter((sentence) => sentence !== "")

const stopWords =
  /^(?:stop|stopall|stop all|unsubscribe|cancel|end|quit|revoke|optout|opt out|alto|parar|cancelar|baja|arret|s t o p)$/u
const startWords = /^(?:start|unstop|empezar|comenzar|reanudar)$/u
const helpWords = /^(?:help|info)$/u

/**
 * Courtesies before and after a request. The patterns below repeat these groups. No phrase may be a combination of
 * other phrases in its list. Otherwise the number of possible matches doubles with each repetition, and matching takes
 * exponential time.
 */
const before =
  "(?:please|just|ok|okay|hey|hi|hello|yo|sorry|guys|now|so|i said|can you|could you|would you|will you|por favor|ya|hola|favor de)"
const after =
  "(?:please|now|thanks|thank you|again|ever|already|immediately|asap|at once|right now|for good|at all|sir|stop|it|this|all of it|por favor|favor|gracias|ya|mas|nunca|otra vez|de nuevo|jamas)"

/** Matches a request that is a whole sentence, apart from courtesies. */
const whole = (request: string): RegExp => new RegExp(`^(?:${before} )*(?:${request})(?: ${after})*$`, "u")

/**
 * Matches a request at the end of a sentence, or before a conjunction or pronoun that starts a new clause. There is no
 * match if one of the words in `unless` directly precedes the request, because such a word reverses the meaning.
 */
const closing = (request: string, unless = "not|never|no"): RegExp =>
  new RegExp(
    `(?:^|(?<!\\b(?:${unless})) )(?:${request})(?: ${after})*(?= (?:and|or|but|because|i|we|y|o|pero|porque|ni) |$)`,
    "u"
  )

const me = "(?:me|us|this number|my number|my phone|this phone|it|here|this line)"
const texts =
  "(?:texts?|text messages?|messages?|sms|spam|stuff|communications?|notifications?|alerts|ads|promos?|promotions?|offers|marketing|these|this)"
const whose = "(?:(?:any|all|your|these|this|those|the|more|further|such|so many|me|us|of|from) )*"
const bothering =
  "(?:texting|messaging|contacting|spamming|harassing|bothering|pestering|writing(?: to)?|emailing|calling(?: and texting)?)"
const mensajes = "(?:mensajes?|mensajitos|textos?|sms|publicidad|propaganda|promociones|ofertas|spam|nada)"

/**
 * Spanish verbs in the imperative, as in `no me escriban`. The pattern must not match past forms, as in "they did not
 * write to me".
 */
const noEscriban =
  "(?:escrib(?:a|an|as)|mand(?:e|en|es)|envi(?:e|en|es)|contact(?:e|en|es)|molest(?:e|en|es)|texte(?:e|en|es)|busqu(?:e|en|es))"
const escribir = "(?:escribir|mandar|enviar|molestar|contactar|textear|llamar|hostigar|acosar|buscar)(?:me|nos|le|les)?"

const wordings: ReadonlyArray<RegExp> = [
  whole(
    `stop|quit|stop all ${texts}|stop all|quit it|cut it out|remove me|unsubscribe|opt out|opt me out|basta|basta ya|alto|paren|pare`
  ),
  // For example "Stop texting me." and "I asked you to stop texting."
  closing(`(?:stop|quit|cease|halt) ${bothering}(?: ${me})?`, "not|never|no|to|while|he|she|they"),
  closing(`(?:stop|quit|cease|halt)(?: it)? (?:sending|with)(?: ${me})? ${whose}${texts}`, "not|never|no|to"),
  closing(
    `(?:discontinue|enough with|done with|sick of|tired of|cease|stop) (?:all |any |the |your |these |this |of )*(?:texts|text messages|messages|texting|spam|sms|communications?|contact)(?: with ${me}| to ${me})?`
  ),
  new RegExp(
    `\\b(?:want|need|asked|told|tell|ask|asking|telling|beg|begging)(?: all of)? (?:you|u|you all|you guys|y'all|them|your company) (?:guys )?(?:to )?(?:stop|quit)(?:$| ${bothering}| sending)`,
    "u"
  ),
  /\bcease and desist\b/u,
  // For example "Do not text me again."
  closing(`(?:not|never)(?: ever)? (?:text|message|contact|sms|bother|write|write to|email|reach out to)(?: ${me})`),
  closing(`(?:not|never)(?: ever)? call ${me} (?:again|ever|at all)`),
  closing(
    `no (?:more|further|additional) (?:texts?|text messages|messages|texting|sms|spam|contact|communications?|calls|calls or texts)(?: from you)?`
  ),
  closing("(?:not|never)(?: ever)? (?:text|message|contact) (?:again|ever)"),
  closing(
    `(?:not|never) send(?: ${me})? ${whose}(?:texts?|text messages?|messages?|sms|spam|notifications)(?: to ${me})?`
  ),
  closing("(?:want|get me) off(?: of)? (?:this|your|the) (?:(?!wait)\\w+ )?list"),
  closing(
    "(?:cancel|end) (?:(?:all|any|these|the|your|my) )*(?:texts|text messages|messages|sms|texting|text (?:subscription|alerts|service))"
  ),
  // For example "I do not want any more texts."
  closing(
    `(?:not|no longer|never) (?:want|wish|care|need|agree|consent)(?: to)?(?: (?:receive|get|be getting|be receiving|be sent|receiving|getting))? ${whose}(?:texts|text messages|messages|sms|spam|notifications|texting)(?: from (?:you|this number|your company|you guys))?`
  ),
  closing(
    `(?:not|no longer|never) (?:want|wish)(?: to)? (?:be )?(?:contacted|texted|messaged|bothered|called)(?: by you)?`
  ),
  closing(`(?:not|no longer|never) (?:want|wish|need) to hear from (?:you|you guys|you all|your company|any of you)`),
  // For example "Take me off your list."
  new RegExp(
    `\\b(?:remove|take|delete|drop|scrub|get) (?:me|us|my (?:name|number|phone|phone number|info|information)|this number) (?:from|off|off of|out of) (?:(?:any|all|your|this|the|these|of) )*(?:(?!wait)\\w+ ){0,2}(?:lists?|texts?|messages|database|system|contacts|campaigns?|records|files)(?=$| )(?! (?:of|wait))`,
    "u"
  ),
  closing(`(?:remove|delete|lose|forget|erase) (?:my|this) (?:number|phone number)`),
  closing(`(?:take|get) me off`),
  closing(`unsubscribe(?: me)?(?: from (?:this|these|all|your)(?: ${texts}| list)?)?`),
  closing(
    `opt (?:me )?out(?: (?:of|from) (?:(?:receiving|getting|these|your|this|all|any|the|future|further) )*(?:texts?|text messages|messages|sms|texting|list|communications?|marketing|alerts|notifications|this|these))?`
  ),
  /\b(?:revoke|withdraw|rescind) (?:my |any |all )*(?:consent|permission)\b/u,
  closing(`leave (?:me|us) (?:the \\w+ )?alone`),
  // For example "No me escriban mas."
  closing(`no (?:me |nos )?(?:vuelv(?:a|an|as) a )?${escribir}`),
  closing(`no (?:me|nos) vuelv(?:a|an|as) a ${escribir}`),
  closing(`(?:ya )?no (?:me|nos|le) (?:${noEscriban}|llam(?:e|en|es) ni me ${noEscriban})(?: mas)?(?: ${mensajes})?`),
  closing(`(?:ya )?no (?:me|nos) llam(?:e|en|es) mas`),
  closing(
    `(?:deje|dejen|deja|pare|paren|para)(?: ya)? de ${escribir}(?: mas)?(?: (?:tantos |sus |estos |los |mas )*${mensajes})?(?: a (?:este|mi) (?:numero|telefono|celular))?`
  ),
  /\b(?:dejenme|dejeme|dejame|dejennos|dejen)(?: ya)? (?:en paz|tranquil[oa]s?)\b/u,
  closing(
    `(?:ya )?no (?:quiero|deseo|queremos|deseamos|me interesa)(?: recibir)?(?: (?:mas|sus|estos|esos|los|tantos|ningun))* ${mensajes}(?: (?:suyos|de ustedes|tuyos))?`
  ),
  closing(`(?:ya )?no (?:quiero|deseo|queremos) que me ${noEscriban}(?: mas)?(?: ${mensajes})?`),
  closing(`no ${noEscriban}(?: (?:mas|sus|estos|tantos))* (?:mensajes?|textos?|sms|publicidad)`),
  closing("dejar de recibir (?:(?:sus|estos|mas|los) )*(?:mensajes|textos|sms)"),
  closing("cancel(?:ar|e|en|a)(?: los| estos| sus)? (?:mensajes|textos|sms)"),
  closing(`no mas (?:mensajes?|textos?|sms|publicidad|llamadas)`),
  closing(`basta(?: ya)?(?: de| con) (?:los |tantos |sus )?${mensajes}`),
  /\b(?:quit|saqu|borr|elimin|remuev|remov)\w*(?:me|nos)? de (?:la|su|sus|esta|tu|esa) lista\b(?! de )/u,
  closing(
    `(?:quit|borr|elimin|remuev|sac|saqu)\\w* mi (?:numero|telefono)(?: de (?:su|la|esta|sus) (?:lista|base de datos|sistema))?`
  ),
  closing(
    `(?:quiero |quisiera |deseo |pido |como puedo )*(?:darme|dame|denme|deme|darnos|doy) de baja(?: de (?:esta|su|la) lista| de (?:estos|sus) mensajes)?`
  ),
  closing(`cancel(?:ar|e|en|a|o) (?:la |mi |esta )?suscripcion`)
]

const keywordOf = (sentence: string): ConsentRequest["request"] | null => {
  if (stopWords.test(sentence)) return "stop"
  if (startWords.test(sentence)) return "start"
  if (helpWords.test(sentence)) return "help"
  return /^(?:yes|si)$/u.test(sentence) ? "yes" : null
}

/**
 * Detects a consent request in English or Spanish. Returns null for other texts. A keyword must be the whole text.
 * Wordings are checked sentence by sentence, and only a clear request to stop matches: `stop by tomorrow` is an
 * appointment.
 */
export const detectConsentRequest = (text: string): ConsentRequest | null => {
  if (text.length > maxReadLength) return null
  const sentences = sentencesOf(text)
  // A text of spaced letters such as "s t o p" is one word.
  const [only, ...more] = sentences.every(({ length }) => length === 1) ? [sentences.join(" ")] : sentences
  const keyword = only === undefined || more.length > 0 ? null : keywordOf(only)
  if (keyword !== null) return { request: keyword, source: "keyword" }
  const isStop = sentences.some((sentence) => wordings.some((wording) => wording.test(sentence)))
  return isStop ? { request: "stop", source: "wording" } : null
}
