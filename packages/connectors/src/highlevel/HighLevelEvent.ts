import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import type { CrmEvent } from "@leadloom/core/internal/domain/crm/CrmContact"
import { Option, Schema } from "effect"
import { maybe } from "../provider/Lenient.ts"
import { contactFields, saidOf } from "./ContactJson.ts"

/** The header with the signature of a provider event: Ed25519 over the raw body, in base64. */
export const signatureHeader = "x-ghl-signature"

/**
 * The maximum age of a provider event in milliseconds. The same limit applies to times in the future. It prevents the
 * replay of recorded events.
 */
export const maxProviderEventAgeMillis = 5 * 60_000

/** An authentic provider event. HighLevel may repeat it with the same id. */
export interface ProviderEventRead {
  readonly _tag: "ProviderEventRead"
  readonly providerEventId: string
  readonly providerEvent: CrmEvent
}

/**
 * The reason for the rejection of a provider event.
 * - `signature`: the signature is missing or invalid.
 * - `stale`: the signature is valid, but the time is too far from now.
 * - `malformed`: the signature is valid, but the body is not a provider event.
 */
export interface ProviderEventRejected {
  readonly _tag: "ProviderEventRejected"
  readonly why: "signature" | "stale" | "malformed"
}

/** Reads the marketplace's public key from PEM; null when it is invalid or not Ed25519. */
export const readPublicKey = (pem: string): KeyObject | null => {
  try {
    const key = createPublicKey(pem.replaceAll("\\n", "\n"))
    return key.asymmetricKeyType === "ed25519" ? key : null
  } catch {
    return null
  }
}

const isSigned = (keys: ReadonlyArray<KeyObject>, body: Uint8Array, signature: string | undefined): boolean => {
  const text = signature?.trim() ?? ""
  if (!/^[A-Za-z0-9+/]{86}==$/u.test(text)) return false
  const bytes = Buffer.from(text, "base64")
  return keys.some((key) => verify(null, body, key, bytes))
}

const ProviderEventJson = Schema.Struct({
  type: Schema.String,
  locationId: maybe(Schema.String),
  companyId: maybe(Schema.String),
  /** Only contact events contain the id of the contact. */
  id: maybe(Schema.String),
  contactId: maybe(Schema.String),
  timestamp: maybe(Schema.Union([Schema.String, Schema.Number])),
  webhookId: maybe(Schema.String),
  ...contactFields
})

const parsed = (body: Uint8Array): Option.Option<typeof ProviderEventJson.Type> => {
  try {
    return Schema.decodeUnknownOption(ProviderEventJson)(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return Option.none()
  }
}

const changes: ReadonlySet<string> = new Set(["ContactCreate", "ContactUpdate", "ContactTagUpdate", "ContactDndUpdate"])

const providerEventOf = (json: typeof ProviderEventJson.Type): CrmEvent => {
  const { companyId, locationId, type } = json
  const ignored: CrmEvent = { _tag: "Ignored", type: type.slice(0, 100) }
  // UNINSTALL names a location. If an agency removes the app, the event names only the agency.
  if (type === "UNINSTALL" && !locationId && companyId) return { _tag: "AgencyUninstalled", companyId }
  if (!locationId) return ignored
  if (type === "INSTALL") return { _tag: "Installed", locationId }
  if (type === "UNINSTALL") return { _tag: "Uninstalled", locationId }
  const crmContactId = json.id || json.contactId
  if (!crmContactId) return ignored
  if (changes.has(type)) return { _tag: "ContactChanged", locationId, crmContactId, said: saidOf(json) }
  return type === "ContactDelete" ? { _tag: "ContactDeleted", locationId, crmContactId } : ignored
}

/**
 * Verifies and reads a provider event of HighLevel. `rawBody` is the unchanged body, `signature` is the header value,
 * and `now` is in epoch milliseconds. Several keys are accepted during a key rotation. Never throws.
 *
 * INSTALL and UNINSTALL sometimes lack a timestamp. Such events are accepted, and `providerEventId` detects their
 * repetition.
 */
export const readProviderEvent = (
  keys: ReadonlyArray<KeyObject>,
  rawBody: Uint8Array,
  signature: string | undefined,
  now: number
): ProviderEventRead | ProviderEventRejected => {
  if (!isSigned(keys, rawBody, signature)) return { _tag: "ProviderEventRejected", why: "signature" }
  const json = Option.getOrNull(parsed(rawBody))
  if (json === null) return { _tag: "ProviderEventRejected", why: "malformed" }
  const said = json.timestamp ?? null
  const at = said === null ? now : new Date(said).getTime()
  if (!(Math.abs(now - at) <= maxProviderEventAgeMillis)) return { _tag: "ProviderEventRejected", why: "stale" }
  const providerEventId = json.webhookId || `body-${createHash("sha256").update(rawBody).digest("hex")}`
  return { _tag: "ProviderEventRead", providerEventId, providerEvent: providerEventOf(json) }
}
