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

/** What a fiber had with it in its turn. */
interface Turn {
  readonly context: AnyContext
  readonly annotations: Annotations
}

const nothing: Turn = { context: Context.empty(), annotations: {} }

const requestOf = (context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
  const request = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
  return request === undefined ? null : { method: request.method, url: request.url }
}

const operationOf = ({ annotations, context }: Turn): RunningOperation => ({
  // A fiber carries services that its type does not name.
  request: requestOf(context as Context.Context<HttpServerRequest.HttpServerRequest>),
  worker: Context.get(context, CurrentWorker),
  annotations
})

/** The longest that one fiber had the main thread to itself. */
export interface LongestTurn {
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
export class TurnScheduler extends Scheduler.MixedScheduler {
  readonly #now: () => number
  #fiber: Fiber.Fiber<unknown, unknown> | null = null
  #last: AnyContext = nothing.context
  #turn: Turn = nothing
  #since: number
  #longest: { readonly turn: Turn; readonly millis: number } = { turn: nothing, millis: 0 }

  constructor(now: () => number) {
    super()
    this.#now = now
    this.#since = now()
  }

  override shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    if (fiber !== this.#fiber) this.#begin(fiber)
    else if (fiber.context !== this.#last) this.#follow(fiber.context)
    return super.shouldYield(fiber)
  }

  /** Ends the turn of the fiber that runs, and answers the longest since this was last called. */
  takeLongest(): LongestTurn {
    this.#end()
    const { millis, turn } = this.#longest
    this.#longest = { turn: nothing, millis: 0 }
    return { operation: operationOf(turn), millis }
  }

  #begin(fiber: Fiber.Fiber<unknown, unknown>): void {
    this.#end()
    this.#fiber = fiber
    this.#last = fiber.context
    this.#turn = { context: fiber.context, annotations: annotationsOf(fiber.context) }
  }

  #end(): void {
    const now = this.#now()
    const millis = now - this.#since
    if (millis > this.#longest.millis) this.#longest = { turn: this.#turn, millis }
    this.#since = now
  }

  /** A fiber sheds its context step by step as it ends: the annotations that say most are kept. */
  #follow(context: AnyContext): void {
    this.#last = context
    const annotations = annotationsOf(context)
    if (annotations === this.#turn.annotations) return
    if (Object.keys(annotations).length > Object.keys(this.#turn.annotations).length)
      this.#turn = { context: this.#turn.context, annotations }
  }
}

const annotationsOf = (context: AnyContext): Annotations => Context.get(context, References.CurrentLogAnnotations)
