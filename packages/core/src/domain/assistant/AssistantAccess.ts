import { Data } from "effect"
import { type Credential, mintCredential, parseCredential } from "../access/Credential.ts"

/** By what the voice assistants of a tenant prove themselves; at least one of both is set. */
export interface AssistantAccess {
  readonly tenantId: string
  /** The beginning of the secret, to recognise it by; null: none has been made. */
  readonly prefix: string | null
  /** Keyed hash of the secret (`hashSecret`). */
  readonly hash: string | null
  /** The key that Retell signs with, sealed by the `Vault`: signatures cannot be checked against a hash. */
  readonly retellKey: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Where the sealed key of Retell belongs. FROZEN: keys are sealed for it. */
export const retellSealContext = (tenantId: string): string => `assistant:${tenantId}:retell`

/** The tenant has no voice assistant that could prove itself. */
export class AssistantNotConfigured extends Data.TaggedError("AssistantNotConfigured")<{
  readonly tenantId: string
}> {}

/** Whoever calls the tool is not the tenant's assistant. */
export class AssistantRefused extends Data.TaggedError("AssistantRefused")<{ readonly tenantId: string }> {}

/** What is set does not do as a key. */
export class RetellKeyInvalid extends Data.TaggedError("RetellKeyInvalid")<{ readonly reason: string }> {}

/** What every assistant secret begins with. */
export const assistantSecretScheme = "lla"

/** A new assistant secret from a cryptographically strong random source. */
export const mintAssistantSecret = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(assistantSecretScheme, randomBytes)

/** Reads an assistant secret; null when the text has not its form. */
export const parseAssistantSecret = (text: string): Credential | null => parseCredential(assistantSecretScheme, text)
