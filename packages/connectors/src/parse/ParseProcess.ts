import { type ChildProcess, spawn } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { Socket } from "node:net"
import { constants, getPriority, setPriority } from "node:os"
import { dirname } from "node:path"
import { channelDescriptor, decodeResult, encodeJob, type Reply, ReplyReader } from "./Frame.ts"
import type { ParseJob, ParseResult } from "./ParseJob.ts"
import { programBeside, sandboxed } from "./SandboxedProgram.ts"

/** The memory limits of one process, in MB. */
export interface ProcessMemory {
  /**
   * The limit of V8's heap without the young generation. It can be small: a mail of 25 MB is not on this heap, and its
   * text has at most 1 MB.
   */
  readonly oldSpace: number
  /** Half the size of V8's young generation. */
  readonly semiSpace: number
  /** The limit of resident memory, which includes bytes outside the heap. It is enforced on Linux only. */
  readonly resident: number
}

/** The reason why a process ended or failed a job. */
export interface ProcessFailure {
  readonly reason: "memory" | "failed"
  readonly message: string
}

/** Events of a process for the pool. */
export interface ProcessEvents {
  readonly onReady: () => void
  readonly onResult: (result: ParseResult) => void
  /** The job failed. The process is ready for the next one. */
  readonly onJobFailure: (failure: ProcessFailure) => void
  /** One job has used more than `longMillis` of processor time and is still running. Linux only. */
  readonly onLongJob: () => void
  /** The process has ended. `begun`: the process had received its job, so the job may be the cause. */
  readonly onEnd: (failure: ProcessFailure, begun: boolean) => void
}

/** The interval in milliseconds at which the memory and the processor time of a working process are read. */
const observeMillis = 200

/** The processor time in milliseconds, after the first observation, that makes a job long. A small mail needs 2 ms. */
const longMillis = 100

/** The niceness of a process in the background, above that of the server. */
const backgroundNiceness = 10

/** The maximum length of the stored standard error output. V8 reports the cause of a fatal error there. */
const maxErrorOutput = 8_192

/** The file descriptor of the standard error output. */
const errorDescriptor = 2

const bytesPerMegabyte = 1_048_576

