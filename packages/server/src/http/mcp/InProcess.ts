import { createClient, type Leadloom } from "@leadloom/client"
import { actingUserOf, type CalledTool, toolHeader } from "@leadloom/mcp/internal/Caller"
import { Context, Effect, Option, Scope } from "effect"
import { HttpEffect, type HttpRouter, HttpServerRequest } from "effect/http"

/** The client of the tools, as the request of the MCP client presents it to the API. */
export interface Sender {
  readonly credential: string
  /** The value of `X-Acting-User`. */
  readonly actingUser: string | undefined
  /** The network address of the MCP client, for rate limits and the audit trail. */
  readonly address: string | null
  readonly requestId: string | null
}

/** Returns a client whose requests the router answers in this process. */
export type Connect = (sender: Sender, tool: CalledTool, signal: AbortSignal) => Leadloom

/**
 * Connects clients to all routes of the server. A request passes the same middleware as a request over a socket:
 * credential, permissions, rate limits, validation and audit. It is not repeated after a failure, because the language
 * model decides about a repetition.
 */
export const connectTo = (router: HttpRouter.HttpRouter): Effect.Effect<Connect> =>
  Effect.map(Effect.context<never>(), (context): Connect => {
    const services = Context.omit(Scope.Scope)(context)
    return ({ actingUser, address, credential, requestId }, tool, signal) => {
      const app = Effect.updateService(router.asHttpEffect(), HttpServerRequest.HttpServerRequest, (request) =>
        request.modify({ remoteAddress: Option.fromNullOr(address) })
      )
      const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(services)(
        app
      )
      const more = { [toolHeader]: tool.name, ...(requestId === null ? {} : { "x-request-id": requestId }) }
      return createClient({
        // The requests never leave the process, so the host has no meaning.
        baseUrl: "http://in-process",
        credential,
        actingUser: actingUserOf(tool, actingUser),
        maxRetries: 0,
        fetch: (url, { headers, signal: attempt, ...init }) =>
          handle(
            new Request(url, { ...init, headers: { ...headers, ...more }, signal: AbortSignal.any([attempt, signal]) })
          )
      })
    }
  })
