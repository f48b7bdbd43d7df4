import { Effect, Stream } from "effect"
import { isId } from "../../domain/Id.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Reports } from "../../port/repository/tenant/Reports.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { sanitizeLong } from "../sending/ReserveSend.ts"
import { type ImportedRows, importRows, withoutErasedRows } from "./ImportRows.ts"
import {
  ArchiveConflict,
  archiveFiles,
  archiveFormat,
  ArchiveInvalid,
  archiveLimits,
  objectsFolder
} from "../../domain/privacy/Archive.ts"
import { filesOfMessage, objectLine } from "./ExportArchive.ts"
import { folderOf, type PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { inventoryByName, exportedTables } from "../../domain/privacy/DataInventory.ts"
import { canonical, hashOf, isJson, type Json } from "../../domain/text/Json.ts"
import { readRecord, type Row, rowKey } from "../../domain/privacy/Record.ts"
import { type TarFile, tarFiles } from "../../domain/privacy/Tar.ts"
import { newTotals, type Totals } from "../../domain/privacy/Totals.ts"

/** The numbers of rows in an import, by table. */
export type ImportReport = Readonly<Record<string, ImportedRows>>
import { unknownValuesIn } from "../../domain/privacy/Vocabulary.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * A page of messages that is not imported until its files have arrived, because a file must be stored before a row
 * refers to it.
 */
interface Waiting {
  readonly path: string
  readonly rows: ReadonlyArray<Row>
  /** The object key of each file. */
  readonly keys: ReadonlyMap<string, string>
  /** The files of messages that are not stored yet. Other files are checked but not written. */
  readonly wanted: ReadonlySet<string>
  /** The description of each received file. The `objects` page must contain the same descriptions. */
  readonly came: Map<string, string>
}

interface Import {
  readonly tenantId: string
  readonly totals: Totals
  readonly report: Map<string, ImportedRows>
  waiting: Waiting | null
  begun: boolean
  ended: boolean
}

const invalid = (entry: string, reason: string) => new ArchiveInvalid({ entry, reason })

const textIn = (bytes: Uint8Array) => Stream.mkString(Stream.decodeText(Stream.make(bytes)))

const parsed = Effect.fnUntraced(function* (entry: string, text: string) {
  const value: unknown = yield* Effect.try({
    try: () => JSON.parse(text),
    catch: () => invalid(entry, "The content is not valid JSON.")
  })
  if (!isJson(value) || typeof value !== "object" || value === null || Array.isArray(value)) {
    return yield* invalid(entry, "The content is not a JSON object.")
  }
  return { ...value } as { readonly [key: string]: Json }
})

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line.trim() !== "")

const begin = Effect.fnUntraced(function* (state: Import, { bytes, path }: TarFile) {
  const header = yield* parsed(path, yield* textIn(bytes))
  if (header["format"] !== archiveFormat.format || header["version"] !== archiveFormat.version) {
    return yield* invalid(path, `The archive is not an export of version ${archiveFormat.version}.`)
  }
  state.begun = true
})

const rowsOf = Effect.fnUntraced(function* (state: Import, table: PersonalDataTable, { bytes, path }: TarFile) {
  const rows: Array<Row> = []
  for (const [index, line] of linesOf(yield* textIn(bytes)).entries()) {
    const read = readRecord(table, line)
    if (read.problem !== null) return yield* invalid(`${path}, line ${index + 1}`, `The line ${read.problem}.`)
    const strange = unknownValuesIn(table, read.row)
    if (strange !== null) return yield* invalid(`${path}, line ${index + 1}`, `The line ${strange}.`)
    state.totals.add(folderOf(table), read.contentHash)
    rows.push(read.row)
  }
  if (new Set(rows.map((row) => rowKey(table, row))).size < rows.length) {
    return yield* invalid(path, "The file contains a duplicate row.")
  }
  return rows
})

/** Imports rows and causes a recount of the reports, because their worker has passed the ids of imported rows. */
const importCounted = Effect.fnUntraced(function* (
  tenantId: string,
  table: PersonalDataTable,
  rows: ReadonlyArray<Row>,
  path: string
) {
  yield* (yield* Reports).recountAll(tenantId)
  return yield* importRows(tenantId, table, rows, path)
})

/** Imports one page in one unit of work. */
const importPage = Effect.fnUntraced(function* (
  state: Import,
  table: PersonalDataTable,
  rows: ReadonlyArray<Row>,
  path: string
) {
  const { report, tenantId } = state
  const admitted = yield* (yield* Transactions).atomically(tenantId, importCounted(tenantId, table, rows, path))
  const folder = folderOf(table)
  const before = report.get(folder) ?? { imported: 0, present: 0, erased: 0 }
  report.set(folder, {
    imported: before.imported + admitted.imported,
    present: before.present + admitted.present,
    erased: before.erased + admitted.erased
  })
})

/** Returns the keys of the files that people of the tenant attached to a message. */
const attachedKeys = ({ attachments }: Row): ReadonlyArray<string> =>
  Array.isArray(attachments)
    ? attachments.flatMap((attachment: Json) =>
        typeof attachment === "object" && attachment !== null && "objectKey" in attachment
          ? [String(attachment["objectKey"])]
          : []
      )
    : []

