/**
 * Sends the requests of the operations: credential, timeout, retries and idempotency keys. The operations themselves
 * are in `operations.ts`. Tests: `packages/client/test`.
 */
import { type Credential, currentCredential } from "./Credential.ts"
import { eventStream } from "./EventStream.ts"
import { clientError, LeadloomError } from "./LeadloomError.ts"
import { pagePromise } from "./PagePromise.ts"
import type { ByteStream, Fetch } from "./Fetch.ts"
import type { CallOptions, ListRequest, Request, Senders, StreamOptions } from "./Request.ts"
import { readResponse } from "./Response.ts"
import { responsePromise } from "./ResponsePromise.ts"
import type { ApiResponse } from "./Result.ts"
import { idempotencyKeyOf, isRepeatable, wait, waitBeforeRetry } from "./Retry.ts"

/** The server and the defaults of a client. */
export interface ClientOptions {
  /** For example `https://leads.example.com`. A trailing `/api/v1` is optional. */
  readonly baseUrl: string
  /**
   * The API key, session token, ID token, admin key or source key, or a function that returns it. The client sends it
   * as a Bearer token.
   */
  readonly credential?: Credential | undefined
  /**
   * The id of the user (`usr_…`) for whom an API key or the admin key sends requests. The server accepts it for
   * operations of agents.
   */
  readonly actingUser?: string | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** The time limit of one attempt in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number | undefined
  /** The maximum number of retries. Default: 2. The client repeats only idempotent requests. */
  readonly maxRetries?: number | undefined
}

const defaultTimeoutMs = 30_000
const defaultMaxRetries = 2

const urlOf = (baseUrl: string, request: Request): string => {
  const url = new URL(baseUrl.replace(/(?<!\/)\/+$/u, "").replace(/\/api\/v1$/u, "") + request.path)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

const headersOf = (
  request: Request,
  credential: string | undefined,
  idempotencyKey: string | undefined,
  { actingUser, ifMatch }: CallOptions
): Record<string, string> => ({
  accept: request.events === true ? "text/event-stream" : request.file === true ? "*/*" : "application/json",
  ...request.headers,
  ...(request.body === undefined ? {} : { "content-type": request.upload ?? "application/json" }),
  ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
  ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  ...(actingUser === undefined ? {} : { "x-acting-user": actingUser }),
  ...(ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` })
})

/** Sends file bodies unchanged and all other bodies as JSON. */
const bodyOf = ({ body, upload }: Request): string | Uint8Array<ArrayBuffer> =>
  upload !== undefined && body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)

const noAnswer = (cause: unknown, url: string, timedOut: boolean, timeoutMs: number): LeadloomError => {
  const { origin } = new URL(url)
  return timedOut
    ? clientError("TIMEOUT", `${origin} did not respond within ${timeoutMs} ms.`, cause)
    : clientError("NETWORK_ERROR", `${origin} cannot be reached.`, cause)
}

/** One attempt of a call. */
interface Attempt {
  readonly request: Request
  readonly options: CallOptions
  readonly credential: string | undefined
  readonly idempotencyKey: string | undefined
}

/** Creates the function that sends a request once. It returns errors, and throws only the caller's abort reason. */
const attempting =
  (client: ClientOptions) =>
  async ({ credential, idempotencyKey, options, request }: Attempt): Promise<ApiResponse<unknown> | LeadloomError> => {
    const url = urlOf(client.baseUrl, request)
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? defaultTimeoutMs
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs)
    try {
      const send: Fetch = client.fetch ?? fetch
      const response = await send(url, {
        method: request.method,
        headers: headersOf(request, credential, idempotencyKey, { actingUser: client.actingUser, ...options }),
        signal: options.signal === undefined ? late.signal : AbortSignal.any([late.signal, options.signal]),
        redirect: "manual",
        ...(request.body === undefined ? {} : { body: bodyOf(request) })
      })
      const data = await readResponse(request, response, timeoutMs, options)
      const { headers, status } = response
      return data instanceof LeadloomError ? data : { data, status, headers, requestId: headers.get("x-request-id") }
    } catch (cause) {
      options.signal?.throwIfAborted()
      return noAnswer(cause, url, late.signal.aborted, timeoutMs)
    } finally {
      // The body of a file or an event stream arrives after the attempt.
      clearTimeout(timer)
    }
  }

/** Creates the functions that send the requests of a client. @throws TypeError when `baseUrl` is not a URL */
export const createSenders = (client: ClientOptions): Senders => {
  new URL(client.baseUrl)
  const attempt = attempting(client)
  const own = currentCredential(client.credential)

  /** Sends a request until it succeeds or a retry cannot help. */
  const exchange = async (request: Request, options: CallOptions): Promise<ApiResponse<unknown>> => {
    const idempotencyKey = idempotencyKeyOf(request, options)
    const repeatable = isRepeatable(request, idempotencyKey)
    const maxRetries = repeatable ? (options.maxRetries ?? client.maxRetries ?? defaultMaxRetries) : 0
    let credential = options.credential ?? (await own.get())
    let renewed = options.credential !== undefined
    let retries = 0
    for (;;) {
      options.signal?.throwIfAborted()
      const outcome = await attempt({ request, options, credential, idempotencyKey })
      if (!(outcome instanceof LeadloomError)) return outcome
      if (outcome.status === 401 && !renewed) {
        renewed = true
        credential = await own.renew(credential)
        if (credential === undefined) throw outcome
        // The server did nothing before it rejected the credential, so every method may be repeated.
        continue
      }
      const milliseconds = waitBeforeRetry(outcome, retries)
      if (milliseconds === null || retries >= maxRetries) throw outcome
      await wait(milliseconds, options.signal)
      retries++
    }
  }

  // The contract determines the type of the data. The client does not validate responses.
  const typed = <Data>(request: Request, options: CallOptions) =>
    exchange(request, options) as Promise<ApiResponse<Data>>
  const call = <Data>(request: Request, options: CallOptions) => responsePromise(typed<Data>(request, options))
  return {
    call,
    list: <Page, Item>(request: ListRequest, options: CallOptions) =>
      pagePromise<Page, Item>(call<Page>(request, options), request, call<Page>, options),
    follow: <Event>(request: Request, options: StreamOptions) =>
      eventStream<Event>((next) => call<ByteStream>(next, options), request, options)
  }
}
