import type { Cause } from "../reason/Reason.ts"

/**
 * The forms of secrets, and the names of the secrets in reasons. The issuers publish these forms for secret scanners.
 */
const shapes: ReadonlyArray<readonly [string, RegExp]> = [
  ["a key of this service", /\bll[ks]_[0-9A-Za-z]{8,}|\bwhsec_[\w+/=-]{8,}/u],
  [
    "an API key",
    /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[opsur]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\b(?:AC|SK)[0-9a-f]{32}\b|\b(?:nyk|hf|npm|shpat|dop_v1|key)[-_][A-Za-z0-9]{20,}/u
  ],
  ["a token", /\beyJ[\w-]{8,}\.[\w-]{8,}|\bBearer\s+[\w.~+/-]{16,}/u],
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY|\bAGE-SECRET-KEY-1/u],
  [
    "a password",
    /\b(?:pass ?(?:word|phrase|code)|passwd|pwd|pin|secret|api[ _-]?key|(?:access|auth)[ _-]?token)s?\b["'`]?\s*(?:is|are|=|:)\s*["'`]?(?=\S*[\d$!#%*_])\S{4,}/iu
  ],
  ["a URL with a password", /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:[^\s@/]{1,200}@/iu],
  ["a server setting", /\bLEADLOOM_[A-Z]|\b[A-Z][A-Z0-9]*_(?:API_KEY|ACCESS_KEY|SECRET|TOKEN|PASSWORD)\b/u],
  ["a social security number", /(?<![\d-])(?!000|666|9\d\d)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/u]
]

const cardNumber = /(?<![\d-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\d-])/gu

/** Verifies the check digit of a card number (ISO/IEC 7812-1, annex B). */
const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    sum += place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

const holdsCard = (text: string): boolean =>
  Array.from(text.matchAll(cardNumber)).some(([found]) => passesLuhn(found.replace(/\D/gu, "")))

/**
 * Matches forty or more letters and digits in a row outside a link. They may be encoded data that someone tries to
 * extract through a reply. In a link, the count starts at the first `+`. The search starts only once in each row,
 * because a row of `+` would otherwise take quadratic time.
 */
const coded = /(?<![\w+=-])(?:(?<![/.?&%])|[\w=-]*\+)(?=[\w+=-]*\d)(?=[\w+=-]*[A-Za-z])[\w+=-]{40,}/u

/** Returns a reason for each apparent secret in a reply. The reason does not contain the secret. */
export const secretsIn = (text: string): ReadonlyArray<Cause> => [
  ...shapes.filter(([, shape]) => shape.test(text)).map(([kind]): Cause => ({ code: "secret", kind })),
  ...(holdsCard(text) ? [{ code: "secret", kind: "a card number" } as const] : []),
  ...(coded.test(text) ? [{ code: "encoded_text" } as const] : [])
]
