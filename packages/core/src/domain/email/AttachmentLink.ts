import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import { constantTimeEquals } from "../access/Credential.ts"
import { isId, type MessageId } from "../Id.ts"

/** The lifetime of a link. Everyone who has the link may use it, and it cannot be revoked. */
export const linkLifetimeMillis = 15 * 60 * 1000

/** The kinds of files that links open: attachments, and remote images behind the image proxy. */
export type LinkPurpose = "attachment" | "image"

/** The file that a link opens. */
export interface AttachmentClaim {
  readonly tenantId: string
  readonly messageId: MessageId
  /** The position among the attachments or remote images of the message, from 0. */
  readonly index: number
}

/** In characters. Valid tokens are shorter. */
const maxTokenLength = 400

const sign = (purpose: LinkPurpose, payload: string, secret: Uint8Array): string =>
  Base64Url.encode(hmac(sha256, secret, utf8ToBytes(`leadloom/${purpose}/1\n${payload}`)))

/**
 * Creates the token of a link: `base64url(payload) "." base64url(HMAC-SHA256)`. The payload is JSON with the tenant,
 * the message, the index and the expiry in epoch milliseconds.
 */
export const linkToken = (purpose: LinkPurpose, of: AttachmentClaim, secret: Uint8Array, now: number): string => {
  const payload = Base64Url.encode(JSON.stringify([of.tenantId, of.messageId, of.index, now + linkLifetimeMillis]))
  return `${payload}.${sign(purpose, payload, secret)}`
}

/** Returns the path on this host that opens an attachment. Its validity starts now. */
export const attachmentPath = (of: AttachmentClaim, secret: Uint8Array, now: number): string =>
  `/api/v1/public/attachments/${attachmentToken(of, secret, now)}`

/** Reads the content of a token. Returns null if it is malformed, modified, expired, or signed with another secret. */
export const readLinkToken = (
  purpose: LinkPurpose,
  token: string,
  secret: Uint8Array,
  now: number
): AttachmentClaim | null => {
  const dot = token.indexOf(".")
  if (token.length > maxTokenLength || dot <= 0) return null
  const payload = token.slice(0, dot)
  if (!constantTimeEquals(token.slice(dot + 1), sign(purpose, payload, secret))) return null
  const text = Base64Url.decodeString(payload)
  if (Result.isFailure(text)) return null
  const claims: unknown = JSON.parse(text.success)
  if (!Array.isArray(claims)) return null
  const [tenantId, messageId, index, expiresAt]: ReadonlyArray<unknown> = claims
  if (typeof tenantId !== "string" || typeof messageId !== "string" || !isId("msg", messageId)) return null
  if (typeof index !== "number" || typeof expiresAt !== "number" || now >= expiresAt) return null
  return { tenantId, messageId, index }
}

/** Creates the token of a link to an attachment. */
export const attachmentToken = (of: AttachmentClaim, secret: Uint8Array, now: number): string =>
  linkToken("attachment", of, secret, now)

/** Reads the token of a link to an attachment, like `readLinkToken`. */
export const readAttachmentToken = (token: string, secret: Uint8Array, now: number): AttachmentClaim | null =>
  readLinkToken("attachment", token, secret, now)
