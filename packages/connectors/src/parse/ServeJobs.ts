import { readSync, writeSync } from "node:fs"
import { Script } from "node:vm"
import { channelDescriptor, decodeJob, decodeJobHeader, encodeReply, encodeResult, jobHeaderBytes } from "./Frame.ts"
import type { ParseJob, ParseResult } from "./ParseJob.ts"

/** The maximum length of an error message to the server in characters. */
const maxMessageLength = 500

/** V8's messages when memory outside its heap, or a single value, exceeds a limit. */
const outOfMemory = /allocation failed|invalid (?:array|string) length/iu

/** Reads exactly `length` bytes; null when the server has closed the channel. */
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
 * Returns a function that runs a job within a time limit. Node.js can interrupt an endless loop only in a `Script`, so
 * a script calls the job through a global name.
 */
const makeLimited = (run: (job: ParseJob) => ParseResult) => {
  let current: (() => ParseResult) | null = null
  Object.defineProperty(globalThis, "leadloomJob", { value: () => current?.() })
  const script = new Script("leadloomJob()")
  return (job: ParseJob, limitMillis: number): ParseResult => {
    current = () => run(job)
    // The script returns the result of `run`.
    return script.runInThisContext({ timeout: limitMillis }) as ParseResult
  }
}

/**
 * Processes the jobs of the server, one at a time, until the server closes the channel. Reads block the process,
 * because nothing else runs in it, and blocking reads need the fewest copies and system calls.
 *
 * The server enforces the deadline of a job. The time limit inside this process is longer and matters only after the
 * server has ended: a process in an endless loop does not notice that the channel is closed, so the limit ends it.
 */
export const serveJobs = (run: (job: ParseJob) => ParseResult): void => {
  // A terminal or a service manager sends its signal to all processes at once. This process ignores it, because the
  // server decides when the process ends.
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
