import type { Effect } from "effect"
import { Context, Data } from "effect"

/** A sealed secret cannot be opened: it was sealed with an unknown key or for another place, or it was altered. */
export class UnsealFailed extends Data.TaggedError("UnsealFailed")<{ readonly reason: string }> {}

/**
 * Encrypts secrets that the server must use again (provider tokens, signing secrets) before they are stored. Secrets
 * that are only compared are hashed instead (`hashSecret`). `place` names the owner, for example `crm:acme:loc_1`. A
 * secret opens only for the place that it was sealed for, so that a value copied into another row is detected.
 */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (secret: string, place: string) => string
    readonly open: (sealed: string, place: string) => Effect.Effect<string, UnsealFailed>
    /** Returns true when a secret was sealed with an old key and should be sealed again. */
    readonly isOld: (sealed: string) => boolean
    /** The non-secret ids of the keys that can open secrets. The first key seals. */
    readonly keys: readonly [string, ...ReadonlyArray<string>]
  }
>()("core/port/system/Vault") {}
