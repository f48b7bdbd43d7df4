import type { RateLimitRule } from "@leadloom/core/internal/domain/access/RateLimit"
import { closestName } from "@leadloom/core/internal/domain/text/ClosestName"
import type { VariableName } from "./VariableCatalog.ts"

/** An environment. The variables of this program begin with `LEADLOOM_`, and those of OpenTelemetry with `OTEL_`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The minimum length of secrets that a provider issues, in characters. A shorter value is probably incomplete. */
const minGivenSecretLength = 8

/**
 * The minimum length of secrets that the operator chooses, in characters. 32 hexadecimal digits have 128 bits, which
 * cannot be guessed.
 */
export const minOwnSecretLength = 32

const howToGenerate = "Generate one with: openssl rand -hex 32"
const maxLimit = 1_000_000

const mustBeOneOf = (words: ReadonlyArray<string>, value: string): string => {
  const closest = closestName(value.toLowerCase(), words)
  return `must be one of ${words.join(", ")}, not "${value}".${closest === null ? "" : ` Did you mean ${closest}?`}`
}

/** Reads variables and collects the mistakes in them. An empty variable counts as unset. */
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
      : wrong(name, `must be an integer from ${min} to ${max}, not "${value}".`, defaultValue)
  }
  const perMinute = (name: VariableName, defaultValue: number): RateLimitRule => ({
    limit: integer(name, defaultValue, 1, maxLimit),
    windowMillis: 60_000
  })
  /** Reads a secret that a provider issued. Error messages do not contain its value. */
  const secret = (name: VariableName): string | null => {
    const value = text(name)
    if (value === null || value.length >= minGivenSecretLength) return value
    return wrong(
      name,
      `is too short: it has fewer than ${minGivenSecretLength} characters. Copy the complete value.`,
      value
    )
  }
  /** Reads a comma-separated list and removes duplicates. An example is a new key followed by the old one. */
  const list = (name: VariableName, max: number): ReadonlyArray<string> => {
    const parts = (text(name) ?? "").split(",").map((part) => part.trim())
    const given = [...new Set(parts.filter((part) => part !== ""))]
    return given.length <= max ? given : wrong(name, `contains ${given.length} keys. Use at most ${max}.`, given)
  }
  /** Reads comma-separated secrets that the operator chooses. */
  const ownSecrets = (name: VariableName, max: number): ReadonlyArray<string> => {
    const given = list(name, max)
    if (given.some((each) => each.length < minOwnSecretLength))
      return wrong(name, `is too short. Use at least ${minOwnSecretLength} characters. ${howToGenerate}`, given)
    return given
  }
  /** Reads one secret that the operator chooses. The secret may contain commas. */
  const ownSecret = (name: VariableName): string | null => {
    const value = text(name)
    if (value === null || value.length >= minOwnSecretLength) return value
    return wrong(name, `is too short. Use at least ${minOwnSecretLength} characters. ${howToGenerate}`, value)
  }
  const flag = (name: VariableName): boolean => {
    const value = text(name)
    if (value === null || value === "yes" || value === "true") return value !== null
    return wrong(name, `must be "yes" or unset, not "${value}".`, false)
  }
  /** Reads one of several words. */
  const choice = <const Word extends string>(name: VariableName, words: ReadonlyArray<Word>, otherwise: Word): Word => {
    const value = text(name) ?? otherwise
    return words.find((word) => word === value) ?? wrong(name, mustBeOneOf(words, value), otherwise)
  }
  return { mistakes, text, wrong, choice, integer, perMinute, secret, ownSecret, ownSecrets, list, flag }
}

/** The reader of variables, which collects mistakes. */
export type Variables = ReturnType<typeof reader>

/** Returns whether a text is an http or https URL without a password, query and fragment. */
export const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.search === "" && url.hash === ""
}
