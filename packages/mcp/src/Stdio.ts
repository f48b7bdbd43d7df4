import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { createClient, type Leadloom } from "@leadloom/client"
import { Effect, Layer, Logger } from "effect"
import { actingUserOf, type CalledTool, CurrentCaller, type McpCaller, toolHeader } from "./Caller.ts"
import { stdioLayer } from "./Mcp.ts"
import { probeRights } from "./ProbeRights.ts"
import type { Right } from "./Tool.ts"

/** The server behind the tools, and the credential for it. */
export interface ToolServer {
  readonly url: string
  readonly credential: string
  readonly tenantId: string
  /** The user for whom the tools of agents act; undefined: the credential itself. */
  readonly actingUser: string | undefined
}

/** Returns a client that names the tool in its requests. It does not repeat requests: the language model decides. */
const connect = ({ actingUser, credential, url }: ToolServer, tool: CalledTool, signal: AbortSignal): Leadloom =>
  createClient({
    baseUrl: url,
    credential,
    actingUser: actingUserOf(tool, actingUser),
    maxRetries: 0,
    fetch: (target, { headers, signal: attempt, ...init }) =>
      fetch(target, {
        ...init,
        headers: { ...headers, [toolHeader]: tool.name },
        signal: AbortSignal.any([attempt, signal])
      })
  })

/**
 * Returns the rights of the credential. Rejects if the server is unreachable, does not know the credential, or does not
 * know the acting user.
 */
export const rightsAt = async ({ actingUser, credential, tenantId, url }: ToolServer): Promise<ReadonlySet<Right>> => {
  const options = { baseUrl: url, credential, maxRetries: 0 }
  const rights = await probeRights(createClient(options), tenantId)
  // The first request that names the user fails here instead of in the first call of a tool.
  if (actingUser !== undefined && rights.has("read")) await createClient({ ...options, actingUser }).users.me(tenantId)
  return rights
}

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
