import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import { type Credential, mintCredential, parseCredential } from "./Credential.ts"

/** A sender of custom events. Its key authorises the events endpoint of one tenant or of all tenants. */
export class Source extends Schema.Opaque<Source>()(
  Schema.Struct({
    sourceId: Schema.String.annotate({ description: "The id of the source, part of the URL of its events" }),
    tenantId: Schema.NullOr(Schema.String).annotate({ description: "null: the key is valid for every tenant" }),
    /** The first characters of the key, for recognition. */
    prefix: Schema.String.annotate({ description: "The first characters of the key, by which people recognise it" }),
    /** The keyed hash of the whole key, in hex. */
    hash: Schema.String.annotate({ secret: true }),
    createdAt: Time.annotate({ description: "The time at which the source was created (ISO 8601 in UTC)" })
  })
) {}

/** The tenant already has a source with this id. */
export class SourceExists extends TaggedError("SourceExists")<{ readonly sourceId: string }> {}

/** The tenant has no source with this id. */
export class SourceNotFound extends TaggedError("SourceNotFound")<{ readonly sourceId: string }> {}

/** The prefix of every source key. */
export const sourceKeyScheme = "lls"

/** Creates a source key. `randomBytes` must be cryptographically strong. */
export const mintSourceKey = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(sourceKeyScheme, randomBytes)

/** Parses a source key. Returns null if the form or checksum is wrong. */
export const parseSourceKey = (text: string): Credential | null => parseCredential(sourceKeyScheme, text)
