import type { Leadloom } from "@leadloom/client"
import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { signInLink } from "../SignInLink.ts"
import type { Terminal } from "../Terminal.ts"

/** Returns the only tenant of the deployment. Fails if the person has to choose one. */
const onlyTenant = async (client: Leadloom): Promise<string> => {
  const { tenants } = await client.tenants.list()
  const [only, another] = tenants
  if (only !== undefined && another === undefined) return only.tenant_id
  throw usageFailure(
    only === undefined
      ? "The server has no tenant. Create one with leadloom tenants create."
      : "The server has several tenants. Choose one with --tenant."
  )
}

interface ConsoleOptions {
  readonly tenant?: string
  readonly user?: string
  readonly role?: "agent" | "manager" | "admin"
}

/** `leadloom console`: prints a link with which a person signs in to the web console once. */
export const consoleCommand = (terminal: Terminal): Command =>
  new Command("console")
    .description("print a one-time link to the web console, valid for ten minutes")
    .option("--tenant <id>", "the tenant. Default: the only one")
    .option("--user <id>", "the user as whom the session acts. Default: no user")
    .addOption(
      new Option("--role <role>", "the role of a session without a user. Default: agent")
        .choices(["agent", "manager", "admin"])
        .conflicts("user")
    )
    .action(
      action<ConsoleOptions>(terminal, async ({ connection, options, show }) => {
        const client = adminClient(connection)
        const tenantId = options.tenant ?? connection.tenant ?? (await onlyTenant(client))
        const user = options.user === undefined ? {} : { user_id: options.user }
        const role = options.role === undefined ? {} : { role: options.role }
        const { ticket } = await client.sessions.createTicket({ tenant_id: tenantId, ...user, ...role })
        const url = signInLink(connection.url, ticket)
        show({ url }, () => `${url}\n`)
      })
    )
