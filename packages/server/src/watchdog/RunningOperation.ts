import { Context, type Fiber, References, Scheduler } from "effect"
import { HttpServerRequest } from "effect/http"

/** What runs on the main thread, as far as its fiber tells. */
export interface RunningOperation {
  /** Method and URL of the HTTP request; null: it is none. */
  readonly request: { readonly method: string; readonly url: string } | null
  /** The name that a worker was started under; null: it has none. */
  readonly worker: string | null
  /** Annotations of its log: tenant, signal, request id. */
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

/** Contexts of a turn that are kept, the latest ones; a power of two. */
const maxContexts = 256

/** What a fiber had with it in its turn. Contexts are only noted: reading one costs more than the steps it is for. */
class Turn {
  /** The context that it began with. */
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

  /** Forgets the contexts: they hold requests with their bodies. */
  clear(): void {
    this.first = nothing
    this.millis = 0
    this.#count = 0
    this.#contexts.fill(nothing)
  }

  /** A fiber sheds its context step by step as it ends: the annotations that say most count. */
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
  // A fiber carries services that its type does not name.
  request: requestOf(turn.first as Context.Context<HttpServerRequest.HttpServerRequest>),
  worker: Context.get(turn.first, CurrentWorker),
  annotations: turn.annotations()
})

/** The longest that one fiber had the main thread to itself. */
export interface MaxTick {
  readonly operation: RunningOperation
  readonly millis: number
}

/**
 * A scheduler that knows which fiber runs. Effect asks it before every step whether the fiber has to yield; this one also
 * compares the fiber with the one before, and reads the clock when it is another. That is all a request pays: no wrapper, no
 * asynchronous context. What an operation is called is found out only when it has blocked.
 *
 * A turn is the time from the first step of a fiber until the first step of the next one. It includes the wait between them,
 * which asking for the longest turn at short intervals keeps small. Work outside of fibers counts for the fiber that ran
 * before it.
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

  /** Ends the turn of the fiber that runs, and answers the longest since this was last called. */
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
    // The fiber may go on, with what it had.
    this.#turn.begin(ended.first)
    this.#turn.follow(this.#last)
  }
}
