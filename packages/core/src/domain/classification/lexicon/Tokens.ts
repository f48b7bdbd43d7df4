/** In characters. The rest of a longer text is ignored, because the important words come first. */
const maxTextLength = 20_000

/** Matches a character outside ASCII. */
const beyondAscii = /[\u0080-\uffff]/

/**
 * Articles, pronouns and prepositions that French and Italian join to the next word with an apostrophe, such as
 * `l'acqua` or `j'aimerais`. They become words of their own. Other apostrophes are removed: `don't` becomes `dont`.
 */
const elision = /(?<![a-z])(?<word>[cdjlmnst]|qu|jusqu|un|all|dall|dell|nell|sull)['’](?=[a-z])/g

const asciiPart = /[a-z0-9]+|[.!?;:,\n()]/g
const unicodePart = /[\p{L}\p{N}]+|[.!?;:,\n()…¿¡–—]/gu

/** Conjunctions after which an earlier negation no longer holds. */
const turns: ReadonlySet<string> = new Set(["but", "however", "aber", "sondern", "mais", "pero", "sino", "bensi"])

const withoutAccents = (text: string): string =>
  beyondAscii.test(text)
    ? text
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
        .replaceAll("ß", "ss")
        .replaceAll("œ", "oe")
        .replaceAll("æ", "ae")
    : text

/** The words of a text in lower case and without accents. Positions are indexes of words. */
export interface Tokens {
  readonly words: ReadonlyArray<string>
  /** For each word the number of its clause. Commas, colons, brackets and some conjunctions begin a clause. */
  readonly clauses: ReadonlyArray<number>
  /** For each word the number of its sentence. */
  readonly sentences: ReadonlyArray<number>
}

/** Divides the beginning of a text into words, clauses and sentences, in linear time. */
export const tokensOf = (text: string): Tokens => {
  const plain = withoutAccents(text.slice(0, maxTextLength).toLowerCase())
    .replace(elision, "$<word> ")
    .replace(/['’]/g, "")
  const words: Array<string> = []
  const clauses: Array<number> = []
  const sentences: Array<number> = []
  let [clause, sentence] = [0, 0]
  for (const part of plain.match(beyondAscii.test(plain) ? unicodePart : asciiPart) ?? []) {
    const isMark = part.length === 1 && !/[\p{L}\p{N}]/u.test(part)
    if (isMark || turns.has(part)) clause++
    if (isMark && !",:()".includes(part)) sentence++
    if (isMark) continue
    words.push(part)
    clauses.push(clause)
    sentences.push(sentence)
  }
  return { words, clauses, sentences }
}
