import { randomUUID } from "node:crypto"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import { GrowingBytes } from "@leadloom/core/internal/domain/text/GrowingBytes"

/**
 * The content of one incoming mail: in memory up to a threshold, and in a temporary file above it. The file is unlinked
 * as soon as it is open, so it disappears when the process ends, even after a crash.
 */
export class MailSpool {
  readonly #directory: string
  readonly #threshold: number
  readonly #memory = new GrowingBytes()
  #file: FileHandle | null = null
  #written = 0

  constructor(directory: string, threshold: number) {
    this.#directory = directory
    this.#threshold = threshold
  }

  get length(): number {
    return this.#written + this.#memory.length
  }

  /** Returns whether a part of the mail is in a file. */
  get isSpilled(): boolean {
    return this.#file !== null
  }

  /** Adds a chunk. Rejects when the disk fails. */
  async append(chunk: Uint8Array): Promise<void> {
    this.#memory.append(chunk)
    if (this.#memory.length > this.#threshold) await this.#spill()
  }

  /** Reads the complete mail. */
  async read(): Promise<Buffer> {
    if (this.#file === null) {
      const { buffer, byteOffset, length } = this.#memory.take()
      return Buffer.from(buffer, byteOffset, length)
    }
    await this.#spill()
    const raw = Buffer.allocUnsafe(this.#written)
    for (let at = 0; at < raw.length;) {
      const { bytesRead } = await this.#file.read(raw, at, raw.length - at, at)
      if (bytesRead === 0) throw new Error("The temporary file of a mail is shorter than the written data.")
      at += bytesRead
    }
    return raw
  }

  /** Discards the mail. */
  async close(): Promise<void> {
    this.#memory.take()
    await this.#file?.close()
    this.#file = null
  }

  async #spill(): Promise<void> {
    this.#file ??= await this.#openNameless()
    const bytes = this.#memory.take()
    await this.#file.writeFile(bytes)
    this.#written += bytes.length
  }

  async #openNameless(): Promise<FileHandle> {
    const path = join(this.#directory, `leadloom-mail-${randomUUID()}`)
    const file = await open(path, "wx+", 0o600)
    await unlink(path)
    return file
  }
}
