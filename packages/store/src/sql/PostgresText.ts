import type { Param, Spelling } from "./Param.ts"

/** What stands for a character that Postgres cannot hold: U+FFFD, the replacement character. */
const replacement = "\uFFFD"

/** A cast behind a question mark: the parameter is JSON, whose texts Postgres takes out. */
const parameters = /\?(?<json>::jsonb)?/gu

/**
 * Every escape in JSON, those of no character for Postgres in a group of their own: NUL, and half of a surrogate pair,
 * which `JSON.stringify` escapes only where the other half is missing.
 */
const escapes = /\\(?:u(?<foreign>0000|d[89a-f][0-9a-f]{2})|.)/gu

/** A text as a column of Postgres can hold it. */
export const plain = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", replacement) : text)
const json = (text: string): string =>
  text.includes("\\u")
    ? text.replace(escapes, (escape, foreign?: string) => (foreign === undefined ? escape : replacement))
    : text

/**
 * A statement with `?` for each parameter as Postgres takes it: numbered. Its `text` cannot hold NUL (PostgreSQL 18,
 * 8.3), which SQLite can and senders can write, so that becomes U+FFFD; the driver does the same to half surrogates. No
 * text of this package has a question mark in a literal.
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
