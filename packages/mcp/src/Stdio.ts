import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { createClient, type Leadloom } from "@leadloom/client"
import { Effect, Layer, Logger } from "effect"
import { CurrentCaller, type McpCaller, toolHeader } from "./Caller.ts"
import { stdioLayer } from "./Mcp.ts"
import { probeRights } from "./ProbeRights.ts"
import type { Right } from "./Tool.ts"

/** The server behind the tools, and the credential for it. */
export interface ToolServer {
  readonly url: string
  readonly credential: string
  readonly tenantId: string
}

/** Returns a client that names the tool in its requests. It does not repeat requests: the language model decides. */
const connect = ({ credential, url }: ToolServer, tool?: string, signal?: AbortSignal): Leadloom =>
  createClient({
    baseUrl: url,
    credential,
    maxRetries: 0,
    fetch: (target, { headers, signal: attempt, ...init }) =>
      fetch(target, {
        ...init,
        headers: { ...headers, ...(tool === undefined ? {} : { [toolHeader]: tool }) },
        signal: signal === undefined ? attempt : AbortSignal.any([attempt, signal])
      })
  })

/** Returns the rights of the credential. Rejects if the server is unreachable or does not know the credential. */
export const rightsAt = (server: ToolServer): Promise<ReadonlySet<Right>> =>
  probeRights(connect(server), server.tenantId)

/** Standard output contains only the protocol, so the log goes to standard error. */
const log = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

/** The options of `serveStdio`. */
export interface StdioOptions {
  readonly rights: ReadonlySet<Right>
  readonly version: string
  /** Ends the program. */
  readonly signal: AbortSignal
}

/**
 * Serves the tools on standard input and output until the input ends. The tools send their requests to a running
 * server.
 */
export const serveStdio = async (server: ToolServer, { rights, signal, version }: StdioOptions): Promise<void> => {
  const client: McpCaller["client"] = (tool, stop) => connect(server, tool, stop)
  const program = Layer.launch(stdioLayer(version)).pipe(
    Effect.provideService(CurrentCaller, { tenantId: server.tenantId, rights, client }),
    Effect.provide(Layer.merge(NodeStdio.layer, log))
  )
  // The end of the input interrupts the program, so an interruption is the regular end.
  await Effect.runPromiseExit(program, { signal })
}
