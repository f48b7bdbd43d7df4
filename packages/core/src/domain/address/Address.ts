/** One mailbox of a header field (RFC 5322 section 3.4). `email` is as written, without the angle brackets. */
export interface Address {
  readonly email: string
  readonly name: string | null
}

/**
 * The form in which addresses are compared and stored: trimmed, without `mailto:` and angle brackets, in lower case.
 * Total: what is no address at all comes back trimmed and lower-cased; `isEmail` tells.
 */
export const normalizeEmail = (text: string): string => {
  const bracketed = /<([^<>]*)>[^<>]*$/u.exec(text)?.[1] ?? text
  const bare = bracketed
    .trim()
    .replace(/^mailto:/iu, "")
    .replace(/\?.*$/su, "")
  return bare.trim().replace(/\.$/u, "").toLowerCase()
}

/** Longest address that can be used in SMTP (RFC 5321 section 4.5.3.1.3, erratum 1690), and its local part. */
const maxEmailLength = 254
const maxLocalPartLength = 64

const emailShape = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u

/** Whether a text is one deliverable-looking address: a local part, `@`, and a domain of two labels or more. */
export const isEmail = (text: string): boolean =>
  text.length <= maxEmailLength && text.indexOf("@") <= maxLocalPartLength && emailShape.test(text)

/** The part after the last `@` in lower case; empty when there is none. */
export const domainOf = (email: string): string => {
  const at = email.lastIndexOf("@")
  return at < 0 ? "" : email.slice(at + 1).toLowerCase()
}

/** The part before the last `@`; the whole text when there is none. */
export const localPartOf = (email: string): string => {
  const at = email.lastIndexOf("@")
  return at < 0 ? email : email.slice(0, at)
}

/** Takes a plus tag (subaddress, RFC 5233) off: `sales+abc@x.io` is `sales@x.io` with the tag `abc`. */
export const splitPlusTag = (email: string): { readonly email: string; readonly tag: string | null } => {
  const local = localPartOf(email)
  const plus = local.indexOf("+")
  if (plus <= 0 || local.length === email.length) return { email, tag: null }
  return { email: `${local.slice(0, plus)}${email.slice(local.length)}`, tag: local.slice(plus + 1) }
}

const robotLocalParts = new Set(["mailer-daemon", "postmaster", "abuse", "root"])
const noReplyStart = /^(?:no|non|do-?not|dont)[-_.]?(?:reply|answer|response|respond|replies)/u

/** Whether nobody reads what is sent to this address: never answer it automatically (field rules, section 3). */
export const isNoReply = (email: string): boolean => {
  const local = localPartOf(splitPlusTag(normalizeEmail(email)).email)
  return robotLocalParts.has(local) || noReplyStart.test(local)
}

/** Splits at separators that stand outside quotes, comments and brackets. */
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
 * Reads a plain address list (RFC 5322 section 3.4): names, quotes, trailing comments, groups. Entries without an `@`
 * are left out. Encoded words are not decoded here.
 */
export const parseAddressList = (value: string): ReadonlyArray<Address> =>
  splitOutside(value, ",;").flatMap((entry) => {
    const pieces = splitOutside(entry, ":")
    const mailbox = parseMailbox(pieces[pieces.length - 1] ?? "")
    return mailbox === null ? [] : [mailbox]
  })
