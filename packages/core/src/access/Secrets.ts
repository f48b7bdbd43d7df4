import { Context } from "effect"

/** What this deployment keeps to itself. */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** The operator's credential; null: nobody is the operator. */
    readonly adminKey: string | null
    /** Signs session tokens; null: none are minted and none accepted. */
    readonly sessionSecret: string | null
    /** Keys the hashes of stored credentials and the seals of cursors. */
    readonly pepper: Uint8Array
  }
>()("core/access/Secrets") {}
