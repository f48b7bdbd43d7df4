import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import type { CrmEvent } from "@leadloom/core/domain/crm/CrmContact"
import { Option, Schema } from "effect"
import { maybe } from "../http/Lenient.ts"
import { contactFields, saidOf } from "./ContactJson.ts"

/** The header that carries the signature of a provider event: Ed25519 over the raw body, in base64. */
export const signatureHeader = "x-ghl-signature"

/** A provider event that is older, or further in the future, is somebody's who plays back what he has heard; milliseconds. */
export const maxProviderEventAgeMillis = 5 * 60_000

/** A provider event that is the CRM's, and what it says. The same may come again, under the same id. */
export interface ProviderEventRead {
  readonly _tag: "ProviderEventRead"
  readonly providerEventId: string
  readonly providerEvent: CrmEvent
}

/** `signature`: whoever sent it has not the key. `stale`: it is signed, and not of now. `malformed`: signed, and no provider event. */
export interface ProviderEventRejected {
  readonly _tag: "ProviderEventRejected"
  readonly why: "signature" | "stale" | "malformed"
}

/** The key at the marketplace, as PEM; null when it is none, or of another kind. */
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
  /** Of the contact, in what tells of one. */
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
  // Of a location it names the location; of an agency as a whole the agency alone.
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
 * Reads a provider event of HighLevel: `rawBody` as it came, `signature` from the header, `now` in epoch milliseconds. Several keys
 * are taken while the marketplace changes its own. Total. INSTALL and UNINSTALL have had no timestamp at times: what has
 * none is not refused for it, and told twice it is told once (`providerEventId`).
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
