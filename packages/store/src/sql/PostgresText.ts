import type { Param, Spelling } from "./Param.ts"

/** The replacement character U+FFFD, for a character that Postgres cannot store. */
const replacement = "\uFFFD"

/** Matches a parameter. The texts in a parameter with a cast to `jsonb` contain escapes. */
const parameters = /\?(?<json>::jsonb)?/gu

/**
 * Matches every escape in JSON. The named group matches characters that Postgres rejects: NUL, and an unpaired
 * surrogate, which is the only surrogate that `JSON.stringify` escapes.
 */
const escapes = /\\(?:u(?<foreign>0000|d[89a-f][0-9a-f]{2})|.)/gu

/** Returns a text that a Postgres column can store. */
export const plain = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", replacement) : text)
/** Returns a JSON text that a `jsonb` value can contain. */
export const json = (text: string): string =>
  text.includes("\\u")
    ? text.replace(escapes, (escape, foreign?: string) => (foreign === undefined ? escape : replacement))
    : text

/**
 * Converts a statement with `?` parameters to numbered parameters of Postgres. NUL becomes U+FFFD, because Postgres
 * `text` cannot contain it (PostgreSQL 18, 8.3), although SQLite can and senders may write it. The driver replaces
 * unpaired surrogates in the same way. No statement of this package has a question mark in a literal.
 */
export const spell = (text: string): Spelling => {
  const clean: Array<(text: string) => string> = []
  const numbered = text.replace(parameters, (_, cast?: string) => {
    clean.push(cast === undefined ? plain : json)
    return `$${clean.length}${cast ?? ""}`
  })
  const bindOne = (param: Param, index: number): Param =>
    typeof param === "string" ? (clean[index] ?? plain)(param) : param
  return { text: numbered, bind: (params) => params.map(bindOne) }
}
