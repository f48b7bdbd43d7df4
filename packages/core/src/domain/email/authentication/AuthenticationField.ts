import { type AuthenticationResult, authenticationResults } from "./AuthenticationResult.ts"

/** One method of an `Authentication-Results` field. */
export interface MethodResult {
  readonly method: string
  readonly result: AuthenticationResult
  /** The properties by name, for example `header.d`. */
  readonly properties: ReadonlyMap<string, string>
}

/** A parsed `Authentication-Results` field. */
export interface AuthenticationField {
  /** In lower case. Empty if the field has none, as those of Microsoft. */
  readonly authservId: string
  readonly methods: ReadonlyArray<MethodResult>
}

/** Removes comments, which can be nested (RFC 5322 section 3.2.2). */
const withoutComments = (value: string): string => {
  let depth = 0
  let text = ""
  for (const character of value) {
    if (character === "(") depth += 1
    if (depth === 0) text += character
    if (character === ")" && depth > 0) depth -= 1
  }
  return text
}

const isResult = (text: string): text is AuthenticationResult => authenticationResults.some((result) => result === text)

const pairOf = (word: string): readonly [string, string] => {
  const at = word.indexOf("=")
  return at < 0
    ? ["", ""]
    : [
        word.slice(0, at).toLowerCase(),
        word
          .slice(at + 1)
          .replaceAll('"', "")
          .toLowerCase()
      ]
}

const readMethod = (words: ReadonlyArray<string>): ReadonlyArray<MethodResult> => {
  const [first = "", ...rest] = words
  const [name, result] = pairOf(first)
  const known = result === "hardfail" ? "fail" : result
  if (!isResult(known)) return []
  return [{ method: name.split("/")[0] ?? "", result: known, properties: new Map(rest.map(pairOf)) }]
}

/** Parses the value of an `Authentication-Results` field. Ignores parts that do not follow its grammar. */
export const readField = (value: string): AuthenticationField => {
  const parts = withoutComments(value)
    .split(";")
    .map((part) => part.trim().split(/\s+/u))
  const [first = []] = parts
  const hasId = first[0] !== undefined && !first[0].includes("=")
  return {
    authservId: hasId ? (first[0] ?? "").toLowerCase() : "",
    methods: parts.slice(hasId ? 1 : 0).flatMap(readMethod)
  }
}
