import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { propertyTable } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

const mint = (terminal: Terminal): Command =>
  new Command("mint")
    .description("create a session token with agent rights on one tenant, valid for one hour")
    .requiredOption("--tenant <id>", "the tenant")
    .option("--user <id>", "the user as whom the session acts. Default: no user")
    .action(
      action<{ readonly tenant: string; readonly user?: string }>(terminal, async ({ options, connection, show }) => {
        const user = options.user === undefined ? {} : { user_id: options.user }
        const session = await adminClient(connection).sessions.mint({ tenant_id: options.tenant, ...user })
        show(session, () =>
          propertyTable([
            ["token", session.token],
            ["tenant", session.tenant_id],
            ["user", session.user_id ?? "none"],
            ["expires", new Date(session.expires_at).toISOString()]
          ])
        )
      })
    )

/** `leadloom sessions`: short-lived credentials for agents. */
export const sessionsCommand = (terminal: Terminal): Command =>
  new Command("sessions").description("create session tokens").addCommand(mint(terminal))
