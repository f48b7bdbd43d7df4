import { availableParallelism } from "node:os"
import { FairQueue } from "./FairQueue.ts"
import type { ParseJob, ParseResult } from "./ParseJob.ts"
import { type ThreadEvents, type ThreadFailure, type ThreadMemory, WorkerThread } from "./WorkerThread.ts"

/** What parsing may cost. */
export interface ParseLimits {
  /** Threads that parse at once, two or more. One lane has all of them but one. */
  readonly threads: number
  /** Time one job may take, from the moment a thread begins it, and more of it for each megabyte. */
  readonly deadlineMillis: number
  readonly deadlineMillisPerMegabyte: number
  readonly memory: ThreadMemory
  /** Jobs that may wait. */
  readonly waiting: number
  /** A job of more bytes, or of a lane that used more time of late, is heavy: one thread is always left for the others. */
  readonly heavyBytes: number
  readonly heavyMillis: number
}

/**
 * 1 MB of the most expensive HTML takes 0.4 s of a core, 25 MB of attachments about as long. The deadline is ten times that,
 * because it counts time and not work: on a machine with more to do than it can, mail must not come out unparsed. Nobody
 * else waits for a job that takes all of it, since one thread is left to others.
 */
export const defaultLimits: ParseLimits = {
  threads: Math.max(3, Math.min(4, availableParallelism())),
  deadlineMillis: 5_000,
  deadlineMillisPerMegabyte: 1_000,
  memory: { oldSpace: 192, youngSpace: 32 },
  waiting: 2_000,
  heavyBytes: 262_144,
  heavyMillis: 500
}

/** What becomes of a job. */
export type Outcome =
  | { readonly _tag: "Done"; readonly result: ParseResult }
  | { readonly _tag: "Stopped"; readonly reason: "deadline" | "memory" | "failed"; readonly message: string }
  /** It was never begun. */
  | { readonly _tag: "Refused"; readonly message: string }

interface Waiting {
  readonly lane: string
  readonly job: ParseJob
  readonly settle: (outcome: Outcome) => void
}

interface Running extends Waiting {
  readonly heavy: boolean
  readonly since: number
  readonly timer: NodeJS.Timeout
}

/** A thread, and the job it is at. */
interface Seat {
  readonly thread: WorkerThread
  ready: boolean
  job: Running | null
}

const bytesOf = (job: ParseJob): number => {
  if (job.kind === "html") return job.html.length
  return job.kind === "json" ? (job.message.body?.length ?? 0) : job.raw.length
}

const deadlineOf = (job: ParseJob, limits: ParseLimits): number =>
  limits.deadlineMillis + (bytesOf(job) / 1_048_576) * limits.deadlineMillisPerMegabyte

/** Starts that may fail one after another before waiting jobs are refused. */
const failedStartsBorne = 3

/**
 * The threads that parse. One that takes too long is killed, one that dies is replaced; one more than what works is always
 * ready or on its way. Nothing starts before the first job.
 */
export class Threads {
  readonly #limits: ParseLimits
  readonly #seats = new Set<Seat>()
  readonly #queue: FairQueue<Waiting>
  readonly #url: URL | undefined
  #failedStarts = 0
  #closed = false

  /** `url`: another program for the threads, for tests. */
  constructor(limits: ParseLimits, url?: URL) {
    this.#limits = limits
    this.#queue = new FairQueue(limits.waiting)
    this.#url = url
  }

