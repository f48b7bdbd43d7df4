import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { type Credential, mintCredential, parseCredential } from "../access/Credential.ts"
import { Time } from "../Field.ts"

/** The credentials of a tenant's voice assistants: a secret, a Retell key or both. */
export class AssistantAccess extends Schema.Opaque<AssistantAccess>()(
  Schema.Struct({
    tenantId: Schema.String,
    prefix: Schema.NullOr(Schema.String).annotate({
      description: "The first characters of the secret, by which people recognise it; null: there is no secret"
    }),
    /** The keyed hash of the secret, from `hashSecret`. */
    hash: Schema.NullOr(Schema.String).annotate({ secret: true }),
    /**
     * Retell's signing key, sealed by `Vault`. A hash is not sufficient, because the server needs the key itself to
     * check a signature.
     */
    retellKey: Schema.NullOr(Schema.String).annotate({ secret: true }),
    createdAt: Time.annotate({ description: "The time at which access was first set up (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** FROZEN, because stored keys are sealed with this text. Returns the seal context of a tenant's Retell key. */
export const retellSealContext = (tenantId: string): string => `assistant:${tenantId}:retell`

/** The tenant has no credentials for a voice assistant. */
export class AssistantNotConfigured extends TaggedError("AssistantNotConfigured")<{
  readonly tenantId: string
}> {}

/** The caller of the tool did not prove that it is the tenant's assistant. */
export class AssistantRefused extends TaggedError("AssistantRefused")<{ readonly tenantId: string }> {}

/** The value is not a valid Retell key. */
export class RetellKeyInvalid extends TaggedError("RetellKeyInvalid")<{ readonly reason: string }> {}

/** The prefix of every assistant secret. */
export const assistantSecretScheme = "lla"

/** Creates an assistant secret. `randomBytes` must be cryptographically strong. */
export const mintAssistantSecret = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(assistantSecretScheme, randomBytes)

/** Parses an assistant secret. Returns null if the form or checksum is wrong. */
export const parseAssistantSecret = (text: string): Credential | null => parseCredential(assistantSecretScheme, text)
