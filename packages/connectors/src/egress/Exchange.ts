import { GrowingBytes } from "@leadloom/core/internal/domain/text/GrowingBytes"
import type { Dispatcher } from "undici"
import { codeOf } from "./FailureKind.ts"

/** A response, without its duration. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The outcome of a request. `late`: the timeout expired before a response arrived. */
export type Outcome = Received | { readonly late: true } | { readonly error: unknown }

/** The state of a connection. `used`: at least one response has arrived over it. */
export interface Usage {
  used: boolean
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]

/**
 * The argument of `#end` after the status has arrived. In this case, `#end` reports the response, so this value is
 * never reported.
 */
const unanswered: Outcome = { error: new Error("no response") }

/** Joins header values. Only `set-cookie` arrives as a list (RFC 9110, section 5.3). */
const plain = (headers: Headers): Readonly<Record<string, string>> => {
  const joined: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    joined[name] = Array.isArray(value) ? value.join(", ") : (value ?? "")
  }
  return joined
}

/** The error codes of a connection that the receiver closed. */
const broken = ["ECONNRESET", "EPIPE"]

/**
 * Collects the response to one request as a handler of `undici`, and reports the outcome once. The status alone counts
 * as a complete response, because the receiver has processed the request by then. A body that breaks off, stalls or
 * exceeds `max` bytes is therefore truncated and is not an error.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** The state of the connection; set by the connection that sends the request. */
  usage: Usage = { used: false }
  readonly #most: number
  readonly #told: (outcome: Outcome) => void
  /** Sends the request again. */
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
    // 1xx responses precede the actual response (RFC 9110, section 15.2).
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
    // The receiver closed an idle connection while the request was being sent. It has not read the request, so sending
    // the request again is safe.
    const stale = this.#head === null && this.usage.used && broken.includes(codeOf(error))
    if (stale && !this.#over) this.#again()
    else this.#end({ error })
  }

  /** Ends the exchange when the timeout expires. If the status has arrived, the response is reported. */
  late(): void {
    this.#cut({ late: true })
  }

  /** Aborts the request without reporting an outcome. */
  stop(): void {
    this.#over = true
    this.#controller?.abort(new Error("the request was aborted"))
  }

  #cut(outcome: Outcome): void {
    this.#end(outcome)
    this.stop()
  }

  /** Reports the response if its status has arrived, or else the given outcome. */
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
