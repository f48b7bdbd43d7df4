import { hash } from "node:crypto"
import type { Row } from "./Row.ts"

const parts = 4
const partBytes = 6
const partModulus = 2 ** 48

/** A fingerprint of a set of rows, whatever their order. */
export interface Checksum {
  readonly add: (row: Row) => void
  readonly rows: () => number
  /** 48 hexadecimal digits. */
  readonly hex: () => string
}

/**
 * An empty checksum. Each row is written as a JSON array in the catalog's order of columns and hashed by SHA-256; the first
 * 24 bytes of the hashes are added up in four numbers of 48 bits, so two databases may tell their rows in any order. It
 * finds mistakes; against somebody who chooses rows it is no proof.
 */
export const newChecksum = (): Checksum => {
  const sums = new Float64Array(parts)
  let rows = 0
  return {
    add: (row) => {
      const bytes = hash("sha256", JSON.stringify(row), "buffer")
      for (let part = 0; part < parts; part++) {
        sums[part] = ((sums[part] ?? 0) + bytes.readUIntBE(part * partBytes, partBytes)) % partModulus
      }
      rows++
    },
    rows: () => rows,
    hex: () => [...sums].map((sum) => sum.toString(16).padStart(2 * partBytes, "0")).join("")
  }
}

/** The checksum of these rows. */
export const checksumOf = (rows: Iterable<Row>): string => {
  const checksum = newChecksum()
  for (const row of rows) checksum.add(row)
  return checksum.hex()
}