  /** Puts a job in its lane; what is called takes it out again, unless a thread is at it. */
  submit(lane: string, job: ParseJob, settle: (outcome: Outcome) => void): () => void {
    const waiting: Waiting = { lane, job, settle }
    if (this.#closed || !this.#queue.push(lane, waiting, performance.now())) {
      settle({ _tag: "Refused", message: this.#closed ? "the server stops" : "too many jobs are waiting" })
      return () => undefined
    }
    this.#dispatch()
    return () => this.#queue.remove(lane, waiting)
  }

  /** Ends all threads. What waits is refused. */
  async close(): Promise<void> {
    this.#closed = true
    this.#refuseAll("the server stops")
    const seats = [...this.#seats]
    for (const seat of seats) this.#release(seat)?.settle({ _tag: "Refused", message: "the server stops" })
    this.#seats.clear()
    await Promise.all(seats.map(({ thread }) => thread.kill()))
  }

  #refuseAll(message: string): void {
    const next = () => this.#queue.take(() => true, performance.now())
    for (let waiting = next(); waiting !== undefined; waiting = next()) {
      waiting.settle({ _tag: "Refused", message })
    }
  }

  #isHeavy(job: ParseJob, lane: string, now: number): boolean {
    return bytesOf(job) > this.#limits.heavyBytes || this.#queue.usedBy(lane, now) > this.#limits.heavyMillis
  }

  #dispatch(): void {
    const now = performance.now()
    for (const seat of this.#seats) {
      if (this.#running().length >= this.#limits.threads) break
      if (!seat.ready || seat.job !== null) continue
      const next = this.#queue.take(({ job }, lane) => this.#mayBegin(job, lane, now), now)
      if (next === undefined) break
      this.#begin(seat, next, now)
    }
    this.#hire()
  }

  #running(): ReadonlyArray<Running> {
    return [...this.#seats].flatMap(({ job }) => (job === null ? [] : [job]))
  }

  /** One thread is always left for other lanes, and for what is not heavy. */
  #mayBegin(job: ParseJob, lane: string, now: number): boolean {
    const most = this.#limits.threads - 1
    const running = this.#running()
    if (running.filter((other) => other.lane === lane).length >= most) return false
    return running.filter(({ heavy }) => heavy).length < most || !this.#isHeavy(job, lane, now)
  }

  /** Starts what is missing: a thread for each job that waits, and one more that is ready when the next one comes. */
  #hire(): void {
    const running = this.#running().length
    const wanted = Math.min(this.#limits.threads, running + this.#queue.size) + 1
    while (!this.#closed && this.#seats.size < wanted) this.#open()
  }

  #open(): void {
    const seatOf: { current: Seat | null } = { current: null }
    const on = (what: (seat: Seat) => void) => (): void => {
      if (seatOf.current !== null) what(seatOf.current)
    }
    const events: ThreadEvents = {
      onReady: on((seat) => {
        this.#failedStarts = 0
        seat.ready = true
        this.#dispatch()
      }),
      onResult: (result) => on((seat) => this.#finish(seat, { _tag: "Done", result }))(),
      onFailure: (failure) => on((seat) => this.#lose(seat, failure))()
    }
    const seat: Seat = { thread: new WorkerThread(this.#limits.memory, events, this.#url), ready: false, job: null }
    seatOf.current = seat
    this.#seats.add(seat)
  }

  #begin(seat: Seat, next: Waiting, now: number): void {
    const deadline = deadlineOf(next.job, this.#limits)
    const timer = setTimeout(() => this.#stop(seat, deadline), deadline)
    seat.job = { ...next, heavy: this.#isHeavy(next.job, next.lane, now), since: now, timer }
    seat.thread.start(next.job)
  }

  /** Takes the job off a thread, and charges its lane. */
  #release(seat: Seat): Waiting | null {
    const { job } = seat
    if (job === null) return null
    clearTimeout(job.timer)
    const now = performance.now()
    this.#queue.charge(job.lane, now - job.since, now)
    seat.job = null
    return job
  }

  #finish(seat: Seat, outcome: Outcome): void {
    const job = this.#release(seat)
    seat.thread.rest()
    job?.settle(outcome)
    this.#dispatch()
  }

  #dismiss(seat: Seat): void {
    this.#seats.delete(seat)
    void seat.thread.kill()
  }

  #stop(seat: Seat, deadline: number): void {
    const job = this.#release(seat)
    this.#dismiss(seat)
    job?.settle({
      _tag: "Stopped",
      reason: "deadline",
      message: `It took more than ${Math.round(deadline)} ms.`
    })
    this.#dispatch()
  }

  #lose(seat: Seat, { message, reason }: ThreadFailure): void {
    this.#seats.delete(seat)
    if (!seat.ready && ++this.#failedStarts >= failedStartsBorne) {
      this.#failedStarts = 0
      return this.#refuseAll(`no thread can be started: ${message}`)
    }
    this.#release(seat)?.settle({ _tag: "Stopped", reason, message })
    this.#dispatch()
  }
}
