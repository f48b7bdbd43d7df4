import { hash } from "node:crypto"
import type { Row } from "./Row.ts"

const parts = 4
const partBytes = 6
const partModulus = 2 ** 48

/** A checksum of a set of rows. It does not depend on their order. */
export interface Checksum {
  readonly add: (row: Row) => void
  readonly rows: () => number
  /** 48 hexadecimal digits. */
  readonly hex: () => string
}

/**
 * Creates an empty checksum. Each row is written as a JSON array in the column order of the catalog and hashed with
 * SHA-256. The first 24 bytes of the hash are added up as four numbers of 48 bits. A sum does not depend on the order
 * of rows, which differs between databases. It detects errors, but not deliberate manipulation.
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

/** Returns the checksum of some rows. */
export const checksumOf = (rows: Iterable<Row>): string => {
  const checksum = newChecksum()
  for (const row of rows) checksum.add(row)
  return checksum.hex()
}
