/** Bytes of a first allocation: one page of memory. */
const minCapacity = 4_096

/**
 * Collects bytes that arrive in chunks of any size. The capacity doubles, so each byte is copied a constant number of
 * times on average, and a chunk of one byte costs one byte rather than an object. The caller bounds the length.
 */
export class GrowingBytes {
  #bytes = new Uint8Array(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Bytes of memory in use: at most twice the length, or one page. */
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

  /** Returns the collected bytes without copying them, and starts anew with no memory in use. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = new Uint8Array(0)
    this.#length = 0
    return taken
  }
}
