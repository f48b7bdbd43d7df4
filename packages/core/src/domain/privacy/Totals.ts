import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { folderOf } from "./PersonalDataTable.ts"
import { exportedTables } from "./DataInventory.ts"
import { canonical, hashOf, type Json } from "../text/Json.ts"

interface Sum {
  rows: number
  readonly hash: ReturnType<typeof sha256.create>
}

/** The totals of an archive while it is written or read. */
export interface Totals {
  readonly add: (folder: string, contentHash: string) => void
  /** Returns the manifest: for each folder the number of rows and their hash, and the hash of the archive. */
  readonly manifest: () => { readonly [key: string]: Json }
}

/**
 * FROZEN. The tables that the first version of the format did not have. Their folders are part of the manifest only if
 * they have rows, so archives of earlier versions keep their hashes. Add every new table.
 */
const laterTables: ReadonlySet<string> = new Set([
  "agent_drafts",
  "companies",
  "notes",
  "remote_image_senders",
  "task_comments",
  "teams",
  "tracked_links",
  "tracking_consents",
  "users"
])

/**
 * FROZEN. Creates empty totals. A folder's hash is SHA-256 of the content hashes of its lines in order. The archive's
 * hash is SHA-256 of the canonical JSON of its folders.
 */
export const newTotals = (objects: string): Totals => {
  const folders = [...exportedTables.map(folderOf), objects]
  const sums = new Map(folders.map((folder): [string, Sum] => [folder, { rows: 0, hash: sha256.create() }]))
  return {
    add: (folder, contentHash) => {
      const sum = sums.get(folder)
      if (sum === undefined) return
      sum.rows++
      sum.hash.update(utf8ToBytes(contentHash))
    },
    manifest: () => {
      const parts: { readonly [key: string]: Json } = Object.fromEntries(
        [...sums]
          .filter(([folder, { rows }]) => rows > 0 || !laterTables.has(folder))
          .map(([folder, { hash, rows }]) => [folder, { rows, hash: bytesToHex(hash.clone().digest()) }])
      )
      return { folders: parts, content_hash: hashOf(canonical(parts)) }
    }
  }
}
