import type { SqliteExamination } from "@leadloom/store/admin/Examination"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { ServerProbe } from "../ServerProbe.ts"
import { sizeText } from "../Size.ts"

/** The log is folded into the file every 16 MiB; much more says that something keeps it from that. */
const maxWalBytes = 512 * 1_048_576

const damageFinding = ({ damage }: SqliteExamination): Finding =>
  damage === null
    ? healthy("SQLite finds nothing wrong with the file.")
    : problem(
        `The file is damaged: ${damage}`,
        "Stop the server and restore a backup, or save what is left with: sqlite3 <file> .recover"
      )

const logFinding = ({ walBytes }: SqliteExamination): Finding =>
  walBytes <= maxWalBytes
    ? healthy(`The write-ahead log is ${sizeText(walBytes)}.`)
    : warning(
        `The write-ahead log is ${sizeText(walBytes)}.`,
        "Look for a reader that never ends (a copy, a backup, a shell), and end it."
      )

const holderFinding = ({ heldBy }: SqliteExamination, server: ServerProbe | null): Finding => {
  if (heldBy === null) return healthy("Nobody holds the file.")
  const who =
    heldBy.pid === null
      ? "another process"
      : `process ${heldBy.pid}${heldBy.command === "" ? "" : ` (${heldBy.command})`}`
  return server !== null && server.status === 0
    ? warning(
        `The file is held by ${who}, and no server answers at ${server.url}.`,
        "Look at that process: it may hang, or listen elsewhere (LEADLOOM_PORT)."
      )
    : healthy(`The file is held by ${who}.`)
}

/** What matters of a SQLite file. */
export const sqlite: Check = {
  name: "sqlite",
  run: ({ database, server }) =>
    Effect.sync(() => {
      if (database?.kind !== "seen" || database.examination.kind !== "sqlite") return []
      const { examination } = database
      return [damageFinding(examination), logFinding(examination), holderFinding(examination, server)]
    })
}
