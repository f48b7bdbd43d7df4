/** The part of `fetch` that the client needs; the global one fits, and so does a stub. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly signal: AbortSignal
    readonly redirect: "manual"
    readonly body?: string | Uint8Array<ArrayBuffer>
  }
) => Promise<FetchResponse>

/** One event of a stream (HTML, section 9.2: server-sent events). */
export interface ServerEvent {
  /** What to go on after: of outbound events the sequence number. */
  readonly id: string
  readonly type: string
  /** As it came; of outbound events the JSON of the envelope. */
  readonly data: string
}

/** The part of a body that is read as it comes; that of the global `fetch` fits. */
export interface ByteStream {
  readonly getReader: () => {
    readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    readonly cancel: () => Promise<void>
  }
}

/** The part of a `Response` that the client reads. */
export interface FetchResponse {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
  readonly arrayBuffer: () => Promise<ArrayBuffer>
  /** Only streams of events are read by it. */
  readonly body?: ByteStream | null
}

/** What every call takes beside its own parameters. */
export interface RequestOptions {
  /** Used for this call instead of the client's. */
  readonly credential?: string | undefined
  /** Gives up when this aborts; the call then rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
}

/** What a call takes whose repetition the server recognises. */
export interface IdempotentOptions extends RequestOptions {
  /** Makes a repeated POST harmless, so that the client may repeat it. At most 255 characters. */
  readonly idempotencyKey?: string | undefined
}

/** What a call takes that changes something which others may change too. */
export interface ConditionalOptions extends RequestOptions {
  /** The version that was read. When there is another one by now the call rejects with `PRECONDITION_FAILED`. */
  readonly ifMatch?: number | undefined
}

/** One operation, ready to send. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** The body is a file of this media type, not JSON. */
  readonly upload?: string
  /** The answer is a file, not JSON. */
  readonly file?: true
  /** The answer is a stream of events: it is read as it comes. */
  readonly events?: true
}

/** Sends a request and reads its answer. */
export type Call = <Answer>(request: Request, options: IdempotentOptions & ConditionalOptions) => Promise<Answer>

/**
 * Sends a request and gives the events of its answer as they come, until the server ends it (after half an hour at the
 * latest) or the connection breaks: ask again after the last id then. The time-out is for the beginning alone.
 */
export type Follow = (request: Request, options: RequestOptions) => AsyncGenerator<ServerEvent, void, undefined>

/**
 * A value as one segment of a path. `fetch` would resolve `.` and `..` away and so reach another operation.
 * @throws TypeError when the value is empty, `.` or `..`
 */
export const segment = (value: string): string => {
  if (value === "" || value === "." || value === "..") throw new TypeError(`${JSON.stringify(value)} is no identifier`)
  return encodeURIComponent(value)
}
