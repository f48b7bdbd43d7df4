/** Copies until it is killed, and says a line for every page it has stored. Arguments: source, target. */
import { writeSync } from "node:fs"
import { Effect } from "effect"
import { copyDatabase } from "../../src/admin/CopyDatabase.ts"

const [, , from = "", to = ""] = process.argv
await Effect.runPromise(
  copyDatabase({ from, to, onProgress: ({ phase, rows, table }) => void writeSync(1, `${phase} ${table} ${rows}\n`) })
)
