import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect, Option, Stream } from "effect"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { attachmentKey, mimeSource } from "../../domain/email/MailSource.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import { Objects } from "../../port/system/Objects.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import {
  archiveFiles,
  archiveFormat,
  archivePageSize,
  attachmentPath,
  maxKeysPerPass,
  objectsFolder,
  pagePath,
  sourcePath
} from "../../domain/privacy/Archive.ts"
import { folderOf, type PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { exportedTables } from "../../domain/privacy/DataInventory.ts"
import { canonical, hashOf, type Json } from "../../domain/text/Json.ts"
import { type Row, rowKey, textOf, writeRecord } from "../../domain/privacy/Record.ts"
import { tarEnd, tarHeader, tarPadding } from "../../domain/privacy/Tar.ts"
import { newTotals, type Totals } from "../../domain/privacy/Totals.ts"

/** The scope and progress of an export. */
interface Export {
  readonly tenantId: string
  readonly contactId: string | null
  readonly seconds: number
  readonly totals: Totals
}

const file = ({ seconds }: Export, path: string, bytes: Uint8Array): ReadonlyArray<Uint8Array> => [
  tarHeader(path, bytes.length, seconds),
  bytes,
  tarPadding(bytes.length)
]

const jsonFile = (of: Export, path: string, value: Json) => file(of, path, utf8ToBytes(`${canonical(value)}\n`))

const pageFile = (of: Export, table: PersonalDataTable, rows: ReadonlyArray<Row>, number: number) => {
  const folder = folderOf(table)
  const lines = rows.map((row) => {
    const { contentHash, line } = writeRecord(table, row)
    of.totals.add(folder, contentHash)
    return `${line}\n`
  })
  return file(of, pagePath(folder, number), utf8ToBytes(lines.join("")))
}

/** A file of a message: its path in the archive and its object key. */
export interface MessageFile {
  readonly path: string
  readonly key: string
}

const isStored = (attachment: Json): boolean =>
  typeof attachment === "object" && attachment !== null && "stored" in attachment && attachment["stored"] === true

/** Returns the files of a message: its source and its separately stored attachments. */
export const filesOfMessage = (message: Row): ReadonlyArray<MessageFile> => {
  const key = textOf(message, "raw_key")
  if (key === "") return []
  const messageId = textOf(message, "message_id")
  const { attachments } = message
  const beside = Array.isArray(attachments)
    ? attachments.flatMap((attachment: Json, index) => (isStored(attachment) ? [index] : []))
    : []
  return [
    { path: sourcePath(messageId, textOf(message, "raw_type") || mimeSource), key },
    ...beside.map((index) => ({ path: attachmentPath(messageId, index), key: attachmentKey(key, index) }))
  ]
}

/** Returns one line of an `objects` page. A missing object is marked. */
export const objectLine = (path: string, bytes: Uint8Array | null): { readonly [key: string]: Json } =>
  bytes === null ? { path, missing: true } : { path, size: bytes.length, sha256: hashOf(bytes) }

/**
 * Streams the files of a page of messages, one in memory at a time, followed by the `objects` page that describes them.
 */
const messageFiles = (of: Export, rows: ReadonlyArray<Row>, number: number) =>
  Stream.suspend(() => {
    const lines: Array<string> = []
    const files = Stream.fromIterable(rows.flatMap(filesOfMessage)).pipe(
      Stream.mapEffect(({ key, path }) =>
        Effect.gen(function* () {
          const bytes = yield* (yield* Objects).get(of.tenantId, key)
          const line = canonical(objectLine(path, bytes))
          of.totals.add(objectsFolder, hashOf(line))
          lines.push(`${line}\n`)
          return bytes === null ? [] : file(of, path, bytes)
        })
      ),
      Stream.flatMap(Stream.fromIterable)
    )
    const listing = Stream.suspend(() =>
      Stream.fromIterable(file(of, pagePath(objectsFolder, number), utf8ToBytes(lines.join(""))))
    )
    return Stream.concat(files, listing)
  })

/** Streams the rows of a table in pages, each read on demand. */
const walked = ({ contactId, tenantId }: Export, table: PersonalDataTable) =>
  Stream.paginate<Row | null, ReadonlyArray<Row>, StoreUnavailable, PersonalData>(null, (after) =>
    Effect.gen(function* () {
      const rows = yield* (yield* PersonalData).page(tenantId, table, contactId, after, archivePageSize)
      const last = rows.at(-1)
      return last === undefined ? ([[], Option.none()] as const) : ([[rows], Option.some(last)] as const)
    })
  )

const slices = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** Streams the rows of one contact when no index has them in order: reads many keys at once, then the rows by key. */
const gathered = ({ tenantId }: Export, table: PersonalDataTable, contactId: string) =>
  Stream.paginate<Row | null, ReadonlyArray<Row>, StoreUnavailable, PersonalData>(null, (after) =>
    Effect.gen(function* () {
      const keys = yield* (yield* PersonalData).keys(tenantId, table, contactId, after, maxKeysPerPass)
      const last = keys.at(-1)
      if (last === undefined) return [[], Option.none()] as const
      return [slices(keys, archivePageSize), keys.length < maxKeysPerPass ? Option.none() : Option.some(last)] as const
    })
  ).pipe(
    Stream.mapEffect((keys) =>
      Effect.gen(function* () {
        const rows = yield* (yield* PersonalData).present(tenantId, table, keys)
        const order = new Map(keys.map((key, index) => [rowKey(table, key), index]))
        const place = (row: Row): number => order.get(rowKey(table, row)) ?? 0
        return rows.toSorted((one, other) => place(one) - place(other))
      })
    ),
    Stream.filter((rows) => rows.length > 0)
  )

/** Streams all pages of a table; pages of messages are followed by their files. */
const pages = (of: Export, table: PersonalDataTable) => {
  const { contactId } = of
  const rows = contactId === null || table.walk !== null ? walked(of, table) : gathered(of, table, contactId)
  return rows.pipe(
    Stream.zipWithIndex,
    Stream.flatMap(([page, index]) => {
      const text = Stream.fromIterable(pageFile(of, table, page, index + 1))
      return table.name === "messages" ? Stream.concat(text, messageFiles(of, page, index + 1)) : text
    })
  )
}

const archive = (of: Export) => {
  const scope = of.contactId === null ? "tenant" : "contact"
  const header = { ...archiveFormat, scope, exported_at: new Date(of.seconds * 1000).toISOString() }
  const body = exportedTables.map((table) => pages(of, table))
  const end = Stream.suspend(() =>
    Stream.fromIterable([...jsonFile(of, archiveFiles.manifest, { ...archiveFormat, ...of.totals.manifest() }), tarEnd])
  )
  return Stream.concat(
    Stream.fromIterable(jsonFile(of, archiveFiles.header, header)),
    Stream.concat(
      Stream.flatMap(Stream.fromIterable(body), (part) => part),
      end
    )
  ).pipe(Stream.filter((bytes) => bytes.length > 0))
}

/**
 * Exports all data of a contact, or of a tenant, as one tar of JSON Lines and mail files. Uses constant memory, because
 * each page is read on demand. It is not a snapshot: data that arrives during the export may be missing.
 */
export const exportArchive = Effect.fn("exportArchive")(function* (tenantId: string, contactId: string | null) {
  yield* (yield* Tenants).get(tenantId)
  if (contactId !== null) yield* requireUnmergedContact(tenantId, contactId)
  const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const context = yield* Effect.context<PersonalData | Objects>()
  return Stream.provideContext(
    Stream.suspend(() => archive({ tenantId, contactId, seconds, totals: newTotals(objectsFolder) })),
    context
  )
})
