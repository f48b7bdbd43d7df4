import { Schema } from "effect"
import { ConsentChange, ConsentEvidence } from "./OptOut.ts"

/** The purposes of a consent: messages and calls to the contact, and the recording of opened links. */
export const consentPurposes = ["messages", "tracking"] as const

/**
 * The current consent of the holder of an email address to the recording of opened links, with its history. Without a
 * record, the setting of the tenant decides.
 */
export class TrackingConsent extends Schema.Opaque<TrackingConsent>()(
  Schema.Struct({
    ...ConsentChange.fields,
    evidence: Schema.NullOr(ConsentEvidence),
    tenantId: Schema.String,
    /** The normalised address; after the erasure of the contact, its tombstone. */
    email: Schema.String,
    /** Earlier changes, newest first. */
    history: Schema.Array(ConsentChange)
  })
) {}
