import { Data } from "effect"

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
