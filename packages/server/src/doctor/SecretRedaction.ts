import type { Environment } from "../config/Variables.ts"

/**
 * The minimum length of a redacted value, in characters. Shorter values are often ordinary words, and redacting these
 * would make messages unreadable.
 */
const minSecretLength = 4

const secretVariable = /^LEADLOOM_.*(?:KEY|SECRET|PASSWORD|TOKEN)/u

/** Returns the whole value and its comma-separated parts, because a variable may list several keys. */
const partsOf = (value: string): ReadonlyArray<string> => [value, ...value.split(",")].map((part) => part.trim())

/** Returns the password of a URL, percent-encoded and decoded. */
const passwordOf = (url: string): ReadonlyArray<string> => {
  const { password = "" } = URL.parse(url) ?? {}
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}

/**
 * Returns all secrets of an environment, longest first. A longer secret must be redacted before a shorter one that is
 * part of it.
 */
const secretsOf = (env: Environment): ReadonlyArray<string> =>
  Object.entries(env)
    .flatMap(([name, value = ""]) => {
      if (!name.startsWith("LEADLOOM_")) return []
      return secretVariable.test(name) ? partsOf(value) : name.endsWith("_URL") ? passwordOf(value) : []
    })
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((one, other) => other.length - one.length)

/**
 * Returns a function that redacts secrets in messages of adapters and drivers. The doctor's own sentences contain no
 * secret. They are not redacted, because redaction would make them unreadable if a password is a common word.
 */
export const secretRedactor = (env: Environment): ((text: string) => string) => {
  const secrets = secretsOf(env)
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, "…"), text)
}
