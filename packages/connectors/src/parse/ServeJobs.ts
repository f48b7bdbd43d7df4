import { readSync, writeSync } from "node:fs"
import { Script } from "node:vm"
import { channelDescriptor, decodeJob, decodeJobHeader, encodeReply, encodeResult, jobHeaderBytes } from "./Frame.ts"
import type { ParseJob, ParseResult } from "./ParseJob.ts"

/** Characters of an error message that the server receives. */
const maxMessageLength = 500

/** V8 raises these when memory outside its heap, or a single value, exceeds a limit. */
const outOfMemory = /allocation failed|invalid (?:array|string) length/iu

/** Reads exactly this many bytes; null when the server has closed the channel. */
const read = (length: number): Buffer | null => {
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  while (at < length) {
    const count = readSync(channelDescriptor, bytes, at, length - at, null)
    if (count === 0) return null
    at += count
  }
  return bytes
}

const write = (frame: Buffer): void => {
  let at = 0
  while (at < frame.length) at += writeSync(channelDescriptor, frame, at)
}

const replyOf = (error: unknown): Buffer => {
  const message = error instanceof Error ? error.message : String(error)
  const tag = error instanceof RangeError && outOfMemory.test(message) ? "memory" : "failed"
  return encodeReply(tag, Buffer.from(message.slice(0, maxMessageLength)))
}

/**
 * Makes a function that runs another one for a limited time. Only a script can be interrupted in an endless loop, so the
 * function is called by a script, through a global name.
 */
const makeLimited = (run: (job: ParseJob) => ParseResult) => {
  let current: (() => ParseResult) | null = null
  Object.defineProperty(globalThis, "leadloomJob", { value: () => current?.() })
  const script = new Script("leadloomJob()")
  return (job: ParseJob, limitMillis: number): ParseResult => {
    current = () => run(job)
    // The script returns what `run` returns.
    return script.runInThisContext({ timeout: limitMillis }) as ParseResult
  }
}

/**
 * Answers the jobs of the server, one at a time, until it closes the channel. Blocks the process: nothing else runs in it,
 * and blocking reads need the fewest copies and system calls.
 *
 * The server enforces the deadline. The limit that comes with a job is longer and applies when the server is gone: it ends a
 * process that would otherwise loop forever and never provider event the closed channel.
 */
export const serveJobs = (run: (job: ParseJob) => ParseResult): void => {
  // A terminal or a service manager signals all processes of the server at once. The server decides when this one ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined)
  const limited = makeLimited(run)
  write(encodeReply("ready"))
  for (;;) {
    const start = read(jobHeaderBytes)
    if (start === null) return process.exit(0)
    write(encodeReply("begun"))
    const header = decodeJobHeader(start)
    const body = read(header.length)
    if (body === null) return process.exit(0)
    let reply: Buffer
    try {
      reply = encodeResult(limited(decodeJob(header, body), header.limitMillis))
    } catch (error) {
      reply = replyOf(error)
    }
    write(reply)
  }
}
