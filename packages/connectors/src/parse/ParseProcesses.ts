import { FairQueue } from "./FairQueue.ts"
import type { ParseJob, ParseResult } from "./ParseJob.ts"
import { deadlineOf, isLarge, type ParseLimits } from "./ParseLimits.ts"
import { type ProcessEvents, type ProcessFailure, ParseProcess } from "./ParseProcess.ts"

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

/**
 * A process and its jobs. The process runs the first job, and the others wait in its channel. All are of one flow.
 */
interface Seat {
  readonly process: ParseProcess
  readonly idleTimer: NodeJS.Timeout
  ready: boolean
  /** Whether the process has a lower priority. It then runs large jobs, and also others when no other one is ready. */
  background: boolean
  jobs: ReadonlyArray<Waiting>
  heavy: boolean
  /** The start of the first job. */
  since: number
  timer: NodeJS.Timeout | undefined
}

/**
 * The number of consecutive processes that may end before they start a job. After this number, the waiting jobs are
 * refused. The number exceeds the size of a pool.
 */
const maxFailedStarts = 5

/** The minimum time in milliseconds between two readings of the processor time of a job. */
const minReadingMillis = 100

const stopping = "the server is stopping"

/**
 * The pool of parse processes. It kills a process that exceeds its deadline, replaces a process that ends, and ends
 * idle processes. It starts no process before the first job or `keepReady`. From then on, it keeps one process ready
 * for the next job, up to the maximum number of processes.
 */
export class ParseProcesses {
  readonly #limits: ParseLimits
  readonly #seats = new Set<Seat>()
  readonly #queue: FairQueue<Waiting>
  readonly #program: URL | undefined
  #failedStarts = 0
  #keepsReady = false
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

  /**
   * Starts a process now, and keeps one process until `close`. The first job therefore does not wait for the start of a
   * process.
   */
  keepReady(): void {
    this.#keepsReady = true
    this.#startMissing()
  }

