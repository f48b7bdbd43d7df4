import { existsSync } from "node:fs"
import type { Terminal } from "../Terminal.ts"
import { type DemoKeys, keysFileOf } from "./DemoKeys.ts"
import { demoTenant } from "./Setup.ts"

/** Where to go on: addresses, keys and commands that work as they are printed. */
export const directions = (paint: Terminal["style"], url: string, keys: DemoKeys, dataDir: string): string => {
  const base = `${url}/api/v1`
  const apiKey = keys.apiKey ?? "<api key>"
  const sourceKey = keys.sourceKeys["website"] ?? "<source key>"
  const event = '{"entity":{"name":"Ada","email":"ada@example.org"},"content":{"body":"How much is a new roof?"}}'
  // In a checkout the command is not on the path.
  const local = "node_modules/.bin/leadloom"
  const command = existsSync(local) ? local : "leadloom"
  const question = '{"message":"There is a leak, please come today! 202-555-0199","contact":{"name":"Ada"}}'
  return `${paint("bold", "Go on")}
  API          ${base}
  Reference    ${base}/docs
  Admin key    ${keys.adminKey}
  API key      ${apiKey}
  Source key   ${sourceKey} (website)
  These keys are for this demo and kept in ${keysFileOf(dataDir)}, readable by you alone.

  ${paint("dim", "# Conversations, newest first")}
  curl -s -H "Authorization: Bearer ${apiKey}" ${base}/tenants/${demoTenant}/conversations

  ${paint("dim", "# What would become of a message; nothing is stored")}
  curl -s -H "Authorization: Bearer ${apiKey}" -H "Content-Type: application/json" \\
    -d '${question}' \\
    ${base}/test/${demoTenant}

  ${paint("dim", "# A web form sends an event")}
  curl -s -H "Authorization: Bearer ${sourceKey}" -H "Content-Type: application/json" \\
    -d '${event}' \\
    ${base}/events/${demoTenant}/website

  ${paint("dim", "# The same server from the command line")}
  LEADLOOM_URL=${url} LEADLOOM_ADMIN_KEY=${keys.adminKey} ${command} config get --tenant ${demoTenant}

Stop with Ctrl-C. Delete ${dataDir} to begin anew.
`
}
