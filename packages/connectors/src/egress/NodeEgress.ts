import * as http from "node:http"
import * as https from "node:https"
import { isIP } from "node:net"
import { Egress, type EgressAnswer, EgressFailed, type EgressRequest } from "@leadloom/core/port/Egress"
import { type EgressPolicy, EgressRefused } from "@leadloom/core/webhook/EgressPolicy"
import { checkUrl, type EgressUrl } from "@leadloom/core/webhook/EgressUrl"
import { Clock, Effect, Layer } from "effect"
import { codeOf, failureOf } from "./FailureKind.ts"
import { type AgentOptions, type GuardedAgents, guardedAgents } from "./GuardedAgents.ts"
import { type Resolve, resolveHere, resolvePublic } from "./Resolve.ts"

/** How the world outside is reached. */
export interface EgressOptions extends AgentOptions {
  readonly policy: EgressPolicy
  /** Default: the name servers of this machine. Whatever it says is checked. */
  readonly resolve?: Resolve
}

/** Only `set-cookie` comes as a list (documentation of `message.headers`). */
const headersOf = ({ headers }: http.IncomingMessage): Readonly<Record<string, string>> => {
  const plain: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    plain[name] = Array.isArray(value) ? value.join(", ") : (value ?? "")
  }
  return plain
}

const nothing = new Uint8Array()

type Received = Omit<EgressAnswer, "millis">

/** How an attempt ended: `late` when its time was up. */
type Outcome = Received | { readonly late: true } | { readonly error: unknown }

/**
 * Reads the beginning of an answer. It has come when its status is there: what breaks off or never ends behind it is cut,
 * because the receiver has had the request.
 */
const readAnswer = (message: http.IncomingMessage, most: number, done: (answer: Received) => void): (() => void) => {
  const chunks: Array<Buffer> = []
  let length = 0
  const end = (): void => {
    const body = length === 0 ? nothing : new Uint8Array(Buffer.concat(chunks).subarray(0, most))
    done({ status: message.statusCode ?? 0, headers: headersOf(message), body })
  }
  message.on("data", (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length <= most) return
    end()
    message.destroy()
  })
  message.on("end", end)
  message.on("error", end)
  message.on("close", end)
  return end
}

const requestOptions = (agents: GuardedAgents, url: EgressUrl, headers: EgressRequest["headers"]) => ({
  method: "POST",
  agent: agents.agentFor(url),
  host: url.host,
  port: url.port,
  path: url.path,
  headers,
  ...(url.secure && isIP(url.host) === 0 ? { servername: url.host } : {})
})

/** A connection that was unused and is closed by the other side just now: nobody has read the request. */
const wasStale = (request: http.ClientRequest, error: unknown): boolean =>
  request.reusedSocket && ["ECONNRESET", "EPIPE"].includes(codeOf(error))

/** Sends a request and tells once how it ended. Returns what stops it. */
const send = (agents: GuardedAgents, url: EgressUrl, asked: EgressRequest, told: (outcome: Outcome) => void) => {
  let over = false
  let current: http.ClientRequest | null = null
  let answerSoFar: (() => void) | null = null
  const stop = (): void => {
    over = true
    clearTimeout(timer)
    current?.destroy()
  }
  const finish = (outcome: Outcome): void => {
    if (over) return
    over = true
    clearTimeout(timer)
    told(outcome)
  }
  const attempt = (): void => {
    const request = (url.secure ? https : http).request(requestOptions(agents, url, asked.headers))
    current = request
    request.on("response", (message) => {
      answerSoFar = readAnswer(message, asked.maxResponseBytes, finish)
    })
    request.on("error", (error) => {
      if (over || answerSoFar !== null) return
      if (wasStale(request, error)) attempt()
      else finish({ error })
    })
    request.end(asked.body)
  }
  // Before the clock: what cannot be sent at all throws here.
  attempt()
  const timer = setTimeout(() => {
    if (answerSoFar === null) finish({ late: true })
    else answerSoFar()
    stop()
  }, asked.timeoutMillis)
  return stop
}

const outcomeOf = (agents: GuardedAgents, url: EgressUrl, request: EgressRequest): Effect.Effect<Outcome> =>
  Effect.callback((resume) => {
    const stop = send(agents, url, request, (outcome) => resume(Effect.succeed(outcome)))
    return Effect.sync(stop)
  })

const post = (agents: GuardedAgents, url: EgressUrl, request: EgressRequest) =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    // After everything that has arrived: connections whose answers have just ended are free by then, and requests that
    // leave one behind the other cost less than those between which others are read. A fifth of all time, measured.
    yield* Effect.yieldNow
    const outcome = yield* outcomeOf(agents, url, request)
    const millis = Math.max(0, (yield* Clock.currentTimeMillis) - began)
    if ("status" in outcome) return { ...outcome, millis }
    if ("late" in outcome) {
      const reason = `The receiver did not answer within ${request.timeoutMillis} ms: answer first, work later.`
      return yield* new EgressFailed({ kind: "timeout", reason, millis })
    }
    if (outcome.error instanceof EgressRefused) return yield* outcome.error
    return yield* new EgressFailed({ ...failureOf(outcome.error), millis })
  })

/** URLs whose check is remembered: more than workers have in hand. */
const urlsKept = 1_024

/** `checkUrl` by a policy, once for each URL that is in use. What a name leads to is not part of it. */
const makeCheck = (policy: EgressPolicy): ((text: string) => EgressUrl | EgressRefused) => {
  const checked = new Map<string, EgressUrl | EgressRefused>()
  return (text) => {
    const known = checked.get(text)
    if (known !== undefined) return known
    if (checked.size >= urlsKept) checked.clear()
    const url = checkUrl(text, policy)
    checked.set(text, url)
    return url
  }
}

/**
 * Requests through `node:http` and `node:https`. Names are looked up by ourselves, checked, and connected to as checked;
 * TLS asks for a certificate of the name; connections are kept for `idleMillis` and end with the layer.
 */
export const layer = (options: EgressOptions): Layer.Layer<Egress> =>
  Layer.effect(
    Egress,
    Effect.gen(function* () {
      const { policy, resolve = resolvePublic() } = options
      const check = makeCheck(policy)
      const agents = yield* Effect.acquireRelease(
        Effect.sync(() => guardedAgents({ public: resolve, here: resolveHere }, options)),
        ({ close }) => Effect.sync(close)
      )
      return Egress.of({
        policy,
        post: (request) =>
          Effect.suspend(() => {
            const url = check(request.url)
            return url instanceof EgressRefused ? Effect.fail(url) : post(agents, url, request)
          })
      })
    })
  )
