import type { Environment } from "../config/Variables.ts"

/** Shorter ones would black out words that only happen to be the same. */
const minSecretLength = 4

const secretVariable = /^LEADLOOM_.*(?:KEY|SECRET|PASSWORD|TOKEN)/u

/** A variable as a whole, and what stands between its commas: keys that are being changed. */
const partsOf = (value: string): ReadonlyArray<string> => [value, ...value.split(",")].map((part) => part.trim())

/** The password of a URL as it stands there, and as it is meant. */
const passwordOf = (url: string): ReadonlyArray<string> => {
  const { password = "" } = URL.parse(url) ?? {}
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}

/** Everything in an environment that nobody is to read, the longest first. */
const secretsOf = (env: Environment): ReadonlyArray<string> =>
  Object.entries(env)
    .flatMap(([name, value = ""]) => {
      if (!name.startsWith("LEADLOOM_")) return []
      return secretVariable.test(name) ? partsOf(value) : name.endsWith("_URL") ? passwordOf(value) : []
    })
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((one, other) => other.length - one.length)

/**
 * Blacks secrets out of what adapters and drivers say. What the doctor itself says is made of nothing secret, and stays
 * readable where a password is a common word.
 */
export const secretRedactor = (env: Environment): ((text: string) => string) => {
  const secrets = secretsOf(env)
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, "…"), text)
}
