// Email addresses and phone numbers: parsing, normalisation and comparison. Ownership of mailboxes and domains does
// not belong here (`domain/email/Mailbox.ts`). Tests: `packages/core/test/domain/address`.

/**
 * One mailbox of a header field (RFC 5322 section 3.4). `email` is written as in the field, without the angle brackets.
 */
export interface Address {
  readonly email: string
  readonly name: string | null
}

/**
 * Normalises an address for comparison and storage: trims it, removes `mailto:` and angle brackets, and converts it to
 * lower case. Never fails: invalid input is also trimmed and converted to lower case. Use `isEmail` to validate.
 */
export const normalizeEmail = (text: string): string => {
  const bracketed = /<([^<>]*)>[^<>]*$/u.exec(text)?.[1] ?? text
  const bare = bracketed
    .trim()
    .replace(/^mailto:/iu, "")
    .replace(/\?.*$/su, "")
  return bare.trim().replace(/\.$/u, "").toLowerCase()
}

/** The maximum lengths of an address and of its local part in SMTP (RFC 5321 section 4.5.3.1, erratum 1690). */
const maxEmailLength = 254
const maxLocalPartLength = 64

const emailShape = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u

/** Returns whether a text is one plausible address: a local part, `@`, and a domain of at least two labels. */
export const isEmail = (text: string): boolean =>
  text.length <= maxEmailLength && text.indexOf("@") <= maxLocalPartLength && emailShape.test(text)

/** Returns the part after the last `@` in lower case; an empty text if there is no `@`. */
export const domainOf = (email: string): string => {
  const at = email.lastIndexOf("@")
  return at < 0 ? "" : email.slice(at + 1).toLowerCase()
}

/** Returns the part before the last `@`; the whole text if there is no `@`. */
export const localPartOf = (email: string): string => {
  const at = email.lastIndexOf("@")
  return at < 0 ? email : email.slice(0, at)
}

/** Splits off a plus tag (subaddress, RFC 5233): `sales+abc@x.io` becomes `sales@x.io` with the tag `abc`. */
export const splitPlusTag = (email: string): { readonly email: string; readonly tag: string | null } => {
  const local = localPartOf(email)
  const plus = local.indexOf("+")
  if (plus <= 0 || local.length === email.length) return { email, tag: null }
  return { email: `${local.slice(0, plus)}${email.slice(local.length)}`, tag: local.slice(plus + 1) }
}

const robotLocalParts = new Set(["mailer-daemon", "postmaster", "abuse", "root"])
const noReplyStart = /^(?:no|non|do-?not|dont)[-_.]?(?:reply|answer|response|respond|replies)/u

/**
 * Returns whether an address is an unattended mailbox such as `no-reply@`. Such mail must not be answered automatically
 * (field rules, section 3).
 */
export const isNoReply = (email: string): boolean => {
  const local = localPartOf(splitPlusTag(normalizeEmail(email)).email)
  return robotLocalParts.has(local) || noReplyStart.test(local)
}

/** Splits at separators outside quotes, comments and brackets. */
const splitOutside = (text: string, separators: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let start = 0
  let closing = ""
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === "\\") i++
    else if (closing !== "") closing = char === closing ? "" : closing
    else if (char === '"') closing = '"'
    else if (char === "(") closing = ")"
    else if (char === "<") closing = ">"
    else if (separators.includes(char)) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/su, "$1")
    .replace(/\\(.)/gsu, "$1")
    .trim()

const parseMailbox = (text: string): Address | null => {
  const angle = /^(.*)<([^<>]*)>/su.exec(text)
  if (angle !== null) {
    const email = (angle[2] ?? "").trim()
    return email.includes("@") ? { email, name: unquote(angle[1] ?? "") || null } : null
  }
  const comment = /\(([^()]*)\)/u.exec(text)
  const email = text.replace(/\([^()]*\)/gu, "").trim()
  return email.includes("@") && !/\s/u.test(email) ? { email, name: comment?.[1]?.trim() || null } : null
}

/**
 * Parses an address list (RFC 5322 section 3.4) with names, quotes, trailing comments and groups. Skips entries without
 * an `@`. Does not decode encoded words.
 */
export const parseAddressList = (value: string): ReadonlyArray<Address> =>
  splitOutside(value, ",;").flatMap((entry) => {
    const pieces = splitOutside(entry, ":")
    const mailbox = parseMailbox(pieces[pieces.length - 1] ?? "")
    return mailbox === null ? [] : [mailbox]
  })
