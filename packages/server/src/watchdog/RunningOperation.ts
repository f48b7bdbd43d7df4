import { Context, type Fiber, References, Scheduler } from "effect"
import { HttpServerRequest } from "effect/http"

/** The operation on the main thread, according to its fiber. */
export interface RunningOperation {
  /** The method and the URL of the HTTP request; null if the operation is not a request. */
  readonly request: { readonly method: string; readonly url: string } | null
  /** The name of the worker; null if the operation is not a worker. */
  readonly worker: string | null
  /** The log annotations of the fiber: tenant, signal, request id. */
  readonly annotations: Readonly<Record<string, unknown>>
}

/** The worker that a fiber belongs to, for example `worker.signals`. */
export const CurrentWorker = Context.Reference<string | null>("server/watchdog/CurrentWorker", {
  defaultValue: () => null
})

type AnyContext = Context.Context<never>

type Annotations = Readonly<Record<string, unknown>>

const nothing: AnyContext = Context.empty()

const annotationsOf = (context: AnyContext): Annotations => Context.get(context, References.CurrentLogAnnotations)

/**
 * The maximum number of contexts that are stored for a turn (see `TickScheduler`). Further contexts overwrite the
 * oldest ones. The number is a power of two.
 */
const maxContexts = 256

/**
 * The contexts of a fiber during its turn. Their content is not read during the turn, because reading a context takes
 * longer than most steps of a fiber.
 */
class Turn {
  /** The context at the beginning of the turn. */
  first = nothing
  millis = 0
  readonly #contexts = Array.from({ length: maxContexts }, () => nothing)
  #count = 0

  begin(context: AnyContext): void {
    this.first = context
    this.#count = 0
  }

  follow(context: AnyContext): void {
    this.#contexts[this.#count++ & (maxContexts - 1)] = context
  }

  /** Releases the contexts, because they refer to requests with their bodies. */
  clear(): void {
    this.first = nothing
    this.millis = 0
    this.#count = 0
    this.#contexts.fill(nothing)
  }

  /**
   * Returns the largest set of annotations. The last context may lack some of them, because a fiber removes parts of
   * its context when it ends.
   */
  annotations(): Annotations {
    const kept = this.#contexts.slice(0, Math.min(this.#count, maxContexts)).map(annotationsOf)
    return kept.reduce(
      (max, one) => (Object.keys(one).length > Object.keys(max).length ? one : max),
      annotationsOf(this.first)
    )
  }
}

const requestOf = (context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
  const request = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
  return request === undefined ? null : { method: request.method, url: request.url }
}

const operationOf = (turn: Turn): RunningOperation => ({
  // The context of a fiber contains more services than its type lists.
  request: requestOf(turn.first as Context.Context<HttpServerRequest.HttpServerRequest>),
  worker: Context.get(turn.first, CurrentWorker),
  annotations: turn.annotations()
})

/** The longest turn, which is the longest time for which one fiber ran without a pause. */
export interface MaxTick {
  readonly operation: RunningOperation
  readonly millis: number
}

/**
 * A scheduler that knows the running fiber. Before every step of a fiber, Effect asks the scheduler whether the fiber
 * must yield. This scheduler then also compares the fiber with the previous one, and reads the clock if they differ.
 * Requests therefore need neither a wrapper nor an asynchronous context. The name of an operation is determined only
 * after a block.
 *
 * A turn is the time from the first step of one fiber to the first step of the next fiber. It includes the idle time
 * between them. Frequent calls of `resetLongest` keep this idle time short. Work outside fibers counts for the previous
 * fiber.
 */
export class TickScheduler extends Scheduler.MixedScheduler {
  readonly #now: () => number
  #fiber: Fiber.Fiber<unknown, unknown> | null = null
  #last = nothing
  #since: number
  #turn = new Turn()
  #longest = new Turn()

  constructor(now: () => number) {
    super()
    this.#now = now
    this.#since = now()
  }

  override shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    const { context } = fiber
    if (fiber !== this.#fiber) this.#begin(fiber, context)
    else if (context !== this.#last) {
      this.#last = context
      this.#turn.follow(context)
    }
    return super.shouldYield(fiber)
  }

  /** Ends the current turn. Returns the longest turn since the last call. */
  resetLongest(): MaxTick {
    this.#end()
    const { millis } = this.#longest
    const operation = operationOf(this.#longest)
    this.#longest.clear()
    return { operation, millis }
  }

  #begin(fiber: Fiber.Fiber<unknown, unknown>, context: AnyContext): void {
    this.#end()
    this.#fiber = fiber
    this.#last = context
    this.#turn.begin(context)
  }

  #end(): void {
    const now = this.#now()
    const millis = now - this.#since
    this.#since = now
    if (millis <= this.#longest.millis) return
    const ended = this.#turn
    ended.millis = millis
    this.#turn = this.#longest
    this.#longest = ended
    // The same fiber may continue, so the new turn starts with the contexts of this fiber.
    this.#turn.begin(ended.first)
    this.#turn.follow(this.#last)
  }
}
