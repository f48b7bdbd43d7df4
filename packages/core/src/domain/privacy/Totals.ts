import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { folderOf } from "./PersonalDataTable.ts"
import { exportedTables } from "./DataInventory.ts"
import { canonical, hashOf, type Json } from "../text/Json.ts"

interface Sum {
  rows: number
  readonly hash: ReturnType<typeof sha256.create>
}

/** What has gone into an archive, or come out of one. */
export interface Totals {
  readonly add: (folder: string, contentHash: string) => void
  /** The manifest: rows and hash of each folder, and the hash over all of it. */
  readonly manifest: () => { readonly [key: string]: Json }
}

/**
 * FROZEN. The hash of a folder is SHA-256 over the content hashes of its lines, in their order; that of an archive
 * is over the canonical JSON of its folders.
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
        [...sums].map(([folder, { hash, rows }]) => [folder, { rows, hash: bytesToHex(hash.clone().digest()) }])
      )
      return { folders: parts, content_hash: hashOf(canonical(parts)) }
    }
  }
}
