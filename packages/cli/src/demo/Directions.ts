import { existsSync } from "node:fs"
import type { Terminal } from "../Terminal.ts"
import { type DemoKeys, keysFileOf } from "./DemoKeys.ts"
import { demoTenant } from "./Setup.ts"

/** Returns the next steps for the user: addresses, keys and commands that can be copied. */
export const directions = (
  paint: Terminal["style"],
  url: string,
  keys: DemoKeys,
  dataDir: string,
  consoleUrl: string
): string => {
  const base = `${url}/api/v1`
  const apiKey = keys.apiKey ?? "<api key>"
  const sourceKey = keys.sourceKeys["website"] ?? "<source key>"
  const event = '{"entity":{"name":"Ada","email":"ada@example.org"},"content":{"body":"How much is a new roof?"}}'
  // In a checkout of the repository, the command is not in the PATH.
  const local = "node_modules/.bin/leadloom"
  const command = existsSync(local) ? local : "leadloom"
  const question = '{"message":"There is a leak, please come today! 202-555-0199","contact":{"name":"Ada"}}'
  return `Console ${consoleUrl}
  Open this link in a browser within ten minutes. It works once; leadloom console prints a new one.
  The demo transmits no mail, text or call. Set LEADLOOM_SMTP_URL and connect an account to send mail.

${paint("bold", "Next steps")}
  API          ${base}
  Reference    ${base}/docs
  Admin key    ${keys.adminKey}
  API key      ${apiKey}
  Source key   ${sourceKey} (website)
  These keys belong to this demo. They are stored in ${keysFileOf(dataDir)}, which only you can read.

  ${paint("dim", "# List conversations, newest first")}
  curl -s -H "Authorization: Bearer ${apiKey}" ${base}/tenants/${demoTenant}/conversations

  ${paint("dim", "# Test a message without storing it")}
  curl -s -H "Authorization: Bearer ${apiKey}" -H "Content-Type: application/json" \\
    -d '${question}' \\
    ${base}/test/${demoTenant}

  ${paint("dim", "# Send an event as a web form does")}
  curl -s -H "Authorization: Bearer ${sourceKey}" -H "Content-Type: application/json" \\
    -d '${event}' \\
    ${base}/events/${demoTenant}/website

  ${paint("dim", "# Call the same server from the command line")}
  LEADLOOM_URL=${url} LEADLOOM_ADMIN_KEY=${keys.adminKey} ${command} config get --tenant ${demoTenant}

Stop with Ctrl-C. Delete ${dataDir} to start again.
`
}
