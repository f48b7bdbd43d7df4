/**
 * Imports mail files and prints the outcome of each.
 *
 *     LEADLOOM_ADMIN_KEY=… node examples/import-mail/index.ts packages/cli/demo/arrivals/*.eml
 *
 * For complete mailboxes use `leadloom import`, which also continues an interrupted import.
 */
import { readFile } from "node:fs/promises"
import { createClient } from "@leadloom/client"

const tenant = process.env["LEADLOOM_TENANT"] ?? "demo"
const client = createClient({
  baseUrl: process.env["LEADLOOM_URL"] ?? "http://127.0.0.1:4800",
  credential: process.env["LEADLOOM_ADMIN_KEY"]
})

const files = process.argv.slice(2)
const mails = await Promise.all(files.map(async (name) => ({ name, raw: (await readFile(name)).toString("base64") })))

// Historical mail is stored and threaded but never answered. A request holds at most 100 mails.
const { results } = await client.import.email(tenant, { historical: true, mails })
for (const { name, outcome, thread_id, detail } of results) {
  console.log([name, outcome, thread_id ?? "-", detail ?? ""].join("\t").trimEnd())
}
