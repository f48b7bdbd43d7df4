/** The part of `fetch` that the client needs. The global `fetch` has this type. Tests may pass a stub. */
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

/** One server-sent event (HTML Standard, section 9.2). */
export interface ServerEvent {
  /** The id after which a new stream can continue. For outbound events, the sequence number. */
  readonly id: string
  readonly type: string
  /** The data as received. For outbound events, the JSON text of the envelope. */
  readonly data: string
}

/** The part of a streamed body that the client needs. The body of the global `fetch` has this type. */
export interface ByteStream {
  readonly getReader: () => {
    readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    readonly cancel: () => Promise<void>
  }
}

/** The part of a `Response` that the client needs. */
export interface FetchResponse {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
  readonly arrayBuffer: () => Promise<ArrayBuffer>
  /** Needed for event streams only. */
  readonly body?: ByteStream | null
}

/** Options of every call, in addition to its own parameters. */
export interface RequestOptions {
  /** Replaces the client's credential for this call. */
  readonly credential?: string | undefined
  /** Cancels the call. The call then rejects with the abort reason. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of one attempt in milliseconds. */
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
}

/** Options of a call that the server can deduplicate. */
export interface IdempotentOptions extends RequestOptions {
  /** Makes a POST idempotent, so that the client may retry it. At most 255 characters. */
  readonly idempotencyKey?: string | undefined
}

/** Options of a call that changes a versioned resource. */
export interface ConditionalOptions extends RequestOptions {
  /**
   * The version that the caller has read. The call rejects with `PRECONDITION_FAILED` if the current version differs.
   */
  readonly ifMatch?: number | undefined
}

/** Options of an event stream. */
export interface StreamOptions extends RequestOptions {
  /**
   * Receives each id of the stream, including the ids of heartbeats, which yield no event. The first call happens right
   * after the stream opens and passes the start position. To resume, pass the last id as `after`.
   */
  readonly onPosition?: ((id: string) => void) | undefined
}

/** A request of one operation. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** The media type of a file body. Without it, the body is JSON. */
  readonly upload?: string
  /** The response is a file instead of JSON. */
  readonly file?: true
  /** The response is an event stream, which the client reads incrementally. */
  readonly events?: true
}

/** Sends a request and parses the response. */
export type Call = <Answer>(request: Request, options: IdempotentOptions & ConditionalOptions) => Promise<Answer>

/**
 * Sends a request and yields the events of the response as they arrive. The stream ends after at most half an hour, or
 * earlier if the connection breaks. To continue, follow again with the id of the last event. The timeout limits only
 * the time until the response starts.
 */
export type Follow = (request: Request, options: StreamOptions) => AsyncGenerator<ServerEvent, void, undefined>

/**
 * Encodes a value as one path segment. Rejects `.` and `..`, because `fetch` would resolve them to the path of another
 * operation.
 * @throws TypeError when the value is empty, `.` or `..`
 */
export const segment = (value: string): string => {
  if (value === "" || value === "." || value === "..")
    throw new TypeError(`${JSON.stringify(value)} is not a valid identifier`)
  return encodeURIComponent(value)
}
