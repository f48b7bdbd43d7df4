/**
 * The part of a mail that the verification reads, within limits. The library for signatures takes quadratic time for
 * long fields and long lines, and reads the body once for each length of signed content, so a hostile mail of 25 MB
 * could use it for minutes. Within these limits, the time grows linearly with the size. `verificationMillis` ends the
 * process of a mail that is still too expensive.
 */

/** The limits of verified mails. Mail of usual servers stays far below them (RFC 5322 limits lines to 998 characters). */
export const verificationLimits = {
  headerBytes: 131_072,
  headerLines: 5_000,
  fieldBytes: 32_768,
  /** The maximum size of a signature field. A field for a key of 4,096 bits has about 1,500 bytes. */
  signatureBytes: 4_096,
  /** The number of verified DKIM signatures, from the top. OpenDKIM and Exim limit it too, because each costs a query. */
  signatures: 8,
  /** The number of verified signatures with `l=`, from the top. The library hashes the body once for each of them. */
  partialSignatures: 1,
  /** The maximum number of ARC sets. RFC 8617 permits 50; two or three are usual. */
  arcSets: 10,
  bodyLines: 500_000,
  /** The maximum number of body lines with several spaces or a tab. The library copies and hashes each of them alone. */
  spacedLines: 100_000,
  bodyLineBytes: 65_536
} as const

/** The start of a header field. White space can precede the colon (RFC 5322 section 4.5). */
const fieldStart = /^[\x21-\x39\x3B-\x7E]+[ \t\r\n]*:/u

const newline = 0x0a
const tab = 0x09

/** Returns the offset of the body, and that of the empty line before it. A mail without an empty line has no body. */
const splitAt = (raw: Buffer): { readonly headerEnd: number; readonly bodyStart: number } => {
  for (let at = 0; at < raw.length;) {
    const end = raw.indexOf(newline, at)
    if (end < 0) break
    if (end === at || (end === at + 1 && raw[at] === 0x0d)) return { headerEnd: at, bodyStart: end + 1 }
    at = end + 1
  }
  return { headerEnd: raw.length, bodyStart: raw.length }
}

/** Splits a header into fields. Lines that start no field belong to the previous one, as the library reads them. */
const fieldsOf = (header: string): ReadonlyArray<string> => {
  const lines = header.replace(/\r?\n$/u, "").split(/\r?\n/u)
  const fields: Array<Array<string>> = []
  for (const [index, line] of lines.entries()) {
    const starts = fieldStart.test(line) || fieldStart.test(`${line}\r\n${lines[index + 1] ?? ""}`)
    const last = fields.at(-1)
    if (starts || last === undefined) fields.push([line])
    else last.push(line)
  }
  return fields.map((field) => field.join("\r\n"))
}

/** A header field with its name in lower case. */
interface Field {
  readonly name: string
  readonly text: string
}

const nameOf = (field: string): string => field.slice(0, field.indexOf(":")).trim().toLowerCase()

const isSealed = ({ name }: Field): boolean => name === "arc-seal" || name === "arc-message-signature"

/** Returns whether a line has a tab, two adjacent spaces, or a space at its end. */
const isSpaced = (line: Buffer): boolean =>
  line.includes(tab) || line.includes("  ") || line.includes(" \r\n") || line.includes(" \n")

/** Returns whether the lines of a body are within the limits. Takes linear time. */
const isRegular = (body: Buffer): boolean => {
  const { bodyLineBytes, bodyLines, spacedLines } = verificationLimits
  let [lines, spaced] = [0, 0]
  for (let at = 0; at < body.length; lines++) {
    const end = body.indexOf(newline, at)
    const next = end < 0 ? body.length : end + 1
    if (isSpaced(body.subarray(at, next))) spaced++
    if (next - at > bodyLineBytes || lines >= bodyLines || spaced > spacedLines) return false
    at = next
  }
  return true
}

const partialLength = /[:;]\s*l\s*=/u

/** Returns the DKIM signatures that are not verified, because others precede them. */
const surplusOf = (signatures: ReadonlyArray<Field>): ReadonlySet<Field> => {
  const partial = signatures.filter(({ text }) => partialLength.test(text))
  return new Set([
    ...signatures.slice(verificationLimits.signatures),
    ...partial.slice(verificationLimits.partialSignatures)
  ])
}

/** A mail within the limits. */
export interface VerifiableMail {
  readonly raw: Buffer
  /** False if a limit prevents the verification of signatures. `raw` then has neither signatures nor a body. */
  readonly isSignable: boolean
}

/** Returns the part of a mail that can be verified; null if its header exceeds a limit. */
export const verifiableMail = (mail: Buffer): VerifiableMail | null => {
  const { bodyStart, headerEnd } = splitAt(mail)
  const { arcSets, fieldBytes, headerBytes, headerLines, signatureBytes } = verificationLimits
  if (headerEnd > headerBytes) return null
  const fields = fieldsOf(mail.toString("latin1", 0, headerEnd)).map((text) => ({ name: nameOf(text), text }))
  const lines = fields.reduce((sum, { text }) => sum + text.split("\n").length, 0)
  if (lines > headerLines || fields.some(({ text }) => text.length > fieldBytes)) return null
  const isSigned = ({ name }: Field) => name === "dkim-signature"
  const isSignature = (field: Field) => isSigned(field) || isSealed(field)
  const isSignable =
    fields.filter(isSignature).every(({ text }) => text.length <= signatureBytes) &&
    fields.filter(({ name }) => name === "arc-seal").length <= arcSets &&
    isRegular(mail.subarray(bodyStart))
  const surplus = surplusOf(fields.filter(isSigned))
  const kept = fields.filter((field) => (isSignable ? !surplus.has(field) : !isSignature(field)))
  const header = `${kept.map(({ text }) => text).join("\r\n")}\r\n\r\n`
  const body = isSignable ? mail.subarray(bodyStart) : Buffer.alloc(0)
  return { raw: Buffer.concat([Buffer.from(header, "latin1"), body]), isSignable }
}
