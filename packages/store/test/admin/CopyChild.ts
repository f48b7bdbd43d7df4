/** Copies until it is killed, and prints a line for every stored page. Arguments: source, target. */
import { writeSync } from "node:fs"
import { Effect } from "effect"
import { copyDatabase } from "../../src/admin/CopyDatabase.ts"

const [, , from = "", to = ""] = process.argv
await Effect.runPromise(
  copyDatabase({ from, to, onProgress: ({ phase, rows, table }) => void writeSync(1, `${phase} ${table} ${rows}\n`) })
)
