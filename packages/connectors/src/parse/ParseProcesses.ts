import { availableParallelism } from "node:os"
import { FairQueue } from "./FairQueue.ts"
import type { ParseJob, ParseResult } from "./ParseJob.ts"
import { type ProcessEvents, type ProcessFailure, type ProcessMemory, ParseProcess } from "./ParseProcess.ts"

/** The limits of parsing. */
export interface ParseLimits {
  /** The number of processes, at least two. One flow uses at most all processes except one. */
  readonly processes: number
  /**
   * The time limit of one job, from its start in a process. Each megabyte of content extends the limit by
   * `deadlineMillisPerMegabyte`.
   */
  readonly deadlineMillis: number
  readonly deadlineMillisPerMegabyte: number
  readonly memory: ProcessMemory
  /** The maximum number of waiting jobs. */
  readonly waiting: number
  /**
   * A job is heavy if its content exceeds `heavyBytes`, or if its flow has recently used more than `heavyMillis` of
   * processing time. One process is reserved for other jobs.
   */
  readonly heavyBytes: number
  readonly heavyMillis: number
  /** The idle time after which a process ends. */
  readonly idleMillis: number
}

/**
 * 1 MB of the most expensive HTML takes 0.4 s of one core, and its deadline is 6 s. 25 MB of attachments also take
 * 0.4 s, and their deadline is 30 s. The deadlines are this long because they limit elapsed time, and an overloaded
 * machine must parse mail too. A job that uses its whole
 * deadline does not delay other tenants, because one process is reserved.
 */
export const defaultLimits: ParseLimits = {
  processes: Math.max(3, Math.min(4, availableParallelism())),
  deadlineMillis: 5_000,
  deadlineMillisPerMegabyte: 1_000,
  memory: { oldSpace: 192, semiSpace: 8, resident: 512 },
  waiting: 2_000,
  heavyBytes: 262_144,
  heavyMillis: 500,
  idleMillis: 300_000
}

/** The outcome of a job. */
export type Outcome =
  | { readonly _tag: "Done"; readonly result: ParseResult }
  | { readonly _tag: "Stopped"; readonly reason: "deadline" | "memory" | "failed"; readonly message: string }
  /** No process has started the job. */
  | { readonly _tag: "Refused"; readonly message: string }

interface Waiting {
  readonly flow: string
  readonly job: ParseJob
  readonly settle: (outcome: Outcome) => void
}

interface Running {
  readonly waiting: Waiting
  readonly heavy: boolean
  readonly since: number
  readonly timer: NodeJS.Timeout
}

/** A process and its current job. */
interface Seat {
  readonly process: ParseProcess
  readonly idleTimer: NodeJS.Timeout
  ready: boolean
  job: Running | null
}

const bytesOf = (job: ParseJob): number => {
  if (job.kind === "html") return job.html.length
  return job.kind === "json" ? (job.message.body?.length ?? 0) : job.raw.length
}

const deadlineOf = (job: ParseJob, limits: ParseLimits): number =>
  limits.deadlineMillis + (bytesOf(job) / 1_048_576) * limits.deadlineMillisPerMegabyte

/**
 * The number of consecutive processes that may end before they start a job. After this number, the waiting jobs are
 * refused. The number exceeds the size of a pool.
 */
const maxFailedStarts = 5

/**
 * The time limit after which a process ends without the server, as a multiple of the deadline. It is needed if the
 * server has ended and no longer enforces the deadline.
 */
const deadlinesOfOrphan = 2

const stopping = "the server is stopping"

/**
 * The pool of parse processes. It kills a process that exceeds its deadline, replaces a process that ends, and ends
 * idle processes. It starts no process before the first job. From then on, it keeps one process ready for the next job,
 * up to the maximum number of processes.
 */
export class ParseProcesses {
  readonly #limits: ParseLimits
  readonly #seats = new Set<Seat>()
  readonly #queue: FairQueue<Waiting>
  readonly #program: URL | undefined
  #failedStarts = 0
  #closed = false

  /** `program`: the file that each process runs; by default, the parse program in the folder of this module. */
  constructor(limits: ParseLimits, program?: URL) {
    this.#limits = limits
    this.#queue = new FairQueue(limits.waiting)
    this.#program = program
  }

  /** Adds a job to its flow. The returned function removes it, unless a process has started it. */
  submit(flow: string, job: ParseJob, settle: (outcome: Outcome) => void): () => void {
    const waiting: Waiting = { flow, job, settle }
    this.#enqueue(waiting)
    this.#dispatch()
    return () => this.#queue.remove(flow, waiting)
  }

