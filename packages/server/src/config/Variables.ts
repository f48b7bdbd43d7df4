import type { RateLimitRule } from "@leadloom/core/domain/access/RateLimit"
import type { VariableName } from "./VariableCatalog.ts"

/** What an environment says; the variables of this program begin with `LEADLOOM_`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Shortest secret that somebody else chooses, for example a provider: less is a typing mistake. In characters. */
const minGivenSecretLength = 8

/** Shortest secret that the operator chooses, in characters: 32 hexadecimal digits are 128 bits, beyond any guessing. */
export const minOwnSecretLength = 32

/** How an operator makes a secret. */
const howToGenerate = "Generate one with: openssl rand -hex 32"
const maxLimit = 1_000_000

/** Reads variables and collects what is wrong with them. An empty variable is an absent one. */
export const reader = (env: Environment) => {
  const mistakes: Array<string> = []
  const text = (name: VariableName): string | null => {
    const value = env[name]?.trim() ?? ""
    return value === "" ? null : value
  }
  const wrong = <A>(name: VariableName, should: string, instead: A): A => {
    mistakes.push(`${name} ${should}`)
    return instead
  }
  const integer = (name: VariableName, defaultValue: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return defaultValue
    const number = /^\d{1,9}$/u.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max
      ? number
      : wrong(name, `has to be a whole number from ${min} to ${max}, not "${value}".`, defaultValue)
  }
  const perMinute = (name: VariableName, defaultValue: number): RateLimitRule => ({
    limit: integer(name, defaultValue, 1, maxLimit),
    windowMillis: 60_000
  })
  /** A secret's value never appears in a message. */
  const secret = (name: VariableName): string | null => {
    const value = text(name)
    if (value === null || value.length >= minGivenSecretLength) return value
    return wrong(name, `is too short: it has fewer than ${minGivenSecretLength} characters. Copy all of it.`, value)
  }
  /** What stands between commas, each once: a key and the one whose place it takes. */
  const list = (name: VariableName, max: number): ReadonlyArray<string> => {
    const parts = (text(name) ?? "").split(",").map((part) => part.trim())
    const given = [...new Set(parts.filter((part) => part !== ""))]
    return given.length <= max ? given : wrong(name, `names ${given.length} keys: use at most ${max}.`, given)
  }
  /** Secrets that the operator chooses, separated by commas; in a header they travel as they are. */
  const ownSecrets = (name: VariableName, max: number): ReadonlyArray<string> => {
    const given = list(name, max)
    if (given.some((each) => each.length < minOwnSecretLength))
      return wrong(name, `is too short: use at least ${minOwnSecretLength} characters. ${howToGenerate}`, given)
    return given
  }
  /** The same for one that may hold commas. */
  const ownSecret = (name: VariableName): string | null => {
    const value = text(name)
    if (value === null || value.length >= minOwnSecretLength) return value
    return wrong(name, `is too short: use at least ${minOwnSecretLength} characters. ${howToGenerate}`, value)
  }
  const flag = (name: VariableName): boolean => {
    const value = text(name)
    return value !== null && (value === "yes" || wrong(name, `has to be "yes" or unset, not "${value}".`, false))
  }
  return { mistakes, text, wrong, integer, perMinute, secret, ownSecret, ownSecrets, list, flag }
}

/** What reads variables, and remembers what is wrong with them. */
export type Variables = ReturnType<typeof reader>

/** Whether a text is a URL that paths can be appended to, without a password in it. */
export const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.search === "" && url.hash === ""
}
