import { BadRequest } from "@leadloom/api/internal/errors"
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** Returns a version as an entity tag (RFC 9110, section 8.8.3). */
export const etagOf = (version: number): string => `"${version}"`

/** Sets the `ETag` of the response. */
export const setETag = (version: number): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "etag", etagOf(version)))
  )

/** Matches a list of entity tags. Numbers without quotes are accepted, because people omit the quotes. */
const tags = /^\s*(?:(?:W\/)?"[^"]*"|\d+)(?:\s*,\s*(?:(?:W\/)?"[^"]*"|\d+))*\s*$/u
const tag = /(?<weak>W\/)?"(?<quoted>[^"]*)"|(?<bare>\d+)/gu

const malformed = (name: string) =>
  BadRequest.of("The request contains an invalid field.", [
    { path: name, message: 'Expected the ETag of the version that you read, for example "7", or *.' }
  ])

/**
 * Returns the versions in `If-Match` (RFC 9110, section 13.1.1); null if the header permits every version. Weak tags,
 * and tags that are not versions, match no version.
 */
export const versionsOf = (header: string | undefined) => {
  if (header === undefined || header.trim() === "*") return Effect.succeed(null)
  if (!tags.test(header)) return Effect.fail(malformed("if-match"))
  const named = Array.from(header.matchAll(tag), ({ groups }) =>
    groups?.["weak"] === undefined ? Number(groups?.["quoted"] ?? groups?.["bare"]) : Number.NaN
  )
  return Effect.succeed(named.filter((version) => Number.isInteger(version)))
}

/**
 * Returns whether `If-None-Match` (RFC 9110, section 13.1.2) contains this version. Returns false for an invalid
 * header.
 */
export const knowsVersion = (header: string | undefined, version: number): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  return Array.from(header.matchAll(tag)).some(({ groups }) => groups?.["quoted"] === String(version))
}

/** Returns 304 without a body. */
export const notModified = (version: number): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 304, headers: { etag: etagOf(version) } })
