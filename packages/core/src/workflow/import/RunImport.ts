import { Clock, Effect } from "effect"
import type { ImportScope } from "../../domain/import/ImportRow.ts"
import { readRow } from "../../domain/import/ImportMapping.ts"
import {
  type ContactImport,
  type ImportError,
  type ImportJob,
  partKey,
  rowsPerPart,
  rowsPerUnit,
  withErrors
} from "../../domain/import/ContactImport.ts"
import { again, done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import { ContactImports } from "../../port/repository/contact/ContactImports.ts"
import { CustomFields } from "../../port/repository/contact/CustomFields.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { importRows } from "./ImportRows.ts"
import { removeParts, type StoredPart } from "./StartImport.ts"
import { undoSome } from "./UndoImport.ts"

const isPart = (value: unknown): value is StoredPart =>
  typeof value === "object" && value !== null && "rows" in value && "targets" in value

declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string }

const readPart = Effect.fnUntraced(function* ({ importId, tenantId }: ContactImport, part: number) {
  const bytes = yield* (yield* Objects).get(tenantId, partKey(importId, part))
  const stored: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes))
  return isPart(stored) ? stored : { rows: [], targets: [] }
})

/** Imports some records in one unit of work, together with the progress. The header is line 1. */
const importUnit = Effect.fnUntraced(function* (
  tenantId: string,
  importId: string,
  { rows, targets }: StoredPart,
  first: number
) {
  const imports = yield* ContactImports
  const { config } = yield* (yield* Tenants).get(tenantId)
  const definitions = yield* (yield* CustomFields).list(tenantId, "contact")
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const of = yield* imports.get(tenantId, importId)
      // A job that lost its lease during these records must not import them again.
      if (of.processed !== first) return
      const scope: ImportScope = { of, definitions, defaultCountry: config.defaultCountry, now }
      const counts = { created: of.created, updated: of.updated, skipped: of.skipped }
      const errors: Array<ImportError> = []
      const outcomes = yield* importRows(
        scope,
        rows.map((cells) => readRow(cells, targets, definitions))
      )
      for (const [index, outcome] of outcomes.entries()) {
        if (typeof outcome === "string") counts[outcome] += 1
        else errors.push({ line: first + index + 2, ...outcome })
      }
      const processed = first + rows.length
      yield* imports.update({
        ...of,
        ...counts,
        ...withErrors(of, errors),
        status: "running",
        processed,
        updatedAt: now
      })
    })
  )
})

/** Marks an import as done, and deletes its stored parts. */
const finish = Effect.fnUntraced(function* (of: ContactImport) {
  yield* removeParts(of.tenantId, of.importId, of.rows)
  const updatedAt = yield* Clock.currentTimeMillis
  const imports = yield* ContactImports
  yield* (yield* Transactions).atomically(
    of.tenantId,
    Effect.flatMap(imports.get(of.tenantId, of.importId), (now) =>
      imports.update({ ...now, status: "done", updatedAt })
    )
  )
  return done
})

const runPart = Effect.fnUntraced(function* (of: ContactImport, part: number) {
  const { rows, targets } = yield* readPart(of, part)
  for (let index = 0; index < rows.length; index += rowsPerUnit) {
    const first = part * rowsPerPart + index
    yield* importUnit(of.tenantId, of.importId, { targets, rows: rows.slice(index, index + rowsPerUnit) }, first)
  }
})

const next = Effect.fnUntraced(function* (job: ImportJob) {
  const dueAt = yield* Clock.currentTimeMillis
  return { _tag: "Later", dueAt, job, reason: null } satisfies JobOutcome
})

/** Imports the next part of a file, or undoes the next changes of an import. */
export const runImport = Effect.fnUntraced(
  function* ({ job, tenantId }: QueuedJob<ImportJob>) {
    const of = yield* (yield* ContactImports).get(tenantId, job.importId)
    if (of.status === "undoing") return (yield* undoSome(of)) ? yield* next(job) : done
    if (of.status === "done" || of.status === "undone") return done
    if (job.part * rowsPerPart >= of.rows) return yield* finish(of)
    yield* runPart(of, job.part)
    return yield* next({ ...job, part: job.part + 1 })
  },
  Effect.catchTag(["ImportNotFound", "TenantNotFound"], () => Effect.succeed(done)),
  Effect.catchTag("ObjectsUnavailable", ({ reason }) => Effect.succeed(again(reason)))
)
