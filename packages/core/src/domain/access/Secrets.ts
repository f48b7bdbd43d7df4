import { Context } from "effect"
import type { SessionKey } from "./SessionToken.ts"

/** What this deployment keeps to itself. */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** The operator's credentials: two while one takes the other's place; empty: nobody is the operator. */
    readonly adminKeys: ReadonlyArray<string>
    /** The first signs session tokens, all of them verify; empty: none are minted and none accepted. */
    readonly sessionKeys: ReadonlyArray<SessionKey>
    /** Keys the hashes of stored credentials and the seals of cursors. */
    readonly pepper: Uint8Array
  }
>()("core/domain/access/Secrets") {}
