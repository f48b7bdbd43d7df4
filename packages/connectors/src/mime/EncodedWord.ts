import { decodeText, exactUtf8 } from "./Charset.ts"
import { encodingOf } from "./CharsetLabel.ts"
import { decodeBase64, decodeQuotedPrintable } from "./TransferEncoding.ts"

/** An encoded word (RFC 2047 section 2). The language (RFC 2231 section 5) is ignored. */
const word = /=\?([^?*\s]{1,60})(?:\*[^?\s]{0,40})?\?([bq])\?([^?]*)\?=/giu
/** White space between two encoded words, which is not part of the text (RFC 2047 section 6.2). */
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

/**
 * Completes two-byte characters whose second byte is a plain `_`. Some mailers do not encode this byte, so it would be
 * read as a space.
 */
const withBareUnderscores = (words: ReadonlyArray<EncodedWord>): ReadonlyArray<EncodedWord> =>
  words.map((each) =>
    each.encoding === "q" ? { ...each, content: each.content.replace(/(=[89A-F][0-9A-F])_/giu, "$1=5F") } : each
  )

const textOf = (words: ReadonlyArray<EncodedWord>): string => {
  // Adjacent words are decoded as one byte stream, because mailers split words in the middle of characters.
  const { text } = decodeText(Buffer.concat(words.map(bytesOf)), words[0]?.label ?? "")
  if (!text.includes("\uFFFD")) return text
  const other = decodeText(Buffer.concat(withBareUnderscores(words).map(bytesOf)), words[0]?.label ?? "").text
  return other.split("\uFFFD").length < text.split("\uFFFD").length ? other : text
}

const asWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`

const isPlainUtf8 = ({ label, ...rest }: EncodedWord): boolean =>
  encodingOf(label)?.name === "utf-8" && exactUtf8(bytesOf({ label, ...rest })) !== null

/**
 * Rewrites the encoded words of a header value as encoded words in UTF-8. Parsers that support fewer charsets, or that
 * trust wrong labels, then read the correct text. Linear in the length of the value.
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
