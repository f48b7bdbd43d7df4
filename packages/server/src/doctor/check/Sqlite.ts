import type { SqliteExamination } from "@leadloom/store/internal/admin/Examination"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { ServerProbe } from "../ServerProbe.ts"
import { sizeText } from "../Size.ts"

/**
 * The size of the write-ahead log from which a warning is reported. SQLite checkpoints the log every 16 MiB. A much
 * larger log shows that a reader blocks the checkpoints.
 */
const maxWalBytes = 512 * 1_048_576

const damageFinding = ({ damage }: SqliteExamination): Finding =>
  damage === null
    ? healthy("SQLite found no damage in the file.")
    : problem(
        `The file is damaged: ${damage}`,
        "Stop the server and restore a backup, or recover the remaining data with: sqlite3 <file> .recover"
      )

const logFinding = ({ walBytes }: SqliteExamination): Finding =>
  walBytes <= maxWalBytes
    ? healthy(`The write-ahead log is ${sizeText(walBytes)}.`)
    : warning(
        `The write-ahead log is ${sizeText(walBytes)}.`,
        "Find a long-running reader (a copy, a backup, a shell) and end it."
      )

const holderFinding = ({ heldBy }: SqliteExamination, server: ServerProbe | null): Finding => {
  if (heldBy === null) return healthy("No process uses the file.")
  const who =
    heldBy.pid === null
      ? "another process"
      : `process ${heldBy.pid}${heldBy.command === "" ? "" : ` (${heldBy.command})`}`
  return server !== null && server.status === 0
    ? warning(
        `The file is in use by ${who}, but no server answers at ${server.url}.`,
        "Check that process. It may have stopped responding, or listen on another port (LEADLOOM_PORT)."
      )
    : healthy(`The file is in use by ${who}.`)
}

/** Checks integrity, write-ahead log and use of a SQLite file. */
export const sqlite: Check = {
  name: "sqlite",
  run: ({ database, server }) =>
    Effect.sync(() => {
      if (database?.kind !== "seen" || database.examination.kind !== "sqlite") return []
      const { examination } = database
      return [damageFinding(examination), logFinding(examination), holderFinding(examination, server)]
    })
}
