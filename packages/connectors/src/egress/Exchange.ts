import { GrowingBytes } from "@leadloom/core/domain/text/GrowingBytes"
import type { Dispatcher } from "undici"
import { codeOf } from "./FailureKind.ts"

/** What came of a request, before anybody looked at the time. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** How a request ended: `late` when its time was up. */
export type Outcome = Received | { readonly late: true } | { readonly error: unknown }

/** What is known of a connection: whether an answer came over it before. */
export interface Usage {
  used: boolean
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]

/** Where there is an answer in any case. */
const unanswered: Outcome = { error: new Error("no answer") }

/** Only `set-cookie` comes as a list (RFC 9110, section 5.3). */
const plain = (headers: Headers): Readonly<Record<string, string>> => {
  const joined: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    joined[name] = Array.isArray(value) ? value.join(", ") : (value ?? "")
  }
  return joined
}

/** What breaks off when a connection ends. */
const broken = ["ECONNRESET", "EPIPE"]

/**
 * A request and its answer, as `undici` tells of them; says once how it ended. The answer has come when its status is
 * there: what breaks off, never ends or is longer than `most` bytes behind it is cut, because the receiver has had the
 * request.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Of the connection that took the request; set by that. */
  usage: Usage = { used: false }
  readonly #most: number
  readonly #told: (outcome: Outcome) => void
  /** Sends the request once more. */
  readonly #again: () => void
  #head: { readonly status: number; readonly headers: Headers } | null = null
  #controller: Dispatcher.DispatchController | null = null
  readonly #body = new GrowingBytes()
  #over = false

  constructor(max: number, reported: (outcome: Outcome) => void, again: (exchange: Exchange) => void) {
    this.#most = max
    this.#told = reported
    this.#again = () => again(this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) this.stop()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // RFC 9110, section 15.2: the answer comes behind it.
    if (status >= 200) this.#head = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#most - this.#body.length
    this.#body.append(chunk.subarray(0, room))
    if (chunk.length > room) this.#cut(unanswered)
  }

  onResponseEnd(): void {
    this.usage.used = true
    this.#end(unanswered)
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    // A connection that was unused and was closed by the other side just then: nobody has read the request.
    const stale = this.#head === null && this.usage.used && broken.includes(codeOf(error))
    if (stale && !this.#over) this.#again()
    else this.#end({ error })
  }

  /** The time is up: what has come of the answer is the answer. */
  late(): void {
    this.#cut({ late: true })
  }

  /** Ends it, whoever waits for it or not. */
  stop(): void {
    this.#over = true
    this.#controller?.abort(new Error("nobody waits for the answer any more"))
  }

  #cut(outcome: Outcome): void {
    this.#end(outcome)
    this.stop()
  }

  /** Tells how it ended: with the answer where one has begun, else as it says. */
  #end(outcome: Outcome): void {
    if (this.#over) return
    this.#over = true
    this.#told(this.#answer() ?? outcome)
  }

  #answer(): Received | null {
    if (this.#head === null) return null
    const { headers, status } = this.#head
    return { status, headers: plain(headers), body: this.#body.take() }
  }
}
