import { readSync, writeSync } from "node:fs"
import { channelDescriptor, decodeJobHeader, encodeReply, type JobHeader, jobHeaderBytes } from "./Frame.ts"

/** The size in bytes of the buffer. Jobs that arrive together and fit into it need one system call. */
const bufferBytes = 131_072

/** The size in bytes above which a reply is not copied to be sent together with the next one. */
const largeReplyBytes = 65_536

const begun = encodeReply("begun")
const nothing = Buffer.alloc(0)

const write = (frame: Buffer): void => {
  let at = 0
  while (at < frame.length) at += writeSync(channelDescriptor, frame, at)
}

/**
 * The channel of a parse process to the server. Reads block the process, because nothing else runs in it, and blocking
 * reads need the fewest copies and system calls.
 */
export class JobChannel {
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #start = 0
  #end = 0
  #unsent: Buffer = nothing

  /** Sends a reply, at the latest before the process waits for the server. */
  reply(frame: Buffer): void {
    this.flush()
    this.#unsent = frame
  }

  /** Sends a pending reply now. */
  flush(): void {
    write(this.#unsent)
    this.#unsent = nothing
  }

  /** Waits for the header of the next job; null when the server has closed the channel. */
  next(): JobHeader | null {
    if (this.arrived() === null) this.flush()
    while (this.#end - this.#start < jobHeaderBytes) if (!this.#fill()) return null
    return this.#header()
  }

  /** Returns the header of the next job if the whole job has arrived; otherwise null. */
  arrived(): JobHeader | null {
    const size = this.#end - this.#start - jobHeaderBytes
    if (size < 0) return null
    const header = this.#header()
    return size < header.length ? null : header
  }

  /**
   * Reports the start of the job with this header, and returns its body; null when the server has closed the channel.
   * The body is valid until the next call of `next`.
   */
  begin({ length }: JobHeader): Buffer | null {
    if (this.#unsent.length > largeReplyBytes) this.flush()
    write(this.#unsent.length === 0 ? begun : Buffer.concat([this.#unsent, begun]))
    this.#unsent = nothing
    this.#start += jobHeaderBytes
    const buffered = this.#buffer.subarray(this.#start, Math.min(this.#start + length, this.#end))
    this.#start += buffered.length
    return buffered.length === length ? buffered : this.#readRest(buffered, length)
  }

  #readRest(buffered: Buffer, length: number): Buffer | null {
    const body = Buffer.allocUnsafeSlow(length)
    for (let at = buffered.copy(body); at < length;) {
      const count = readSync(channelDescriptor, body, at, length - at, null)
      if (count === 0) return null
      at += count
    }
    return body
  }

  #header(): JobHeader {
    return decodeJobHeader(this.#buffer.subarray(this.#start, this.#start + jobHeaderBytes))
  }

  #fill(): boolean {
    this.#buffer.copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    const count = readSync(channelDescriptor, this.#buffer, this.#end, bufferBytes - this.#end, null)
    this.#end += count
    return count > 0
  }
}
