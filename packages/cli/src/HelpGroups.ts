import { type Command, Help } from "commander"

/** The headings of the help with their commands, in order. Other commands belong to the last one. */
const helpGroups: ReadonlyArray<readonly [heading: string, commands: ReadonlyArray<string>]> = [
  [
    "People and messages:",
    ["conversations", "inbox", "views", "contacts", "leads", "tasks", "calls", "search", "messages", "attachments"]
  ],
  ["Automation:", ["pipeline", "runs", "explain", "replay", "backtest", "batches", "actions", "guardrails", "events"]],
  [
    "Settings of a tenant:",
    ["config", "email", "webhooks", "keys", "sources", "sessions", "assistant", "sms-filters", "public-leads"]
  ],
  ["Data of a tenant:", ["import", "data-rights", "audit", "usage", "billing", "crm", "crm-actions"]],
  [
    "Server and deployment:",
    ["serve", "init", "doctor", "db", "upgrade", "demo", "system", "tenants", "locations", "agencies", "phone-numbers"]
  ],
  ["Tools:", ["api", "commands", "completion", "docs", "mcp", "mcp-http", "providers"]]
]

/** Groups the commands of the program in its help. */
export const addHelpGroups = (root: Command): Command => {
  const headings = helpGroups.map(([heading]) => heading)
  const rest = headings.at(-1) ?? ""
  for (const command of root.commands) {
    const [heading = rest] = helpGroups.find(([, names]) => names.includes(command.name())) ?? []
    command.helpGroup(heading)
  }
  return (
    root
      .commandsGroup(rest)
      // Commander creates its own command `help` without a heading.
      .helpCommand("help [command]", "show the help of a command")
      .configureHelp({
        ...root.configureHelp(),
        // Commander lists groups in the order of their first command.
        groupItems: (all, visible, headingOf) =>
          new Map(
            [...new Help().groupItems(all, visible, headingOf)].toSorted(
              ([one], [other]) => headings.indexOf(one) - headings.indexOf(other)
            )
          )
      })
  )
}
