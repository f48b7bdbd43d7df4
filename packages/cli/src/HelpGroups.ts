import { type Command, Help } from "commander"

const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** The headings of the help with their commands, in order. Other commands belong to the last one. */
const helpGroups: ReadonlyArray<readonly [heading: string, commands: ReadonlyArray<string>]> = [
  [
    "People and messages:",
    [
      ...words("conversations inbox views threads notes contacts contact-identities contact-consent companies"),
      ...words("segments leads pipelines tasks calls search messages drafts scheduled uploads attachments"),
      ...words("remote-images")
    ]
  ],
  [
    "Automation:",
    [
      "pipeline",
      "runs",
      "explain",
      "replay",
      "backtest",
      "batches",
      "sequences",
      "enrolments",
      "simulations",
      "actions",
      "guardrails",
      "events"
    ]
  ],
  [
    "Settings of a tenant:",
    [
      ...words("config users teams fields canned-replies macros email webhooks keys sources sessions assistant"),
      ...words("sms-filters public-leads")
    ]
  ],
  [
    "Data of a tenant:",
    ["import", "contact-imports", "data-rights", "audit", "reports", "usage", "billing", "crm", "crm-actions"]
  ],
  [
    "Server and deployment:",
    [
      "serve",
      "console",
      "init",
      "doctor",
      "db",
      "upgrade",
      "demo",
      "system",
      "tenants",
      "locations",
      "agencies",
      "phone-numbers"
    ]
  ],
  ["Tools:", ["api", "commands", "completion", "docs", "mcp", "mcp-http", "providers"]]
]

/** The short descriptions of commands whose description needs several lines in the list of commands. */
const summaries: Readonly<Record<string, string>> = {
  api: "send a request to any path of the API",
  assistant: "credentials of voice assistants",
  audit: "every privileged action with its actor",
  backtest: "test changed settings on past messages",
  config: "read, edit and replace configurations",
  console: "print a one-time link to the web console",
  "contact-identities": "addresses, numbers and external ids of contacts",
  db: "migrate, inspect, copy and back up the database",
  doctor: "check the configuration and the server",
  events: "custom events, and the feed of outbound events",
  explain: "show how the pipeline handled a signal",
  import: "import mail from files and folders",
  init: "write a commented environment file with new keys",
  mcp: "serve MCP tools on standard input and output",
  "mcp-http": "MCP tools of the server",
  replay: "repeat the decision of a signal",
  reports: "volumes, times of work, and outcomes",
  webhooks: "manage webhook subscriptions and deliveries"
}

/** Groups the commands of the program in its help. */
export const addHelpGroups = (root: Command): Command => {
  const headings = helpGroups.map(([heading]) => heading)
  const rest = headings.at(-1) ?? ""
  for (const command of root.commands) {
    const [heading = rest] = helpGroups.find(([, names]) => names.includes(command.name())) ?? []
    command.helpGroup(heading)
    const summary = summaries[command.name()]
    if (summary !== undefined) command.summary(summary)
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
