import type { HeaderDecoding } from "@leadloom/core/domain/email/MailHeaders"
import type { MailHeader } from "@leadloom/core/domain/email/ParsedMail"
import { addressParser, decodeWords } from "postal-mime"
import { decodeText } from "./Charset.ts"
import { withReadableWords } from "./EncodedWord.ts"
import type { MimePart } from "./MimeTree.ts"

/**
 * Comments and blanks that RFC 822 allowed inside an address: `pete(his account)@silly.test`. Split and trimmed: an
 * expression with `\s*` in front of `@` is quadratic in a run of blanks.
 */
const withoutComments = (address: string): string => {
  if (!address.includes("(")) return address
  const bare = address.replace(/\([^()]*\)/gu, "")
  return ["@", "."].reduce(
    (text, separator) =>
      text
        .split(separator)
        .map((part, at, { length }) => withoutInnerBlanks(part, at > 0, at < length - 1))
        .join(separator),
    bare
  )
}

const withoutInnerBlanks = (part: string, atStart: boolean, atEnd: boolean): string => {
  const rest = atStart ? part.trimStart() : part
  return atEnd ? rest.trimEnd() : rest
}

/** Encoded words and address lists as `postal-mime` reads them. */
export const headerDecoding: HeaderDecoding = {
  words: (value) => (value.includes("=?") ? decodeWords(withReadableWords(value)) : value),
  addresses: (value) =>
    addressParser(value.includes("=?") ? withReadableWords(value) : value, { flatten: true }).flatMap(
      ({ name, address }) =>
        address === undefined ? [] : [{ email: withoutComments(address), name: name === "" ? null : name }]
    )
}

/**
 * The header fields of a mail with their bytes turned into text. Raw 8-bit values are UTF-8 (RFC 6532), or else in the
 * charset that the mail declares for its body, which is what such mailers mean.
 */
export const readableFields = (
  { fields }: Pick<MimePart, "fields">,
  bodyCharset: string | null
): ReadonlyArray<MailHeader> =>
  fields.map(({ name, value }) => {
    if (!/[\x80-\xFF]/u.test(value)) return { name, value }
    return { name, value: decodeText(Buffer.from(value, "latin1"), "", bodyCharset).text }
  })
