import { deserialize, serialize } from "node:v8"
import type { ParseJob, ParseResult } from "./ParseJob.ts"

/**
 * The format of the channel between the server and a parse process. Each frame has a header of fixed size and a body.
 * The body of a mail or attachment job is the raw source; other bodies use V8's serialisation format. All integers are
 * little-endian.
 */

/** The file descriptor of the channel in a parse process: the first one after the standard streams. */
export const channelDescriptor = 3

/** The size of a job header in bytes: kind, attachment index, time limit in milliseconds, length of the body. */
export const jobHeaderBytes = 13

/** The size of a reply header in bytes: tag, length of the body. */
const replyHeaderBytes = 5

/** The maximum size of a reply in bytes. The largest valid one is an attachment of the largest mail, 25 MB. */
const maxReplyBytes = 64 * 1_048_576

const kinds = ["mail", "json", "attachment", "html"] as const satisfies ReadonlyArray<ParseJob["kind"]>
const tags = ["ready", "begun", "done", "failed", "memory"] as const

/** The kind of a reply. `ready`: the program has started. `begun`: it has received the header of a job. The others end a job. */
export type ReplyTag = (typeof tags)[number]

export interface Reply {
  readonly tag: ReplyTag
  readonly body: Buffer
}

export interface JobHeader {
  readonly kind: ParseJob["kind"]
  readonly index: number
  readonly limitMillis: number
  readonly length: number
}

const bodyOf = (job: ParseJob): Uint8Array => {
  switch (job.kind) {
    case "json":
      return serialize(job.message)
    case "html":
      return serialize(job.html)
    case "mail":
    case "attachment":
      return job.raw
  }
}

/** Encodes a job as the parts of one frame. The source is not copied. */
export const encodeJob = (job: ParseJob, limitMillis: number): readonly [header: Uint8Array, body: Uint8Array] => {
  const body = bodyOf(job)
  const header = Buffer.alloc(jobHeaderBytes)
  header.writeUInt8(kinds.indexOf(job.kind), 0)
  header.writeUInt32LE(job.kind === "attachment" ? job.index : 0, 1)
  header.writeUInt32LE(Math.ceil(limitMillis), 5)
  header.writeUInt32LE(body.length, 9)
  return [header, body]
}

export const decodeJobHeader = (header: Buffer): JobHeader => ({
  kind: kinds[header.readUInt8(0)] ?? "mail",
  index: header.readUInt32LE(1),
  limitMillis: header.readUInt32LE(5),
  length: header.readUInt32LE(9)
})

export const decodeJob = ({ index, kind }: JobHeader, body: Buffer): ParseJob => {
  switch (kind) {
    case "json":
      return { kind, message: deserialize(body) }
    case "html":
      return { kind, html: deserialize(body) }
    case "mail":
      return { kind, raw: body }
    case "attachment":
      return { kind, raw: body, index }
  }
}

export const encodeReply = (tag: ReplyTag, body: Uint8Array = new Uint8Array()): Buffer => {
  const header = Buffer.alloc(replyHeaderBytes)
  header.writeUInt8(tags.indexOf(tag), 0)
  header.writeUInt32LE(body.length, 1)
  return Buffer.concat([header, body])
}

export const encodeResult = (result: ParseResult): Buffer => encodeReply("done", serialize(result))

export const decodeResult = (body: Buffer): ParseResult => deserialize(body)

/** Splits the bytes that a process sends into replies. Copies each byte at most twice, however small the chunks are. */
export class ReplyReader {
  #chunks: Array<Buffer> = []
  #size = 0
  #wanted = replyHeaderBytes
  #tag: ReplyTag | null = null

  /** Adds a chunk and returns the replies that it completes; null when the process broke the format. */
  read(chunk: Buffer): ReadonlyArray<Reply> | null {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    const replies: Array<Reply> = []
    while (this.#size >= this.#wanted) {
      const part = this.#take()
      if (this.#tag !== null) {
        replies.push({ tag: this.#tag, body: part })
        this.#tag = null
        this.#wanted = replyHeaderBytes
        continue
      }
      const tag = tags[part.readUInt8(0)]
      const length = part.readUInt32LE(1)
      if (tag === undefined || length > maxReplyBytes) return null
      this.#tag = tag
      this.#wanted = length
    }
    return replies
  }

  #take(): Buffer {
    const [only] = this.#chunks
    const all = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size)
    const part = all.subarray(0, this.#wanted)
    const rest = all.subarray(this.#wanted)
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#size = rest.length
    return part
  }
}
