/** Runs the IMAP stand-in in a process of its own, so that its memory does not count. Prints its port. */
import { startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"

const [accounts = "1"] = process.argv.slice(2)
const names = Array.from({ length: Number(accounts) }, (_, index) => [`box${index}@example.com`, "secret"])
const server = await startImapStandIn({ accounts: Object.fromEntries(names), security: "tls" })
process.stdout.write(`${server.port}\n`)
process.stdin.resume().on("end", () => process.exit())
