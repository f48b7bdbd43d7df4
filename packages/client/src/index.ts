/**
 * The typed client of the API: requests, retries, errors, lists and event streams. It has no dependencies. Business
 * rules do not belong here. `operations.ts` is generated from the contract. Tests: `packages/client/test`.
 */
import { type Operations, operations } from "./operations.ts"
import type { RequestOptions } from "./Request.ts"
import type { Download, ResponsePromise } from "./Result.ts"
import { type ClientOptions, createSenders } from "./Senders.ts"
import { verify } from "./webhooks/Verify.ts"

export { type ErrorDetails, type Failure, isLeadloomError, LeadloomError } from "./LeadloomError.ts"
export type { ByteStream, Fetch, FetchResponse } from "./Fetch.ts"
export type {
  CallOptions,
  ConditionalOptions,
  IdempotentOptions,
  ListRequest,
  Request,
  RequestOptions,
  Senders,
  StreamOptions
} from "./Request.ts"
export type {
  ApiResponse,
  Download,
  EventStream,
  PagePromise,
  ResponsePromise,
  ServerEvent,
  StreamedEvent
} from "./Result.ts"
export type { Credential } from "./Credential.ts"
export type { Id } from "./Id.ts"
export type { MergePatch } from "./MergePatch.ts"
export { type ClientOptions, createSenders } from "./Senders.ts"
export type * from "./operations.ts"
/** Creates the path of a request from its fixed parts and the values between them. */
export { path } from "./Request.ts"
/** Creates the operations on top of other functions that send requests, as `@leadloom/client/effect` does. */
export { operations } from "./operations.ts"
export type { RawBody, VerifyOptions, WebhookEvent } from "./webhooks/Verify.ts"
export type { WebhookHeaders } from "./webhooks/Signed.ts"
export { WebhookVerificationError, type WebhookVerificationCode } from "./webhooks/WebhookVerificationError.ts"

/** Verifies deliveries: `await webhooks.verify(rawBody, headers, secret)`. */
export const webhooks = { verify }

/** All operations of the API in groups: `client.contacts.list("acme", { limit: 100 })`. */
export type Leadloom = Operations & {
  /**
   * Downloads an attachment by the `download_url` of a message. The URL is valid for 15 minutes and needs no
   * credential, so the client sends none.
   */
  readonly download: (url: string, options?: RequestOptions) => ResponsePromise<Download>
}

/**
 * Creates a client for one server. A call resolves to the response body. It rejects with `LeadloomError`, or with the
 * abort reason of its signal. The client retries after a timeout, a broken connection and the statuses 408, 429, 502,
 * 503 and 504, if the method is idempotent, the operation only reads, or the request has an idempotency key. It waits
 * for the time in `Retry-After` if this is at most one minute.
 * @throws TypeError when `baseUrl` is not a URL
 */
export const createClient = (options: ClientOptions): Leadloom => {
  const download: Leadloom["download"] = (url, per = {}) => {
    if (!url.startsWith("/")) throw new TypeError(`${url} is not a download_url`)
    const { call } = createSenders({ ...options, credential: undefined })
    return call({ method: "GET", path: url, file: true }, per)
  }
  return { ...operations(createSenders(options)), download }
}
