import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { EgressPolicy, EgressRefused } from "../../domain/webhook/EgressPolicy.ts"

/** One POST to a URL that a tenant has set. */
export interface EgressRequest {
  readonly url: string
  /** `host`, `content-length` and `connection` are made from the rest. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** For everything together: name, connection, request, answer. */
  readonly timeoutMillis: number
  /** The rest of a longer answer is not read. */
  readonly maxResponseBytes: number
}

/** How long a receiver may take, milliseconds. */
export const egressTimeoutMillis = 15_000

/** What came back. A redirect is an answer like any other: nobody follows it. */
export interface EgressAnswer {
  readonly status: number
  /** Names in lower case; of several with one name all, separated by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Its first bytes, as they came. */
  readonly body: Uint8Array
  /** From the beginning to the end. */
  readonly millis: number
}

/** What kept a request from being answered. `dns`: the name. `protocol`: the answer is no HTTP. */
export type EgressFailureKind = "timeout" | "dns" | "connection" | "tls" | "protocol"

/** There is no answer; the request may have been received all the same. */
export class EgressFailed extends Data.TaggedError("EgressFailed")<{
  readonly kind: EgressFailureKind
  /** For the tenant: what went wrong and what to look at. */
  readonly reason: string
  readonly millis: number
}> {}

/** Everything that is sent to where a tenant wants it goes through here. */
export class Egress extends Context.Service<
  Egress,
  {
    /** Where requests may go; what `checkUrl` asks for when a URL is saved. */
    readonly policy: EgressPolicy
    /**
     * Sends one request, and follows no redirect. The URL is checked by the policy, and so is every address that its
     * name has now; the connection goes to one of those. A connection that the other side closed while nobody used it
     * is replaced, and the request sent again: a receiver may, rarely, get it twice.
     */
    readonly post: (request: EgressRequest) => Effect.Effect<EgressAnswer, EgressRefused | EgressFailed>
  }
>()("core/port/system/Egress") {}
