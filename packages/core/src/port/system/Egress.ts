import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { EgressPolicy, EgressRefused } from "../../domain/webhook/EgressPolicy.ts"

/** One POST request to a URL that a tenant has configured. */
export interface EgressRequest {
  readonly url: string
  /** The adapter sets `host`, `content-length` and `connection` itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The timeout for name resolution, connection, request and response together. */
  readonly timeoutMillis: number
  /** The rest of a longer response is not read. */
  readonly maxResponseBytes: number
}

/** The default timeout of one request to a receiver. */
export const egressTimeoutMillis = 15_000

/** The response of a receiver. A redirect is returned like any other response, never followed. */
export interface EgressAnswer {
  readonly status: number
  /** Header names are in lower case. Values of repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The first `maxResponseBytes` of the body. */
  readonly body: Uint8Array
  /** The duration of the whole request. */
  readonly millis: number
}

/** The cause of a missing response. `dns`: name resolution failed. `protocol`: the response is not valid HTTP. */
export type EgressFailureKind = "timeout" | "dns" | "connection" | "tls" | "protocol"

/** No response arrived. The receiver may have received the request nevertheless. */
export class EgressFailed extends Data.TaggedError("EgressFailed")<{
  readonly kind: EgressFailureKind
  /** A message for the tenant: the cause and what to check. */
  readonly reason: string
  readonly millis: number
}> {}

/** The only way to send a request to a URL that a tenant has configured. It prevents requests to internal hosts. */
export class Egress extends Context.Service<
  Egress,
  {
    /** The rules for allowed hosts. `checkUrl` applies them when a URL is saved. */
    readonly policy: EgressPolicy
    /**
     * Sends one request. The policy is checked against the URL and all current addresses of its host name, and the
     * connection uses one of these addresses. When the receiver has closed an idle connection, the request is sent
     * again over a new one. In rare cases a receiver gets it twice.
     */
    readonly post: (request: EgressRequest) => Effect.Effect<EgressAnswer, EgressRefused | EgressFailed>
  }
>()("core/port/system/Egress") {}