/** Prepares a page of messages, whose import waits for the files that follow in the archive. */
const holdMessages = Effect.fnUntraced(function* (state: Import, rows: ReadonlyArray<Row>, path: string) {
  const table = inventoryByName.messages
  const { tenantId } = state
  for (const row of rows) {
    const { raw_key: key } = row
    if (typeof key === "string" && !isId("raw", key)) return yield* invalid(path, `${key} is not a valid source key.`)
    for (const objectKey of attachedKeys(row))
      if (!isId("upl", objectKey)) return yield* invalid(path, `${objectKey} is not a valid attachment key.`)
  }
  const here = new Set((yield* (yield* PersonalData).present(tenantId, table, rows)).map((row) => rowKey(table, row)))
  const missing = (yield* withoutErasedRows(tenantId, table, rows)).filter((row) => !here.has(rowKey(table, row)))
  state.waiting = {
    path,
    rows,
    keys: new Map(rows.flatMap(filesOfMessage).map((file) => [file.path, file.key])),
    wanted: new Set(missing.flatMap(filesOfMessage).map((file) => file.path)),
    came: new Map()
  }
})

/** Stores a file of the waiting page. Never overwrites an existing object. */
const importFile = Effect.fnUntraced(function* ({ tenantId, waiting }: Import, { bytes, path }: TarFile) {
  const key = waiting?.keys.get(path)
  if (waiting === null || key === undefined)
    return yield* invalid(path, "The preceding page has no message with this file.")
  waiting.came.set(path, canonical(objectLine(path, bytes)))
  if (!waiting.wanted.has(path)) return
  const { get, put } = yield* Objects
  const there = yield* get(tenantId, key)
  if (there === null) return yield* put(tenantId, key, bytes)
  if (hashOf(there) !== hashOf(bytes)) {
    return yield* new ArchiveConflict({ entry: path, reason: `a different object already exists under ${key}` })
  }
})

/** Restores the addresses of remote images, which sanitising has moved to another attribute. */
const asWritten = (html: string): string => html.replaceAll(' data-remote-src="', ' src="')

/**
 * Sanitises the HTML of imported messages again. This is necessary, because anyone can build an archive with valid
 * hashes, and the console shows stored HTML.
 */
const withSafeHtml = Effect.fnUntraced(function* (tenantId: string, rows: ReadonlyArray<Row>) {
  const safe: Array<Row> = []
  for (const row of rows) {
    const { html_body: html } = row
    safe.push(typeof html === "string" ? { ...row, html_body: yield* sanitizeLong(tenantId, asWritten(html)) } : row)
    // A page contains hundreds of messages, so other requests may run after each message.
    yield* Effect.yieldNow
  }
  return safe
})

/** Compares the received files with the `objects` page, then imports the messages to which they belong. */
const importObjects = Effect.fnUntraced(function* (state: Import, { bytes, path }: TarFile) {
  const { waiting } = state
  if (waiting === null) return yield* invalid(path, "No page of messages precedes this page.")
  const said = new Set<string>()
  for (const line of linesOf(yield* textIn(bytes))) {
    const object = yield* parsed(path, line)
    const { path: of } = object
    const came = waiting.came.get(String(of)) ?? canonical(objectLine(String(of), null))
    if (came !== canonical(object))
      return yield* invalid(
        `${path}, ${String(of)}`,
        "The file is missing or differs from its line in the `objects` page."
      )
    state.totals.add(objectsFolder, hashOf(canonical(object)))
    said.add(String(of))
  }
  for (const file of waiting.keys.keys()) {
    if (!said.has(file)) return yield* invalid(path, `${file} is not listed.`)
  }
  state.waiting = null
  yield* importPage(state, inventoryByName.messages, yield* withSafeHtml(state.tenantId, waiting.rows), waiting.path)
})

const finish = Effect.fnUntraced(function* (state: Import, { bytes, path }: TarFile) {
  const manifest = yield* parsed(path, yield* textIn(bytes))
  if (manifest["content_hash"] !== state.totals.manifest()["content_hash"]) {
    return yield* invalid(path, "The archive does not match its manifest. A part is missing or was changed.")
  }
  state.ended = true
})

const importEntry = Effect.fnUntraced(function* (state: Import, entry: TarFile) {
  const { path } = entry
  if (!state.begun) {
    if (path !== archiveFiles.header) return yield* invalid(path, `An export must start with ${archiveFiles.header}.`)
    return yield* begin(state, entry)
  }
  const [folder = ""] = path.split("/")
  if (folder === "eml" || folder === "attachments") return yield* importFile(state, entry)
  if (folder === objectsFolder) return yield* importObjects(state, entry)
  if (state.waiting !== null) return yield* invalid(path, `The files of ${state.waiting.path} must precede this entry.`)
  if (path === archiveFiles.manifest) return yield* finish(state, entry)
  const table = exportedTables.find((one) => folderOf(one) === folder)
  if (table === undefined) return yield* invalid(path, "This path is not part of an export.")
  const rows = yield* rowsOf(state, table, entry)
  return table === inventoryByName.messages
    ? yield* holdMessages(state, rows, path)
    : yield* importPage(state, table, rows, path)
})

/**
 * Imports an export page by page, with the same ids and the same content. Existing rows do not change, so an import may
 * be repeated, also after a crash. Imported messages do not enter the pipeline, get no replies, and cause no outbound
 * events, because they are history.
 */
export const importArchive = Effect.fnUntraced(function* <E>(tenantId: string, body: Stream.Stream<Uint8Array, E>) {
  yield* (yield* Tenants).get(tenantId)
  const state: Import = {
    tenantId,
    totals: newTotals(objectsFolder),
    report: new Map(),
    waiting: null,
    begun: false,
    ended: false
  }
  yield* Stream.runForEach(tarFiles(body, archiveLimits), (file) => importEntry(state, file))
  if (!state.ended)
    return yield* invalid(
      "the archive",
      "The archive ends before its manifest. The imported part is kept; send the whole archive again."
    )
  const report: ImportReport = Object.fromEntries(state.report)
  return report
}, withSpan("importArchive"))
