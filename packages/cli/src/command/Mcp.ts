import { Command } from "commander"
import { action } from "../Action.ts"
import { tenantCredential } from "../Connection.ts"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed } from "../Failure.ts"
import type { Terminal } from "../Terminal.ts"

interface McpOptions {
  readonly tenant: string
}

const clients = `
An MCP client starts this command and talks to it on standard input and output.
docs/how-to/mcp.md has the configuration of common clients.
`

const withoutRights = (tenant: string): CommandFailed =>
  new CommandFailed(exitCodes.notAuthorised, "FORBIDDEN", `The key has no rights in the tenant ${tenant}.`)

/** `leadloom mcp`: serves MCP tools on standard input and output. The tools send requests to a running server. */
export const mcpCommand = (terminal: Terminal, version: string): Command =>
  new Command("mcp")
    .description("serve MCP tools for language models on standard input and output")
    .requiredOption("--tenant <id>", "tenant of the tools")
    .addHelpText("after", clients)
    .action(
      action<McpOptions>(terminal, async ({ connection, options }) => {
        const { actingUser, url } = connection
        const server = { url, credential: tenantCredential(connection), tenantId: options.tenant, actingUser }
        // A dynamic import, so that other commands start without loading the protocol.
        const { rightsAt, serveStdio } = await import("@leadloom/mcp/internal/Stdio")
        const rights = await rightsAt(server)
        if (rights.size === 0) throw withoutRights(options.tenant)
        await serveStdio(server, { rights, version, signal: terminal.signal })
      })
    )
