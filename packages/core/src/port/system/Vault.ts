import type { Effect } from "effect"
import { Context } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"

/**
 * A sealed secret cannot be opened, because it was sealed with an unknown key or for another place, or because it was
 * modified.
 */
export class UnsealFailed extends TaggedError("UnsealFailed")<{ readonly reason: string }> {}

/**
 * Encrypts secrets that the server must use again, such as provider tokens and signing secrets, before they are stored.
 * Secrets that are only compared are hashed instead (`hashSecret`). `place` names the owner of the secret, for example
 * `crm:acme:loc_1`. A sealed secret can be opened only for the same place, so a sealed value that was copied into
 * another row is detected.
 */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (secret: string, place: string) => string
    readonly open: (sealed: string, place: string) => Effect.Effect<string, UnsealFailed>
    /** Returns true when a secret was sealed with an old key. Seal such a secret again. */
    readonly isOld: (sealed: string) => boolean
    /** The ids of the keys that can open secrets. They are not secret. The first key seals. */
    readonly keys: readonly [string, ...ReadonlyArray<string>]
  }
>()("core/port/system/Vault") {}
