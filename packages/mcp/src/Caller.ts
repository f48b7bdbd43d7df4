import type { Leadloom } from "@leadloom/client"
import { Context } from "effect"
import type { Right } from "./Tool.ts"

/** The caller of the tools. */
export interface McpCaller {
  /** The tenant on which all tools work. */
  readonly tenantId: string
  readonly rights: ReadonlySet<Right>
  /** Returns a client with the credential of the caller. The server audits its requests under the name of the tool. */
  readonly client: (tool: string, signal: AbortSignal) => Leadloom
}

/** The caller of the current request; null outside a request. */
export const CurrentCaller = Context.Reference<McpCaller | null>("mcp/CurrentCaller", { defaultValue: () => null })

/** The header with the name of the tool. The server writes it to the audit trail. */
export const toolHeader = "x-mcp-tool"
