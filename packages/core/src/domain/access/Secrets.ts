import { Context } from "effect"
import type { SessionKey } from "./SessionToken.ts"

/** The secrets of this deployment. */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** The operator's credentials: two during a rotation. If empty, no key authorises an operator. */
    readonly adminKeys: ReadonlyArray<string>
    /** The first key signs session tokens, and every key verifies them. If empty, session tokens are disabled. */
    readonly sessionKeys: ReadonlyArray<SessionKey>
    /** The secret key for the hashes of stored credentials and the signatures of cursors. */
    readonly pepper: Uint8Array
  }
>()("core/domain/access/Secrets") {}
