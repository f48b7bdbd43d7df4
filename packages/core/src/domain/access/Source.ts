import { Data } from "effect"
import { type Credential, mintCredential, parseCredential } from "./Credential.ts"

/** A sender of custom events. Its key opens the events endpoint of one tenant, or of all. */
export interface Source {
  readonly sourceId: string
  /** Null: the key is good for every tenant. */
  readonly tenantId: string | null
  /** First characters of the key, to recognise it by. */
  readonly prefix: string
  /** Keyed hash of the whole key, hex. */
  readonly hash: string
  readonly createdAt: number
}

/** The tenant has a source of that id already. */
export class SourceExists extends Data.TaggedError("SourceExists")<{ readonly sourceId: string }> {}

/** No source of that id. */
export class SourceNotFound extends Data.TaggedError("SourceNotFound")<{ readonly sourceId: string }> {}

/** What every source key begins with. */
export const sourceKeyScheme = "lls"

/** A new source key from a cryptographically strong random source. */
export const mintSourceKey = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(sourceKeyScheme, randomBytes)

/** Reads a source key; null when the text has not its form. */
export const parseSourceKey = (text: string): Credential | null => parseCredential(sourceKeyScheme, text)
