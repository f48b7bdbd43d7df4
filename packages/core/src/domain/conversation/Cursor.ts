import { TaggedError } from "../TaggedError.ts"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import type { TenantId } from "../TenantId.ts"
import { constantTimeEquals } from "../access/Credential.ts"
import { hmacBytes } from "../text/HmacHex.ts"

/** The sort key of the last item of a page. The next page starts after it. */
export type CursorKey = ReadonlyArray<string | number>

/** The list that a cursor belongs to. The cursor is invalid for any other list, tenant or filter. */
export interface CursorScope {
  readonly tenantId: TenantId
  /** The name of the list, for example `conversations`. */
  readonly list: string
  /** The filters of the request. A filter that is null or undefined is equivalent to an absent one. */
  readonly filters?: Readonly<Record<string, string | number | boolean | null | undefined>>
}

/** A tag of 12 bytes has 16 characters in base64url. */
const tagBytes = 12
const tagLength = 16
/** In characters. Valid cursors are shorter, because keys are a few short values. */
const maxCursorLength = 1024

/** Returns a text that identifies a scope. The order of the filters does not matter. */
const scopeText = (scope: CursorScope): string => {
  const filters = Object.entries(scope.filters ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([scope.tenantId, scope.list, filters])
}

const tagOf = (scope: CursorScope, payload: string, secret: Uint8Array): string => {
  const text = `leadloom/cursor/1\n${scopeText(scope)}\n${payload}`
  return Base64Url.encode(hmacBytes(secret, text).slice(0, tagBytes))
}

/**
 * FROZEN. Encodes a cursor: the first 12 bytes of HMAC-SHA256 over scope and payload, then the payload, both in
 * base64url. The payload is the sort key as JSON. A cursor is signed but not encrypted, because the items on the page
 * show the same times and ids.
 */
export const encodeCursor = (scope: CursorScope, key: CursorKey, secret: Uint8Array): string => {
  const payload = Base64Url.encode(JSON.stringify(key))
  return tagOf(scope, payload, secret) + payload
}

const isKey = (value: unknown): value is CursorKey =>
  Array.isArray(value) && value.every((part) => typeof part === "string" || typeof part === "number")

/**
 * Decodes a cursor. Returns null if the cursor is malformed or modified, or if it was created for another list, tenant
 * or filter, or with another secret.
 */
export const decodeCursor = (text: string, scope: CursorScope, secret: Uint8Array): CursorKey | null => {
  if (text.length > maxCursorLength) return null
  const payload = text.slice(tagLength)
  if (!constantTimeEquals(text.slice(0, tagLength), tagOf(scope, payload, secret))) return null
  const json = Base64Url.decodeString(payload)
  if (Result.isFailure(json)) return null
  const value: unknown = JSON.parse(json.success)
  return isKey(value) ? value : null
}

/** The cursor is malformed, or belongs to another tenant, list or filter. Request the first page again. */
export class CursorInvalid extends TaggedError("CursorInvalid")<{}> {}
