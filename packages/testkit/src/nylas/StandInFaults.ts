import { problem, type Withholding } from "./StandInAnswers.ts"
import type { StandInAnswer } from "./StandInMailbox.ts"
import type { SeenRequest } from "./StandInRoutes.ts"

/**
 * What goes wrong instead of, or after, what was asked for.
 *
 * - a number: this status; of a send it is remembered under its key, as Nylas does, unless nothing was looked at (401,
 *   403, 404, 429)
 * - `hang`: nothing is done and nothing answered until `release`, then it is done
 * - `drop`: the connection is closed when the request has been read
 */
export interface StandInFault {
  readonly mood: number | "hang" | "drop"
  /** Of which requests, as `POST /v3/…`; any when it is not said. */
  readonly on?: RegExp
  /** How often; once when it is not said. */
  readonly times?: number
  /** First what was asked for is done: the answer alone is lost. */
  readonly done?: boolean
  readonly type?: string
  readonly message?: string
  readonly retryAfter?: string
  /** Where a redirect leads. */
  readonly location?: string
  /** What is answered instead of an error in the usual shape. */
  readonly json?: unknown
}

/** Statuses that are answered before the request is looked at. */
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

/** Faults that are to come, in the order in which they were told. */
export class StandInFaults {
  readonly #pending: Array<{ readonly fault: StandInFault; left: number }> = []
  readonly #hanging = new Set<() => void>()

  add(fault: StandInFault): void {
    this.#pending.push({ fault, left: fault.times ?? 1 })
  }

  /** Lets go of whatever hangs. */
  release(): void {
    this.#hanging.forEach((letGo) => letGo())
    this.#hanging.clear()
  }

  /** The answer to a request, or what goes wrong with it. */
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
