import type { Effect } from "effect"
import { Context, Data } from "effect"

/** A sealed text does not open: it is of another key, of another place, or not what was sealed. */
export class UnsealFailed extends Data.TaggedError("UnsealFailed")<{ readonly reason: string }> {}

/**
 * Seals secrets that have to be used again (tokens of providers, signing secrets) before they are stored. What is only
 * compared is hashed instead (`hashSecret`). `place` says whose secret it is, for example `crm:acme:loc_1`; what was
 * sealed for one place opens in no other, so that a row copied over another is noticed.
 */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (secret: string, place: string) => string
    readonly open: (sealed: string, place: string) => Effect.Effect<string, UnsealFailed>
    /** Whether it was sealed under a key that is not the newest one, and is better sealed again. */
    readonly isOld: (sealed: string) => boolean
    /** The ids of the keys that open, which tell nothing of them; the first one seals. */
    readonly keys: readonly [string, ...ReadonlyArray<string>]
  }
>()("core/port/system/Vault") {}
