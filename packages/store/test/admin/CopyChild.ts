/**
 * Copies, and prints a line for every stored page. Stops after the first line that starts with the third argument, and
 * waits until it is killed. Arguments: source, target, start of the last line.
 */
import { writeSync } from "node:fs"
import { Effect } from "effect"
import { copyDatabase } from "../../src/admin/CopyDatabase.ts"

const [, , from = "", to = "", last = ""] = process.argv

/** Blocks this process. */
const stop = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)

await Effect.runPromise(
  copyDatabase({
    from,
    to,
    onProgress: ({ phase, rows, table }) => {
      const line = `${phase} ${table} ${rows}\n`
      writeSync(1, line)
      if (line.startsWith(last)) stop()
    }
  })
)
