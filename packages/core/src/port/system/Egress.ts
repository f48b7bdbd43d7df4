import type { Effect } from "effect"
import { Context } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { EgressPolicy, EgressRefused } from "../../domain/webhook/EgressPolicy.ts"

/** One POST request to a URL that a tenant has configured. */
export interface EgressRequest {
  readonly url: string
  /** The adapter sets `host`, `content-length` and `connection` itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The timeout for the whole request: name resolution, connection, request and response. */
  readonly timeoutMillis: number
  /** The maximum number of response bytes that are read. The rest of a longer response is ignored. */
  readonly maxResponseBytes: number
}

/** The default timeout of one request to a receiver. */
export const egressTimeoutMillis = 15_000

/** The response of a receiver. A redirect is returned like any other response and is not followed. */
export interface EgressAnswer {
  readonly status: number
  /** The response headers. Names are in lower case. The values of repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The first `maxResponseBytes` of the body. */
  readonly body: Uint8Array
  /** The duration of the whole request in milliseconds. */
  readonly millis: number
}

/** The cause of a missing response. `dns`: name resolution failed. `protocol`: the response is not valid HTTP. */
export type EgressFailureKind = "timeout" | "dns" | "connection" | "tls" | "protocol"

/** No response arrived. The receiver may nevertheless have received the request. */
export class EgressFailed extends TaggedError("EgressFailed")<{
  readonly kind: EgressFailureKind
  /** A message for the tenant that states the cause and what the tenant can check. */
  readonly reason: string
  readonly millis: number
}> {}

/**
 * Sends requests to URLs that tenants have configured. All such requests must use this port, because it prevents
 * requests to internal hosts.
 */
export class Egress extends Context.Service<
  Egress,
  {
    /** The policy with the hosts that the operator permits. `checkUrl` applies it when a tenant saves a URL. */
    readonly policy: EgressPolicy
    /**
     * Sends one request. Checks the policy for the URL and for all current addresses of its host name, and connects to
     * one of these addresses. If the receiver has closed an idle connection, the request is sent again over a new
     * connection. A receiver may therefore get a request twice in rare cases.
     */
    readonly post: (request: EgressRequest) => Effect.Effect<EgressAnswer, EgressRefused | EgressFailed>
    /** Sends one GET request with the same checks. */
    readonly get: (request: Omit<EgressRequest, "body">) => Effect.Effect<EgressAnswer, EgressRefused | EgressFailed>
  }
>()("core/port/system/Egress") {}
