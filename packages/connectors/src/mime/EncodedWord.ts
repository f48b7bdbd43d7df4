import { decodeText, exactUtf8 } from "./Charset.ts"
import { encodingOf } from "./CharsetLabel.ts"
import { decodeBase64, decodeQuotedPrintable } from "./TransferEncoding.ts"

/** An encoded word (RFC 2047 section 2), the language of RFC 2231 section 5 left out. */
const word = /=\?([^?*\s]{1,60})(?:\*[^?\s]{0,40})?\?([bq])\?([^?]*)\?=/giu
/** White space between two encoded words, which belongs to neither (RFC 2047 section 6.2). */
const gap = /^[ \t\r\n]*$/u

interface EncodedWord {
  readonly start: number
  readonly end: number
  readonly label: string
  readonly encoding: string
  readonly content: string
}

const bytesOf = ({ content, encoding }: EncodedWord): Buffer => {
  if (encoding === "b") return decodeBase64(Buffer.from(content, "latin1"))
  return decodeQuotedPrintable(Buffer.from(content.replace(/_/gu, "=20"), "latin1"))
}

/** `_` after the first byte of a character is its second byte, which the mailer forgot to encode. */
const withBareUnderscores = (words: ReadonlyArray<EncodedWord>): ReadonlyArray<EncodedWord> =>
  words.map((each) =>
    each.encoding === "q" ? { ...each, content: each.content.replace(/(=[89A-F][0-9A-F])_/giu, "$1=5F") } : each
  )

const textOf = (words: ReadonlyArray<EncodedWord>): string => {
  // The words of one run are one stream of bytes: mailers cut in the middle of characters.
  const { text } = decodeText(Buffer.concat(words.map(bytesOf)), words[0]?.label ?? "")
  if (!text.includes("\uFFFD")) return text
  const other = decodeText(Buffer.concat(withBareUnderscores(words).map(bytesOf)), words[0]?.label ?? "").text
  return other.split("\uFFFD").length < text.split("\uFFFD").length ? other : text
}

const asWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`

const isPlainUtf8 = ({ label, ...rest }: EncodedWord): boolean =>
  encodingOf(label)?.name === "utf-8" && exactUtf8(bytesOf({ label, ...rest })) !== null

/**
 * Spells every encoded word of a header value that is not plain UTF-8 as one that is, so that a reader which knows
 * fewer charsets, or trusts wrong labels, reads the right text. Linear in the length of the value.
 */
export const withReadableWords = (value: string): string => {
  const words = [...value.matchAll(word)].map((match): EncodedWord => ({
    start: match.index,
    end: match.index + match[0].length,
    label: match[1] ?? "",
    encoding: (match[2] ?? "").toLowerCase(),
    content: match[3] ?? ""
  }))
  if (words.every(isPlainUtf8)) return value
  let out = ""
  let from = 0
  for (let at = 0; at < words.length;) {
    const run: Array<EncodedWord> = []
    for (let next = words[at]; next !== undefined; next = words[at + run.length]) {
      const last = run.at(-1)
      if (
        last !== undefined &&
        !(gap.test(value.slice(last.end, next.start)) && last.label.toLowerCase() === next.label.toLowerCase())
      )
        break
      run.push(next)
    }
    const [first] = run
    out += value.slice(from, first?.start ?? from) + asWord(textOf(run))
    from = run.at(-1)?.end ?? from
    at += run.length
  }
  return out + value.slice(from)
}
