import type { Leadloom } from "@leadloom/client"
import { Context } from "effect"
import type { Right, Tool } from "./Tool.ts"

/** The parts of a tool that determine the headers of its requests. */
export type CalledTool = Pick<Tool, "name" | "rights">

/** The caller of the tools. */
export interface McpCaller {
  /** The tenant on which all tools work. */
  readonly tenantId: string
  readonly rights: ReadonlySet<Right>
  /** Returns a client with the credential of the caller. The server audits its requests under the name of the tool. */
  readonly client: (tool: CalledTool, signal: AbortSignal) => Leadloom
}

/** The caller of the current request; null outside a request. */
export const CurrentCaller = Context.Reference<McpCaller | null>("mcp/CurrentCaller", { defaultValue: () => null })

/** The header with the name of the tool. The server writes it to the audit trail. */
export const toolHeader = "x-mcp-tool"

/**
 * Returns the user whom the requests of a tool name; undefined if they name none. The API rejects a named user in
 * operations of managers.
 */
export const actingUserOf = ({ rights }: CalledTool, actingUser: string | undefined): string | undefined =>
  rights.includes("manage") ? undefined : actingUser
