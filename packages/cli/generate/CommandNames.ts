import { handWritten } from "../src/operation/HandWritten.ts"

/** The commands of groups whose name differs from the group in the contract. */
const groupNames: Readonly<Record<string, string>> = {
  apiKeys: "keys",
  assistantTools: "assistant",
  consoleSessions: "sessions",
  contactMerges: "contacts",
  contactViews: "contacts",
  deployment: "system",
  eventFeed: "events",
  imageProxy: "remote-images",
  leakedKeys: "keys",
  // `leadloom mcp` serves MCP on standard input and output.
  mcp: "mcp-http",
  highLevel: "providers",
  nylas: "providers",
  stripe: "providers",
  twilio: "providers"
}

/** The commands whose name does not follow from the operation. */
const commandNames: Readonly<Record<string, string>> = {
  "assistantTools.call": "assistant call-tool",
  "billing.balance": "billing credits balance",
  "contactMerges.dismiss": "contacts dismiss-suggestion",
  "contactMerges.suggestions": "contacts merge-suggestions",
  "contactMerges.undo": "contacts undo-merge",
  "credential.get": "sessions whoami",
  "docs.openApi": "docs openapi",
  "docs.rootOpenApi": "docs root-openapi",
  "email.getGrant": "email grant",
  "highLevel.notice": "providers highlevel",
  "nylas.challenge": "providers nylas-challenge",
  "nylas.notice": "providers nylas",
  "pipeline.listRuns": "runs list",
  "pipeline.listTriggerRuns": "runs triggers",
  "pipeline.startRule": "rules start",
  "search.search": "search",
  "stripe.notice": "providers stripe",
  "trackedLinks.open": "sequences open-link",
  "twilio.text": "providers twilio-text",
  "twilio.textStatus": "providers twilio-text-status",
  "twilio.call": "providers twilio-call",
  "twilio.callStatus": "providers twilio-call-status",
  "twilio.dialed": "providers twilio-dialed",
  "twilio.recording": "providers twilio-recording"
}

/** Returns a name with hyphens: `phone-numbers` for `phoneNumbers`, and `lead-id` for `lead_id`. */
const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

/**
 * Returns the words of the command for an operation such as `leads.list`; null if a command in `src/command` has it.
 */
export const commandOf = (id: string): string | null => {
  if (id in handWritten) return null
  const [group = "", name = ""] = id.split(".")
  return commandNames[id] ?? `${groupNames[group] ?? kebabCase(group)} ${kebabCase(name)}`
}
