/**
 * The typed client of the API: requests, retries, errors and event streams. It has no dependencies. Business rules do not
 * belong here. `operations.ts` is generated from the contract. Tests: `packages/client/test`.
 */
import { readResponse } from "./Response.ts"
import { LeadloomError } from "./LeadloomError.ts"
import { type Operations, operations } from "./operations.ts"
import type {
  ByteStream,
  Call,
  ConditionalOptions,
  Fetch,
  IdempotentOptions,
  Request,
  ServerEvent,
  StreamOptions
} from "./Request.ts"
import { isRepeatable, wait, waitBeforeRetry } from "./Retry.ts"
import { serverEvents } from "./ServerEvents.ts"

export { LeadloomError } from "./LeadloomError.ts"
export type {
  ByteStream,
  ConditionalOptions,
  Fetch,
  FetchResponse,
  IdempotentOptions,
  RequestOptions,
  ServerEvent,
  StreamOptions
} from "./Request.ts"
export type * from "./operations.ts"
export type { RawBody, VerifyOptions, WebhookEvent } from "./webhooks/Verify.ts"
export type { WebhookHeaders } from "./webhooks/Signed.ts"
export { WebhookVerificationError, type WebhookVerificationCode } from "./webhooks/WebhookVerificationError.ts"
/** Verifies deliveries: `await webhooks.verify(rawBody, headers, secret)`. */
export * as webhooks from "./webhooks/Verify.ts"

/** The server and the defaults of a client. */
export interface ClientOptions {
  /** For example `https://leads.example.com`. A trailing `/api/v1` is optional. */
  readonly baseUrl: string
  /** The API key, session token, ID token, admin key or source key. The client sends it as a Bearer token. */
  readonly credential?: string | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** The time limit of one attempt in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number | undefined
  /** The maximum number of retries. Default: 2. The client repeats only idempotent requests. */
  readonly maxRetries?: number | undefined
}

/** All operations of the API in groups: `client.contacts.list("acme", { limit: 100 })`. */
export type Leadloom = Operations

const defaultTimeoutMs = 30_000
const defaultMaxRetries = 2

const urlOf = (baseUrl: string, request: Request): string => {
  const url = new URL(baseUrl.replace(/(?<!\/)\/+$/u, "").replace(/\/api\/v1$/u, "") + request.path)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

type Options = IdempotentOptions & ConditionalOptions

const headersOf = (
  request: Request,
  credential: string | undefined,
  { idempotencyKey: key, ifMatch }: Options
): Record<string, string> => ({
  accept: request.events === true ? "text/event-stream" : request.file === true ? "*/*" : "application/json",
  ...(request.body === undefined ? {} : { "content-type": request.upload ?? "application/json" }),
  ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
  ...(key === undefined ? {} : { "idempotency-key": key }),
  ...(ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` })
})

/** Sends file bodies unchanged and all other bodies as JSON. */
const bodyOf = ({ body, upload }: Request): string | Uint8Array<ArrayBuffer> =>
  upload !== undefined && body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)

const noAnswer = (cause: unknown, url: string, timeoutMs: number): LeadloomError => {
  const { origin } = new URL(url)
  const timedOut = cause instanceof Error && cause.name === "TimeoutError"
  return timedOut
    ? new LeadloomError({
        status: 0,
        code: "TIMEOUT",
        message: `${origin} did not respond within ${timeoutMs} ms.`,
        cause
      })
    : new LeadloomError({ status: 0, code: "NETWORK_ERROR", message: `${origin} cannot be reached.`, cause })
}

/** Creates the time limit of an attempt. For an event stream, the limit is lifted when the response has `begun`. */
const deadlineOf = (
  { events }: Request,
  timeoutMs: number
): { readonly signal: AbortSignal; readonly begun: () => void } => {
  if (events !== true) return { signal: AbortSignal.timeout(timeoutMs), begun: () => undefined }
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException("The attempt timed out.", "TimeoutError")), timeoutMs)
  return { signal: late.signal, begun: () => clearTimeout(timer) }
}

interface Attempted<Answer> {
  readonly answer: Answer | LeadloomError
  readonly retryAfter: string | null
}

/**
 * Creates a client for one server. A call resolves to the response body. It rejects with `LeadloomError`, or with the
 * abort reason of its signal. The client retries after a timeout, a broken connection and the statuses 408, 429, 502,
 * 503 and 504, if the method is idempotent or the call has an idempotency key. It waits for the time in `Retry-After`
 * if this is at most one minute.
 * @throws TypeError when `baseUrl` is not a URL
 */
export const createClient = (options: ClientOptions): Leadloom => {
  new URL(options.baseUrl)
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init))

  const attempt = async <Answer>(request: Request, per: Options): Promise<Attempted<Answer>> => {
    const url = urlOf(options.baseUrl, request)
    const timeoutMs = per.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs
    const { begun, signal: timeout } = deadlineOf(request, timeoutMs)
    try {
      const response = await send(url, {
        method: request.method,
        headers: headersOf(request, per.credential ?? options.credential, per),
        signal: per.signal === undefined ? timeout : AbortSignal.any([timeout, per.signal]),
        redirect: "manual",
        ...(request.body === undefined ? {} : { body: bodyOf(request) })
      })
      return { answer: await readResponse<Answer>(request, response), retryAfter: response.headers.get("retry-after") }
    } catch (cause) {
      per.signal?.throwIfAborted()
      return { answer: noAnswer(cause, url, timeoutMs), retryAfter: null }
    } finally {
      begun()
    }
  }

  const call: Call = async <Answer>(request: Request, per: Options): Promise<Answer> => {
    per.signal?.throwIfAborted()
    const repeatable = isRepeatable(request.method, per.idempotencyKey)
    const maxRetries = repeatable ? (per.maxRetries ?? options.maxRetries ?? defaultMaxRetries) : 0
    for (let retries = 0; ; retries++) {
      const { answer, retryAfter } = await attempt<Answer>(request, per)
      if (!(answer instanceof LeadloomError)) return answer
      const { status, code } = answer
      const milliseconds = waitBeforeRetry({ status, code, retryAfter, retries }, Date.now(), Math.random)
      if (milliseconds === null || retries >= maxRetries) throw answer
      await wait(milliseconds, per.signal)
    }
  }

  async function* follow(request: Request, per: StreamOptions): AsyncGenerator<ServerEvent, void, undefined> {
    try {
      yield* serverEvents(await call<ByteStream>(request, per), per.onPosition)
    } catch (cause) {
      per.signal?.throwIfAborted()
      throw cause
    }
  }

  return operations(call, follow)
}
