import type { HeaderDecoding } from "@leadloom/core/internal/domain/email/MailHeaders"
import type { MailHeader } from "@leadloom/core/internal/domain/email/ParsedMail"
import { addressParser, decodeWords } from "postal-mime"
import { decodeText } from "./Charset.ts"
import { withReadableWords } from "./EncodedWord.ts"
import type { MimePart } from "./MimeTree.ts"

/**
 * Removes comments and blanks inside an address: `pete(his account)@silly.test` (permitted by RFC 822). The address is
 * split and trimmed, because a regular expression with `\s*` before `@` would be quadratic in a run of blanks.
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

/** Decodes encoded words and address lists with `postal-mime`. */
export const headerDecoding: HeaderDecoding = {
  words: (value) => (value.includes("=?") ? decodeWords(withReadableWords(value)) : value),
  addresses: (value) =>
    addressParser(value.includes("=?") ? withReadableWords(value) : value, { flatten: true }).flatMap(
      ({ name, address }) =>
        address === undefined ? [] : [{ email: withoutComments(address), name: name === "" ? null : name }]
    )
}

/**
 * Returns the header fields of a mail as text. Raw 8-bit values are decoded as UTF-8 (RFC 6532) if they are valid.
 * Otherwise they are decoded in the charset of the body, because mailers that write raw 8-bit headers use it for both.
 */
export const readableFields = (
  { fields }: Pick<MimePart, "fields">,
  bodyCharset: string | null
): ReadonlyArray<MailHeader> =>
  fields.map(({ name, value }) => {
    if (!/[\x80-\xFF]/u.test(value)) return { name, value }
    return { name, value: decodeText(Buffer.from(value, "latin1"), "", bodyCharset).text }
  })
