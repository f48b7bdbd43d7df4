import { randomFillSync } from "node:crypto"

const poolBytes = 8_192

/**
 * Returns a source of random bytes that reads many bytes from the system at once. Every message needs a dozen ids, and
 * a system call for ten bytes takes as long as one for thousands. No byte is returned twice. Returned bytes are erased
 * from the pool.
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
