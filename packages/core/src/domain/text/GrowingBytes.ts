/** The capacity of the first allocation: one page of memory. */
const minCapacity = 4_096

/**
 * Collects bytes that arrive in chunks of any size. The capacity doubles when it is full, so the average number of
 * copies of each byte is constant, even with small chunks. The caller must limit the length.
 */
export class GrowingBytes {
  #bytes = new Uint8Array(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The number of allocated bytes: at most twice the length, or one page. */
  get capacity(): number {
    return this.#bytes.length
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(minCapacity, length, this.#bytes.length * 2))
      grown.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = grown
    }
    this.#bytes.set(chunk, this.#length)
    this.#length = length
  }

  /**
   * Returns the collected bytes without copying them. Afterwards, the collector is empty and has no allocated memory.
   */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = new Uint8Array(0)
    this.#length = 0
    return taken
  }
}
