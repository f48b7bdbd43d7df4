import { variableCatalog } from "./VariableCatalog.ts"
import type { Environment } from "./Variables.ts"

const prefix = "LEADLOOM_"

/** Variables that the command line or the tests read, but the server does not. */
const otherReaders = /^LEADLOOM_(?:URL|API_KEY|TEST_\w+)$/u

/** Names that Kubernetes sets in every pod of a namespace with a Service whose name begins with `leadloom`. */
const serviceLink = /_SERVICE_(?:HOST|PORT(?:_\w{1,64})?)$|_PORT_\d{1,5}_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/u

/** The maximum length of a name for which a similar name is searched, because the search is quadratic in the length. */
const maxComparedLength = 64

/** The minimum share of common characters of a suggested name. */
const minSimilarity = 0.6

/** Returns the length of the longest common subsequence, which ignores left-out characters as in abbreviations. */
const commonLength = (one: string, other: string): number => {
  let previous = Array.from({ length: other.length + 1 }, () => 0)
  for (const letter of one) {
    const current = [0]
    for (let column = 1; column <= other.length; column++) {
      const skipped = Math.max(previous[column] ?? 0, current[column - 1] ?? 0)
      current.push(letter === other[column - 1] ? (previous[column - 1] ?? 0) + 1 : skipped)
    }
    previous = current
  }
  return previous[other.length] ?? 0
}

/** Returns the most similar name; null if no name is similar enough. */
export const closestName = (given: string, names: ReadonlyArray<string>): string | null => {
  if (given.length > maxComparedLength) return null
  let best: { readonly name: string; readonly similarity: number } | null = null
  for (const name of names) {
    const similarity = (2 * commonLength(given, name)) / (given.length + name.length)
    if (similarity >= minSimilarity && (best === null || similarity > best.similarity)) best = { name, similarity }
  }
  return best?.name ?? null
}

const known = Object.keys(variableCatalog)
const shortNames = known.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))

const mistakeOf = (name: string): string => {
  if (serviceLink.test(name))
    return `${name} is not a variable of Leadloom. Kubernetes sets it for a Service. Set enableServiceLinks: false in the pod.`
  const closest = closestName(name.slice(prefix.length), shortNames)
  return closest === null
    ? `${name} is not a variable of Leadloom. Unset it. To list all variables, run: leadloom init --out -`
    : `${name} is not a variable of Leadloom. Did you mean ${prefix}${closest}?`
}

/**
 * Returns one line for each variable whose name begins with `LEADLOOM_` and that nothing reads. A misspelled name would
 * otherwise have no effect. Empty variables count as unset.
 */
export const unknownVariables = (env: Environment): ReadonlyArray<string> =>
  Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !otherReaders.test(name))
    .filter((name) => (env[name] ?? "").trim() !== "")
    .toSorted()
    .map(mistakeOf)
