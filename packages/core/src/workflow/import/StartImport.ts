/**
 * Imports contacts from CSV files: stores the file in parts, imports part after part in a job, and undoes an import.
 * Archives and emails do not belong here (`workflow/privacy`, `workflow/intake`). Tests:
 * `packages/server/test/http/contact/Imports.test.ts`.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import {
  type ContactImport,
  ImportInvalid,
  importJobId,
  ImportRunning,
  maxImportBytes,
  maxImportRows,
  partKey,
  rowsPerPart
} from "../../domain/import/ContactImport.ts"
import { readMapping } from "../../domain/import/ImportMapping.ts"
import { type CsvHead, decodeCsv, readCsvHead, readCsvPart, tooManyRows } from "../../domain/import/ReadCsv.ts"
import type { ContactImportId } from "../../domain/Id.ts"
import { ContactImports } from "../../port/repository/contact/ContactImports.ts"
import { CustomFields } from "../../port/repository/contact/CustomFields.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** A file with contacts, and how to import it. */
export interface ImportRequest extends Pick<ContactImport, "dryRun" | "mapping" | "onConflict"> {
  readonly file: Uint8Array
}

/** A part of a file as stored: the fields of the columns, and records. */
export interface StoredPart {
  readonly targets: ReadonlyArray<string | null>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/**
 * Splits a file into stored parts, and returns the number of its records. Other work of the server runs between two
 * parts, because parsing a large file takes a second.
 */
const storeParts = Effect.fnUntraced(function* (
  tenantId: string,
  importId: ContactImportId,
  text: string,
  { delimiter, read }: CsvHead,
  targets: StoredPart["targets"]
) {
  const objects = yield* Objects
  const put = (part: number, rows: StoredPart["rows"]) =>
    objects.put(tenantId, partKey(importId, part), utf8ToBytes(JSON.stringify({ targets, rows } satisfies StoredPart)))
  const pending: Array<ReadonlyArray<string>> = []
  let [count, parts, at] = [0, 0, read]
  while (at < text.length) {
    const parsed = readCsvPart(text, at, rowsPerPart, delimiter)
    if (parsed.read <= at) break
    at = parsed.read
    count += parsed.rows.length
    if (count > maxImportRows) return yield* tooManyRows()
    pending.push(...parsed.rows)
    if (pending.length >= rowsPerPart) yield* put(parts++, pending.splice(0, rowsPerPart))
    yield* Effect.yieldNow
  }
  if (pending.length > 0) yield* put(parts, pending)
  return count
})

/** Deletes the stored parts of a file with this number of records. */
export const removeParts = Effect.fnUntraced(function* (tenantId: string, importId: ContactImportId, rows: number) {
  const objects = yield* Objects
  for (let part = 0; part * rowsPerPart < rows; part++) yield* objects.remove(tenantId, partKey(importId, part))
})

/** Fails with `ImportRunning` while another import of the tenant is not done. */
const requireIdle = Effect.fnUntraced(function* (tenantId: string) {
  const [last] = yield* (yield* ContactImports).page(tenantId, 1, null)
  if (last === undefined || last.status === "done" || last.status === "undone") return
  return yield* new ImportRunning({ importId: last.importId })
})

const blankCounts = { processed: 0, created: 0, updated: 0, skipped: 0, failed: 0, errors: [], reverted: 0, kept: 0 }

/** Stores an import and its job. Fails with `ImportRunning` when another import has started meanwhile. */
const enqueue = Effect.fnUntraced(function* (of: ContactImport) {
  const { createdAt, dryRun, importId, rows, tenantId } = of
  const job = { kind: "contact_import", importId, part: 0 } as const
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      yield* requireIdle(tenantId)
      yield* (yield* ContactImports).insert(of)
      yield* (yield* Jobs).put({ tenantId, jobId: importJobId(importId), job, dueAt: createdAt, createdAt })
      yield* recordAuditChange({ before: null, after: { import_id: importId, rows, dry_run: dryRun } })
      return of
    })
  )
})

/**
 * Starts the import of a file. Workers process it, and the import shows their progress. Fails with `ImportInvalid` for
 * an invalid file or mapping.
 */
export const startImport = Effect.fnUntraced(function* (
  tenantId: string,
  { dryRun, file, mapping, onConflict }: ImportRequest
) {
  yield* (yield* Tenants).get(tenantId)
  if (file.length > maxImportBytes) return yield* new ImportInvalid({ field: "file", reason: "The file is too large." })
  const text = decodeCsv(file)
  const head = readCsvHead(text)
  if (head instanceof ImportInvalid) return yield* head
  const targets = readMapping(mapping, head.header, yield* (yield* CustomFields).list(tenantId, "contact"))
  if (targets instanceof ImportInvalid) return yield* targets
  yield* requireIdle(tenantId)
  const importId = yield* (yield* Ids).next("imp")
  const start = Effect.gen(function* () {
    const rows = yield* storeParts(tenantId, importId, text, head, targets)
    const now = yield* Clock.currentTimeMillis
    const counts = { ...blankCounts, rows, createdAt: now, updatedAt: now }
    return yield* enqueue({ importId, tenantId, status: "queued", dryRun, onConflict, mapping, ...counts })
  })
  return yield* Effect.tapError(start, () => removeParts(tenantId, importId, maxImportRows + rowsPerPart))
}, withSpan("startImport"))
