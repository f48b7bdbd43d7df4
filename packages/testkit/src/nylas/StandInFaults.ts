import { problem, type Withholding } from "./StandInAnswers.ts"
import type { StandInAnswer } from "./StandInMailbox.ts"
import type { SeenRequest } from "./StandInRoutes.ts"

/**
 * A fault that replaces the response to a request.
 *
 * - a number: this status. For a send, Nylas stores the response under the key. It does not store the statuses 401, 403, 404 and 429, because it returns them before it processes the request.
 * - `hang`: no response until `release`. The request completes only then.
 * - `drop`: the connection closes after the request was read
 */
export interface StandInFault {
  readonly mood: number | "hang" | "drop"
  /** Matches the affected requests, in the form `POST /v3/…`. Default: all. */
  readonly on?: RegExp
  /** The number of affected requests. Default: 1. */
  readonly times?: number
  /** Completes the request before the fault, so that only the response is lost. */
  readonly done?: boolean
  readonly type?: string
  readonly message?: string
  readonly retryAfter?: string
  /** The target of a redirect. */
  readonly location?: string
  /** The body of the response. Default: an error in the format of Nylas. */
  readonly json?: unknown
}

/** Statuses that Nylas returns before it processes a request. */
const unlookedAt: ReadonlyArray<number> = [401, 403, 404, 429]

const nothing: Withholding = () => Promise.resolve(null)

const answerOf = (status: number, fault: StandInFault): StandInAnswer => {
  const { location, message = `as told: ${status}`, retryAfter } = fault
  const type = fault.type ?? (status === 429 ? "rate_limit_error" : "provider_error")
  return {
    ...("json" in fault ? { status, json: fault.json } : problem(status, type, message)),
    headers: {
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
      ...(location === undefined ? {} : { location })
    }
  }
}

/** The pending faults, in order. */
export class StandInFaults {
  readonly #pending: Array<{ readonly fault: StandInFault; left: number }> = []
  readonly #hanging = new Set<() => void>()

  add(fault: StandInFault): void {
    this.#pending.push({ fault, left: fault.times ?? 1 })
  }

  /** Releases all hanging requests. */
  release(): void {
    this.#hanging.forEach((letGo) => letGo())
    this.#hanging.clear()
  }

  /** Returns the response of a request, or applies a fault. */
  async respond(
    seen: SeenRequest,
    act: (withholding: Withholding) => StandInAnswer | Promise<StandInAnswer>
  ): Promise<StandInAnswer | "drop"> {
    const fault = this.#next(`${seen.method} ${seen.path}`)
    if (fault === null) return act(nothing)
    const { done = false, mood } = fault
    const isSend = seen.method === "POST" && seen.path.endsWith("/messages/send")
    if (done) {
      await act(nothing)
      if (mood === "hang") await this.#hang()
      return typeof mood === "number" ? answerOf(mood, fault) : "drop"
    }
    if (mood === "drop") return "drop"
    if (mood === "hang") {
      if (isSend) return act(() => this.#hang().then(() => null))
      await this.#hang()
      return act(nothing)
    }
    const failing = answerOf(mood, fault)
    return isSend && !unlookedAt.includes(mood) ? act(() => Promise.resolve(failing)) : failing
  }

  #next(request: string): StandInFault | null {
    const index = this.#pending.findIndex(({ fault }) => fault.on === undefined || fault.on.test(request))
    const found = this.#pending[index]
    if (found === undefined) return null
    found.left -= 1
    if (found.left <= 0) this.#pending.splice(index, 1)
    return found.fault
  }

  #hang(): Promise<void> {
    return new Promise((resolve) => {
      this.#hanging.add(resolve)
    })
  }
}
