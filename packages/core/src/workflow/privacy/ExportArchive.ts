import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect, Option, Stream } from "effect"
import { Tar } from "effect/encoding"
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
import { newTotals, type Totals } from "../../domain/privacy/Totals.ts"
import { withSpan } from "../WithSpan.ts"

/** The scope of an export, and its totals up to now. */
interface Export {
  readonly tenantId: string
  readonly contactId: string | null
  readonly exportedAt: Date
  readonly totals: Totals
}

const file = ({ exportedAt }: Export, path: string, bytes: Uint8Array): Tar.Entry =>
  Tar.file(path, bytes, { mode: 0o600, mtime: exportedAt })

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

/** A file that belongs to a message: its path in the archive, and its object key. */
export interface MessageFile {
  readonly path: string
  readonly key: string
}

/** Returns the object key of an attachment; null if it is not stored separately. */
const keyOfAttachment = (attachment: Json, index: number, sourceKey: string): string | null => {
  if (typeof attachment !== "object" || attachment === null) return null
  if ("objectKey" in attachment && typeof attachment["objectKey"] === "string") return attachment["objectKey"]
  const isBesideSource = "stored" in attachment && attachment["stored"] === true && sourceKey !== ""
  return isBesideSource ? attachmentKey(sourceKey, index) : null
}

/** Returns the files of a message: its source, and its attachments that are stored separately. */
export const filesOfMessage = (message: Row): ReadonlyArray<MessageFile> => {
  const sourceKey = textOf(message, "raw_key")
  const messageId = textOf(message, "message_id")
  const { attachments } = message
  const source = { path: sourcePath(messageId, textOf(message, "raw_type") || mimeSource), key: sourceKey }
  const beside = Array.isArray(attachments)
    ? attachments.flatMap((attachment: Json, index) => {
        const key = keyOfAttachment(attachment, index, sourceKey)
        return key === null ? [] : [{ path: attachmentPath(messageId, index), key }]
      })
    : []
  return [...(sourceKey === "" ? [] : [source]), ...beside]
}

/** Returns a line of an `objects` page, which describes one file. A missing object is marked as missing. */
export const objectLine = (path: string, bytes: Uint8Array | null): { readonly [key: string]: Json } =>
  bytes === null ? { path, missing: true } : { path, size: bytes.length, sha256: hashOf(bytes) }

/**
 * Streams the files of a page of messages, one in memory at a time, and then the `objects` page that describes them.
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
          return bytes === null ? null : file(of, path, bytes)
        })
      ),
      Stream.filter((entry) => entry !== null)
    )
    const listing = Stream.sync(() => file(of, pagePath(objectsFolder, number), utf8ToBytes(lines.join(""))))
    return Stream.concat(files, listing)
  })

/** Streams the rows of a table in pages. The next page is read only when the consumer needs it. */
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

/**
 * Streams the rows of one contact when no index contains them in order. Reads many keys at once, then the rows of these
 * keys.
 */
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

/** Streams all pages of a table. Each page of messages is followed by the files of these messages. */
const pages = (of: Export, table: PersonalDataTable) => {
  const { contactId } = of
  const rows = contactId === null || table.walk !== null ? walked(of, table) : gathered(of, table, contactId)
  return rows.pipe(
    Stream.zipWithIndex,
    Stream.flatMap(([page, index]) => {
      const text = Stream.succeed(pageFile(of, table, page, index + 1))
      return table.name === "messages" ? Stream.concat(text, messageFiles(of, page, index + 1)) : text
    })
  )
}

const archive = (of: Export) => {
  const scope = of.contactId === null ? "tenant" : "contact"
  const header = { ...archiveFormat, scope, exported_at: of.exportedAt.toISOString() }
  return Stream.succeed(jsonFile(of, archiveFiles.header, header)).pipe(
    Stream.concat(Stream.flatMap(Stream.fromIterable(exportedTables), (table) => pages(of, table))),
    Stream.concat(
      Stream.sync(() => jsonFile(of, archiveFiles.manifest, { ...archiveFormat, ...of.totals.manifest() }))
    ),
    Stream.pipeThroughChannel(Tar.encode()),
    // This server builds the paths and sizes, so they are valid.
    Stream.catchIf(Tar.isTarError, Stream.die)
  )
}

/**
 * Exports all data of a contact, or of a tenant if `contactId` is null, as one tar archive of JSON Lines and mail
 * files. Its memory use is constant, because pages are read one by one. It is not a snapshot: data that arrives during
 * the export may be missing.
 */
export const exportArchive = Effect.fnUntraced(function* (tenantId: string, contactId: string | null) {
  yield* (yield* Tenants).get(tenantId)
  if (contactId !== null) yield* requireUnmergedContact(tenantId, contactId)
  // Times in a tar archive are whole seconds.
  const exportedAt = new Date(Math.floor((yield* Clock.currentTimeMillis) / 1_000) * 1_000)
  const context = yield* Effect.context<PersonalData | Objects>()
  return Stream.provideContext(
    Stream.suspend(() => archive({ tenantId, contactId, exportedAt, totals: newTotals(objectsFolder) })),
    context
  )
}, withSpan("exportArchive"))