  /** Kills all processes and refuses all jobs. */
  async close(): Promise<void> {
    this.#closed = true
    this.#refuseAll(stopping)
    const seats = [...this.#seats]
    for (const seat of seats) {
      for (const job of this.#clear(seat)) job.settle({ _tag: "Refused", message: stopping })
    }
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
    return isLarge(job, this.#limits) || this.#queue.usedBy(flow, now) > this.#limits.heavyMillis
  }

  /**
   * Gives jobs to the ready processes: large jobs to those with a lower priority and other jobs to the others, then any
   * job to any process.
   */
  #dispatch(): void {
    const now = performance.now()
    for (const prefersClass of [true, false]) {
      for (const seat of this.#seats) {
        if (this.#queue.size === 0) break
        if (!seat.ready || seat.jobs.length > 0) continue
        const next = this.#queue.take(({ job }, flow) => {
          const heavy = this.#isHeavy(job, flow, now)
          return (!prefersClass || seat.background === isLarge(job, this.#limits)) && this.#mayBegin(seat, flow, heavy)
        }, now)
        if (next !== undefined) this.#begin(seat, next, now)
      }
    }
    this.#startMissing()
  }

  #working(): ReadonlyArray<Seat> {
    return [...this.#seats].filter(({ jobs }) => jobs.length > 0)
  }

  #foreground(): number {
    return [...this.#seats].filter(({ background }) => !background).length
  }

  /**
   * Returns the number of processes that may work now. Two are enough for small mails, because the server needs more
   * time to store one than a process to parse it. Each further process would have to compile its code again.
   */
  #usable(): number {
    return this.#foreground() < this.#seats.size ? this.#limits.processes : Math.min(2, this.#limits.processes)
  }

  /**
   * At least one process always remains available for other flows, and at least one that has started for jobs that are
   * not heavy.
   */
  #mayBegin(seat: Seat, flow: string, heavy: boolean): boolean {
    const max = this.#usable() - 1
    const working = this.#working()
    if (working.filter(({ jobs: [first] }) => first?.flow === flow).length >= max) return false
    if (!heavy) return true
    const isReserved = [...this.#seats].some((each) => each !== seat && each.ready && !each.background)
    return isReserved && working.filter((each) => each.heavy).length < max
  }

  /**
   * Returns the number of processes that the pool needs: one for each waiting or working job, and one more for the next
   * job. If all processes have a lower priority, the pool needs another one, even if this exceeds its maximum by one.
   */
  #wanted(): number {
    const jobs = this.#working().length + this.#queue.size
    const wanted = jobs === 0 ? 0 : Math.min(this.#usable(), jobs + 1)
    const isReserved = (jobs === 0 && !this.#keepsReady) || this.#foreground() > 0
    return isReserved ? wanted : Math.max(wanted, Math.min(this.#seats.size, this.#limits.processes) + 1)
  }

  #startMissing(): void {
    while (!this.#closed && this.#seats.size < this.#wanted()) {
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
      onLongJob: () =>
        on((seat) => {
          this.#lower(seat)
          this.#startMissing()
        }),
      onEnd: (failure, begun) => on((seat) => this.#lose(seat, failure, begun))
    }
    const process = new ParseProcess(this.#limits.memory, events, this.#program)
    const idleTimer = setTimeout(() => on((seat) => this.#endIdle(seat)), this.#limits.idleMillis)
    idleTimer.unref()
    const seat: Seat = {
      process,
      idleTimer,
      ready: false,
      background: false,
      jobs: [],
      heavy: false,
      since: 0,
      timer: undefined
    }
    seatOf.current = seat
    this.#seats.add(seat)
  }

  #begin(seat: Seat, first: Waiting, now: number): void {
    seat.heavy = this.#isHeavy(first.job, first.flow, now)
    if (isLarge(first.job, this.#limits)) this.#lower(seat)
    seat.jobs = [first, ...this.#batchAfter(first)]
    const timed = seat.jobs.map(({ job }) => ({ job, limitMillis: this.#orphanMillis(job) }))
    seat.process.start(timed)
    this.#watch(seat, now)
  }

  /**
   * Removes and returns further small jobs of a flow. One message to a process costs less than several, but the jobs
   * wait for each other. Jobs of other flows are therefore not included, and the ready processes share the jobs.
   */
  #batchAfter(first: Waiting): ReadonlyArray<Waiting> {
    const isSmall = ({ job }: Waiting): boolean => !isLarge(job, this.#limits)
    if (!isSmall(first)) return []
    const ready = [...this.#seats].filter((seat) => seat.ready && seat.jobs.length === 0).length
    const share = Math.floor(this.#queue.waitingOf(first.flow) / Math.max(1, ready))
    return this.#queue.takeMore(first.flow, Math.min(this.#limits.batch - 1, share), isSmall)
  }

  /** Returns the time limit of a job whose process enforces it, because the server has ended. */
  #orphanMillis(job: ParseJob): number {
    return deadlineOf(job, this.#limits) * (this.#limits.elapsedDeadlines + 1)
  }

  /** Starts the deadline of the first job of a process. */
  #watch(seat: Seat, now: number): void {
    const [first] = seat.jobs
    if (first === undefined) return
    const deadline = deadlineOf(first.job, this.#limits)
    seat.since = now
    seat.timer = setTimeout(() => void this.#expire(seat, first, deadline), deadline)
  }

  /** Stops a job that has used its deadline. A job that has received less processor time continues. */
  async #expire(seat: Seat, job: Waiting, deadline: number): Promise<void> {
    const used = await seat.process.usedMillis()
    if (seat.jobs[0] !== job) return
    const rest = seat.since + deadline * this.#limits.elapsedDeadlines - performance.now()
    if (used === null || used >= deadline || rest <= 0) return this.#stop(seat, deadline)
    const wait = Math.min(Math.max(deadline - used, minReadingMillis), rest)
    seat.timer = setTimeout(() => void this.#expire(seat, job, deadline), wait)
  }

  #lower(seat: Seat): void {
    if (seat.background) return
    seat.background = true
    seat.process.lowerPriority()
  }

  /** Ends the first job of a process, and adds its processing time to its flow. */
  #release(seat: Seat): Waiting | null {
    const [first = null, ...others] = seat.jobs
    if (first === null) return null
    clearTimeout(seat.timer)
    const now = performance.now()
    this.#queue.charge(first.flow, now - seat.since, now)
    seat.jobs = others
    this.#watch(seat, now)
    return first
  }

  /** Removes and returns all jobs of a process. */
  #clear(seat: Seat): ReadonlyArray<Waiting> {
    const { jobs } = seat
    clearTimeout(seat.timer)
    seat.jobs = []
    return jobs
  }

  #finish(seat: Seat, outcome: Outcome): void {
    this.#failedStarts = 0
    const job = this.#release(seat)
    if (seat.jobs.length === 0) this.#rest(seat)
    job?.settle(outcome)
    this.#dispatch()
  }

  #rest(seat: Seat): void {
    seat.process.rest()
    seat.idleTimer.refresh()
    if (!seat.background) return
    if (this.#seats.size > this.#limits.processes) return void this.#dismiss(seat)
    if (seat.heavy) void this.#recycle(seat)
  }

  /** Replaces a process that holds much memory after a heavy job. Until this is known, the process gets no job. */
  async #recycle(seat: Seat): Promise<void> {
    seat.ready = false
    const resident = await seat.process.residentBytes()
    if (!this.#seats.has(seat)) return
    seat.ready = true
    if (resident > this.#limits.recycleResident * 1_048_576) void this.#dismiss(seat)
    this.#dispatch()
  }

  #dismiss(seat: Seat): Promise<void> {
    this.#seats.delete(seat)
    clearTimeout(seat.idleTimer)
    return seat.process.kill()
  }

  #endIdle(seat: Seat): void {
    const isKept = this.#keepsReady && !seat.background && this.#foreground() === 1
    if (seat.ready && seat.jobs.length === 0 && !isKept) void this.#dismiss(seat)
    else seat.idleTimer.refresh()
  }

  /** Ends the process of a job that exceeds its deadline. The other jobs of the process return to the queue. */
  #stop(seat: Seat, deadline: number): void {
    const job = this.#release(seat)
    for (const other of this.#clear(seat)) this.#enqueue(other)
    void this.#dismiss(seat)
    job?.settle({
      _tag: "Stopped",
      reason: "deadline",
      message: `The job needed more than ${Math.round(deadline)} ms.`
    })
    this.#dispatch()
  }

  /**
   * Handles the end of a process. Jobs that the process had not started cannot be the cause, so they return to the
   * queue.
   */
  #lose(seat: Seat, { message, reason }: ProcessFailure, begun: boolean): void {
    this.#seats.delete(seat)
    clearTimeout(seat.idleTimer)
    const failedStart = !seat.ready || (seat.jobs.length > 0 && !begun)
    const job = begun ? this.#release(seat) : null
    for (const other of this.#clear(seat)) this.#enqueue(other)
    job?.settle({ _tag: "Stopped", reason, message })
    if (failedStart && ++this.#failedStarts >= maxFailedStarts) {
      this.#failedStarts = 0
      return this.#refuseAll(`no process can be started: ${message}`)
    }
    this.#dispatch()
  }
}