  /** Kills all processes and refuses all jobs. */
  async close(): Promise<void> {
    this.#closed = true
    this.#refuseAll(stopping)
    const seats = [...this.#seats]
    for (const seat of seats) this.#release(seat)?.settle({ _tag: "Refused", message: stopping })
    await Promise.all(seats.map((seat) => this.#dismiss(seat)))
  }

  #enqueue(waiting: Waiting): void {
    if (!this.#closed && this.#queue.push(waiting.flow, waiting, performance.now())) return
    waiting.settle({ _tag: "Refused", message: this.#closed ? stopping : "too many jobs are waiting" })
  }

  #refuseAll(message: string): void {
    const next = () => this.#queue.take(() => true, performance.now())
    for (let waiting = next(); waiting !== undefined; waiting = next()) {
      waiting.settle({ _tag: "Refused", message })
    }
  }

  #isHeavy(job: ParseJob, flow: string, now: number): boolean {
    return bytesOf(job) > this.#limits.heavyBytes || this.#queue.usedBy(flow, now) > this.#limits.heavyMillis
  }

  #dispatch(): void {
    const now = performance.now()
    for (const seat of this.#seats) {
      if (!seat.ready || seat.job !== null) continue
      const next = this.#queue.take(({ job }, flow) => this.#mayBegin(job, flow, now), now)
      if (next === undefined) break
      this.#begin(seat, next, now)
    }
    this.#startMissing()
  }

  #running(): ReadonlyArray<Running> {
    return [...this.#seats].flatMap(({ job }) => (job === null ? [] : [job]))
  }

  /** At least one process always remains available for other flows, and at least one for jobs that are not heavy. */
  #mayBegin(job: ParseJob, flow: string, now: number): boolean {
    const max = this.#limits.processes - 1
    const running = this.#running()
    if (running.filter(({ waiting }) => waiting.flow === flow).length >= max) return false
    return running.filter(({ heavy }) => heavy).length < max || !this.#isHeavy(job, flow, now)
  }

  /** Starts a process for each waiting job, and one more for the next job. */
  #startMissing(): void {
    const running = this.#running().length
    if (running + this.#queue.size === 0) return
    const wanted = Math.min(this.#limits.processes, running + this.#queue.size + 1)
    while (!this.#closed && this.#seats.size < wanted) {
      try {
        this.#open()
      } catch (error) {
        return this.#refuseAll(`no process can be started: ${String(error)}`)
      }
    }
  }

  #open(): void {
    const seatOf: { current: Seat | null } = { current: null }
    const on = (act: (seat: Seat) => void): void => {
      if (seatOf.current !== null) act(seatOf.current)
    }
    const events: ProcessEvents = {
      onReady: () =>
        on((seat) => {
          seat.ready = true
          seat.idleTimer.refresh()
          this.#dispatch()
        }),
      onResult: (result) => on((seat) => this.#finish(seat, { _tag: "Done", result })),
      onJobFailure: (failure) => on((seat) => this.#finish(seat, { _tag: "Stopped", ...failure })),
      onEnd: (failure, begun) => on((seat) => this.#lose(seat, failure, begun))
    }
    const process = new ParseProcess(this.#limits.memory, events, this.#program)
    const idleTimer = setTimeout(() => on((seat) => this.#endIdle(seat)), this.#limits.idleMillis)
    idleTimer.unref()
    const seat: Seat = { process, idleTimer, ready: false, job: null }
    seatOf.current = seat
    this.#seats.add(seat)
  }

  #begin(seat: Seat, next: Waiting, now: number): void {
    const deadline = deadlineOf(next.job, this.#limits)
    const timer = setTimeout(() => this.#stop(seat, deadline), deadline)
    seat.job = { waiting: next, heavy: this.#isHeavy(next.job, next.flow, now), since: now, timer }
    seat.process.start(next.job, deadline * deadlinesOfOrphan)
  }

  /** Removes the job from a process, and adds the processing time to its flow. */
  #release(seat: Seat): Waiting | null {
    const { job } = seat
    if (job === null) return null
    clearTimeout(job.timer)
    const now = performance.now()
    this.#queue.charge(job.waiting.flow, now - job.since, now)
    seat.job = null
    return job.waiting
  }

  #finish(seat: Seat, outcome: Outcome): void {
    this.#failedStarts = 0
    const job = this.#release(seat)
    seat.process.rest()
    seat.idleTimer.refresh()
    job?.settle(outcome)
    this.#dispatch()
  }

  #dismiss(seat: Seat): Promise<void> {
    this.#seats.delete(seat)
    clearTimeout(seat.idleTimer)
    return seat.process.kill()
  }

  #endIdle(seat: Seat): void {
    if (seat.ready && seat.job === null) void this.#dismiss(seat)
    else seat.idleTimer.refresh()
  }

  #stop(seat: Seat, deadline: number): void {
    const job = this.#release(seat)
    void this.#dismiss(seat)
    job?.settle({
      _tag: "Stopped",
      reason: "deadline",
      message: `The job needed more than ${Math.round(deadline)} ms.`
    })
    this.#dispatch()
  }

  /**
   * Handles the end of a process. A job that the process had not started cannot be the cause, so this job returns to
   * the queue.
   */
  #lose(seat: Seat, { message, reason }: ProcessFailure, begun: boolean): void {
    this.#seats.delete(seat)
    clearTimeout(seat.idleTimer)
    const job = this.#release(seat)
    if (job !== null && begun) job.settle({ _tag: "Stopped", reason, message })
    else if (job !== null) this.#enqueue(job)
    const failedStart = !seat.ready || (job !== null && !begun)
    if (failedStart && ++this.#failedStarts >= maxFailedStarts) {
      this.#failedStarts = 0
      return this.#refuseAll(`no process can be started: ${message}`)
    }
    this.#dispatch()
  }
}
