import { BadRequest } from "@leadloom/api/errors"
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** A version as an entity tag (RFC 9110, section 8.8.3). */
export const etagOf = (version: number): string => `"${version}"`

/** Tells the version of what is answered. */
export const setETag = (version: number): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "etag", etagOf(version)))
  )

/** A list of entity tags. Bare numbers pass, because people type them. */
const tags = /^\s*(?:(?:W\/)?"[^"]*"|\d+)(?:\s*,\s*(?:(?:W\/)?"[^"]*"|\d+))*\s*$/u
const tag = /(?<weak>W\/)?"(?<quoted>[^"]*)"|(?<bare>\d+)/gu

const malformed = (name: string) =>
  BadRequest.of("The request has a field that does not do.", [
    { path: name, message: 'Expected the ETag of what was read, for example "7", or *.' }
  ])

/**
 * The versions that `If-Match` (RFC 9110, section 13.1.1) names; null: any will do. Weak tags match nothing there, nor do
 * those that are no version.
 */
export const versionsOf = (header: string | undefined) => {
  if (header === undefined || header.trim() === "*") return Effect.succeed(null)
  if (!tags.test(header)) return Effect.fail(malformed("if-match"))
  const named = Array.from(header.matchAll(tag), ({ groups }) =>
    groups?.["weak"] === undefined ? Number(groups?.["quoted"] ?? groups?.["bare"]) : Number.NaN
  )
  return Effect.succeed(named.filter((version) => Number.isInteger(version)))
}

/** Whether `If-None-Match` (section 13.1.2) knows this version already. What cannot be read knows nothing. */
export const knowsVersion = (header: string | undefined, version: number): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  return Array.from(header.matchAll(tag)).some(({ groups }) => groups?.["quoted"] === String(version))
}

/** There is nothing newer. */
export const notModified = (version: number): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 304, headers: { etag: etagOf(version) } })