const startProgram = (program: URL, memory: ProcessMemory): ChildProcess => {
  const { file, options } = sandboxed(program)
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${memory.oldSpace}`,
      `--max-semi-space-size=${memory.semiSpace}`,
      // The program collects garbage after a large job, because an idle process keeps it otherwise.
      "--expose-gc",
      ...options,
      file
    ],
    { cwd: dirname(file), env: {}, stdio: ["ignore", "ignore", "pipe", "pipe"], windowsHide: true }
  )
}

/** Returns the server's end of a descriptor of the process; null when the server has run out of descriptors. */
const socketOf = (child: Partial<Pick<ChildProcess, "stdio">>, descriptor: 2 | 3): Socket | null => {
  const stream = child.stdio?.[descriptor]
  return stream instanceof Socket ? stream : null
}

/** Returns the resident memory of a process in bytes; 0 when it cannot be read. */
const residentBytes = (pid: number): Promise<number> =>
  readFile(`/proc/${pid}/status`, "utf8").then(
    (status) => Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1_024,
    () => 0
  )

/** Returns the processor time of a process in milliseconds, without its helper threads; null when it cannot be read. */
const processorMillis = (pid: number): Promise<number | null> =>
  readFile(`/proc/${pid}/schedstat`, "utf8").then(
    (text) => Number(text.split(" ")[0]) / 1e6,
    () => null
  )

/** A job and the time after which the process gives it up. */
export interface TimedJob {
  readonly job: ParseJob
  readonly limitMillis: number
}

/** One parse process. While it starts or works, it keeps the process of the server alive. */
export class ParseProcess {
  readonly #events: ProcessEvents
  readonly #memory: ProcessMemory
  readonly #child: ChildProcess
  readonly #channel: Socket | null
  readonly #errors: Socket | null
  readonly #ended: Promise<void>
  readonly #reader = new ReplyReader()
  #errorOutput = ""
  #isReady = false
  #isOver = false
  #hasBegun = false
  #isResting = true
  /** The number of the current job. */
  #number = 0
  /** The processor time of the process when the job with this number was first observed. */
  #observed: { readonly number: number; readonly millis: number | null } = { number: 0, millis: null }
  #killedFor: ProcessFailure | null = null
  #observeTimer: NodeJS.Timeout | undefined

  /** `program`: the file that the process runs. Throws when the system cannot start a process. */
  constructor(
    memory: ProcessMemory,
    events: ProcessEvents,
    program: URL = programBeside(import.meta.url, "ParseProgram")
  ) {
    this.#events = events
    this.#memory = memory
    this.#child = startProgram(program, memory)
    this.#channel = socketOf(this.#child, channelDescriptor)
    this.#errors = socketOf(this.#child, errorDescriptor)
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => {
        this.#end(this.#failureOf(code, signal))
        resolve()
      })
      this.#child.once("error", ({ message }) => {
        this.#end({ reason: "failed", message })
        if (this.#child.pid === undefined) resolve()
      })
    })
    this.#listen()
    this.#preferForOomKiller()
  }

  /**
   * Starts jobs, which the process runs in this order. A job ends after its limit even without the server, because a
   * server that has ended cannot kill the process.
   */
  start(jobs: ReadonlyArray<TimedJob>): void {
    this.#hasBegun = false
    this.#isResting = false
    this.#number++
    this.#keepAlive(true)
    this.#channel?.cork()
    for (const { job, limitMillis } of jobs) for (const part of encodeJob(job, limitMillis)) this.#channel?.write(part)
    this.#channel?.uncork()
    this.#observeTimer = setInterval(() => void this.#observe(), observeMillis)
  }

  /** Marks the process as waiting for its next job. */
  rest(): void {
    this.#isResting = true
    clearInterval(this.#observeTimer)
    this.#keepAlive(false)
  }

  /**
   * Lowers the priority of the process, so that the server and other processes get the processor first. A process
   * without privileges cannot raise its priority again.
   */
  lowerPriority(): void {
    const { pid } = this.#child
    try {
      const lowest = constants.priority.PRIORITY_LOW
      if (pid !== undefined) setPriority(pid, Math.min(getPriority() + backgroundNiceness, lowest))
    } catch {
      // The process has ended, or the system denies it. The process then works at normal priority.
    }
  }

  /** Returns the resident memory in bytes; 0 when it cannot be read. */
  residentBytes(): Promise<number> {
    const { pid } = this.#child
    return pid === undefined ? Promise.resolve(0) : residentBytes(pid)
  }

  /** Returns the processor time in milliseconds that the current job has used since it was first observed. Linux only. */
  async usedMillis(): Promise<number | null> {
    const { pid } = this.#child
    const millis = pid === undefined ? null : await processorMillis(pid)
    const { millis: before, number } = this.#observed
    return millis === null || before === null || number !== this.#number ? null : millis - before
  }

  /** Kills the process in any state. No event is reported. */
  kill(): Promise<void> {
    this.#isOver = true
    clearInterval(this.#observeTimer)
    this.#keepAlive(true)
    this.#child.kill("SIGKILL")
    this.#channel?.destroy()
    return this.#ended
  }

  #listen(): void {
    this.#channel?.on("data", (chunk) => this.#receive(chunk))
    // The channel reports an error when the process ends. The error is ignored, because the exit event of the process
    // is handled.
    this.#channel?.on("error", () => undefined)
    this.#errors?.on("data", (chunk) => {
      this.#errorOutput += chunk.toString("latin1", 0, maxErrorOutput - this.#errorOutput.length)
    })
    this.#errors?.on("error", () => undefined)
  }

  #receive(chunk: Buffer): void {
    if (this.#isOver) return
    const replies = this.#reader.read(chunk)
    if (replies === null) return this.#killFor({ reason: "failed", message: "The process sent an invalid reply." })
    for (const reply of replies) this.#handle(reply)
  }

  #handle({ body, tag }: Reply): void {
    switch (tag) {
      case "ready":
        this.#isReady = true
        this.rest()
        return this.#events.onReady()
      case "begun":
        this.#hasBegun = true
        return
      case "done":
        this.#nextJob()
        return this.#events.onResult(decodeResult(body))
      case "failed":
      case "memory":
        this.#nextJob()
        return this.#events.onJobFailure({ reason: tag, message: body.toString("utf8") })
    }
  }

  #end(failure: ProcessFailure): void {
    clearInterval(this.#observeTimer)
    if (this.#isOver) return
    this.#isOver = true
    this.#events.onEnd(failure, this.#hasBegun)
  }

  /**
   * Describes the end of the process. SIGKILL usually comes from the kernel when memory is exhausted; the only other
   * sender is an operator.
   */
  #failureOf(code: number | null, signal: NodeJS.Signals | null): ProcessFailure {
    if (this.#killedFor !== null) return this.#killedFor
    if (this.#errorOutput.includes("heap out of memory")) {
      return { reason: "memory", message: `The job needed more than ${this.#memory.oldSpace} MB of heap.` }
    }
    if (signal === "SIGKILL")
      return {
        reason: "memory",
        message: "The process was killed by another process, probably because memory was exhausted."
      }
    const ended = `The process ended ${signal === null ? `with code ${code}` : `by ${signal}`}.`
    return { reason: "failed", message: this.#isReady ? ended : `${ended} ${this.#errorOutput.trim()}` }
  }

  #killFor(failure: ProcessFailure): void {
    this.#killedFor = failure
    this.#child.kill("SIGKILL")
  }

  #nextJob(): void {
    this.#hasBegun = false
    this.#number++
  }

  /** Ends a process that holds too much memory, and reports a long job. */
  async #observe(): Promise<void> {
    const { pid } = this.#child
    const number = this.#number
    if (pid === undefined) return
    const [resident, millis] = await Promise.all([residentBytes(pid), processorMillis(pid)])
    if (this.#isOver || this.#isResting || number !== this.#number) return
    if (number !== this.#observed.number) this.#observed = { number, millis }
    const before = this.#observed.millis
    if (resident > this.#memory.resident * bytesPerMegabyte) {
      this.#killFor({ reason: "memory", message: `The job needed more than ${this.#memory.resident} MB of memory.` })
    } else if (millis !== null && before !== null && millis - before > longMillis) this.#events.onLongJob()
  }

  /**
   * Makes Linux end this process before the server when memory is exhausted. Other systems lack the file for this
   * setting.
   */
  #preferForOomKiller(): void {
    const { pid } = this.#child
    if (pid !== undefined) void writeFile(`/proc/${pid}/oom_score_adj`, "1000").catch(() => undefined)
  }

  #keepAlive(keep: boolean): void {
    const change = keep ? "ref" : "unref"
    this.#child[change]()
    this.#channel?.[change]()
    this.#errors?.[change]()
  }
}
