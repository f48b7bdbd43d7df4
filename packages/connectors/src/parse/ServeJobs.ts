import { Script } from "node:vm"
import { decodeJob, encodeReply, encodeResult, type JobHeader } from "./Frame.ts"
import { JobChannel } from "./JobChannel.ts"
import type { ParseJob, ParseResult } from "./ParseJob.ts"

/** The maximum length of an error message to the server in characters. */
const maxMessageLength = 500

/** V8's messages when memory outside its heap, or a single value, exceeds a limit. */
const outOfMemory = /allocation failed|invalid (?:array|string) length/iu

/** The size in bytes above which a job leaves so much garbage that it is collected at once. */
const largeBytes = 262_144

/** The time in milliseconds by which jobs that arrive together may exceed the limit of the first one. */
const sharedMillis = 1_000

const replyOf = (error: unknown): Buffer => {
  const message = error instanceof Error ? error.message : String(error)
  const tag = error instanceof RangeError && outOfMemory.test(message) ? "memory" : "failed"
  return encodeReply(tag, Buffer.from(message.slice(0, maxMessageLength)))
}

/**
 * Returns a function that runs work within a time limit. Node.js can interrupt an endless loop only in a `Script`, so a
 * script calls the work through a global name.
 */
const makeLimited = () => {
  let current: () => void = () => undefined
  Object.defineProperty(globalThis, "leadloomJob", { value: () => current() })
  const script = new Script("leadloomJob()")
  return (work: () => void, limitMillis: number): void => {
    current = work
    script.runInThisContext({ timeout: limitMillis })
  }
}

/**
 * Processes the jobs of the server, one at a time, until the server closes the channel.
 *
 * The server enforces the deadline of a job. The time limit inside this process is longer and matters only after the
 * server has ended: a process in an endless loop does not notice that the channel is closed, so the limit ends it. To
 * enforce a limit, V8 starts a thread. Small jobs that arrive together therefore share one limit.
 */
export const serveJobs = (run: (job: ParseJob) => ParseResult): void => {
  // A terminal or a service manager sends its signal to all processes at once. This process ignores it, because the
  // server decides when the process ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined)
  const limited = makeLimited()
  const channel = new JobChannel()
  const runNext = (header: JobHeader): void => {
    const body = channel.begin(header)
    if (body === null) return process.exit(0)
    channel.reply(encodeResult(run(decodeJob(header, body))))
  }
  channel.reply(encodeReply("ready"))
  for (;;) {
    const first = channel.next()
    if (first === null) return process.exit(0)
    const limit = first.limitMillis + sharedMillis
    const end = performance.now() + limit
    const runArrived = (): void => {
      runNext(first)
      // Another job shares the limit only if the rest of it suffices for the job's own limit.
      for (let next = channel.arrived(); next !== null; next = channel.arrived()) {
        if (performance.now() + next.limitMillis > end) return
        runNext(next)
      }
    }
    try {
      limited(runArrived, limit)
    } catch (error) {
      channel.reply(replyOf(error))
    }
    if (first.length > largeBytes) {
      channel.flush()
      globalThis.gc?.()
    }
  }
}
