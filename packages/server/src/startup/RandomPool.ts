import { randomFillSync } from "node:crypto"

const poolBytes = 8_192

/**
 * Returns a source of random bytes that reads from the system in bulk. A system call costs as much for ten bytes as for
 * thousands, and every message needs a dozen ids. No byte is returned twice, and returned bytes are erased from the
 * pool.
 */
export const randomPool = (): ((length: number) => Uint8Array) => {
  const pool = new Uint8Array(poolBytes)
  let used = poolBytes
  return (length) => {
    if (length > poolBytes) return randomFillSync(new Uint8Array(length))
    if (used + length > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + length)
    pool.fill(0, used, used + length)
    used += length
    return bytes
  }
}
