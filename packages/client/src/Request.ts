import type { EventStream, PagePromise, ResponsePromise } from "./Result.ts"

/** Options of every call, in addition to its own parameters. */
export interface RequestOptions {
  /** Replaces the client's credential for this call. */
  readonly credential?: string | undefined
  /**
   * The id of the user for whom an API key or the admin key sends the request. Replaces the client's user for this call.
   * The server accepts it for operations of agents.
   */
  readonly actingUser?: string | undefined
  /** Cancels the call. The call then rejects with the abort reason. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of one attempt in milliseconds. For a download, it limits the wait for each part. */
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
}

/** Options of a call that the server can deduplicate. */
export interface IdempotentOptions extends RequestOptions {
  /**
   * The server carries out requests with the same key once. At most 255 characters. The client may repeat a request
   * that has a key. Default: a random key, except for reads and for messages that the server recognises by their own
   * id. `false` sends no key.
   */
  readonly idempotencyKey?: string | false | undefined
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
  /** Receives the start of each connection, including the first one. */
  readonly onOpen?: (() => void) | undefined
  /**
   * Receives each id of the stream, including the ids of heartbeats, which yield no event. The first call happens right
   * after the stream opens and passes the start position. To resume in another process, pass the last id as `after`.
   */
  readonly onPosition?: ((id: string) => void) | undefined
}

/** The query parameters of a request. A parameter without a value is not sent. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A request of one operation. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  /** The media type of a file body. Without it, the body is JSON. */
  readonly upload?: string
  /** Further headers, such as the signature of a provider. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The reason why the client adds no `Idempotency-Key` to this POST. `read-only`: the operation changes nothing, so
   * the client may repeat it. `natural-key`: the server recognises a repeated message by its own id, which a key would
   * replace.
   */
  readonly keyless?: "read-only" | "natural-key" | "not-accepted"
  /** The response is a file instead of JSON. */
  readonly file?: true
  /** The response is an event stream, which the client reads incrementally. */
  readonly events?: true
}

/** A request whose response is one page of a list. */
export interface ListRequest extends Request {
  /** The fields of the page that contain its items. */
  readonly items: ReadonlyArray<string>
  /** The parameter with the position of a page, which the previous page contains as `next_<parameter>`. */
  readonly cursor?: "after"
}

/** The options of all calls together. */
export type CallOptions = IdempotentOptions & ConditionalOptions

/** The functions that send the requests of the operations. */
export interface Senders {
  /** Sends a request and parses the response. */
  readonly call: <Data>(request: Request, options: CallOptions) => ResponsePromise<Data>
  /** Sends a request for a page, and requests the further pages while the caller iterates. */
  readonly list: <Page, Item>(request: ListRequest, options: CallOptions) => PagePromise<Page, Item>
  /** Opens an event stream. */
  readonly follow: <Event>(request: Request, options: StreamOptions) => EventStream<Event>
}

/**
 * Returns a path whose values are encoded as one segment each. Rejects `.` and `..`, because `fetch` would resolve them
 * to the path of another operation.
 * @throws TypeError when a value is empty, `.` or `..`
 */
export const path = (texts: ReadonlyArray<string>, ...values: ReadonlyArray<string>): string =>
  texts.reduce((before, text, index) => {
    const value = values[index - 1] ?? ""
    if (["", ".", ".."].includes(value)) throw new TypeError(`${JSON.stringify(value)} is not a valid identifier`)
    return before + encodeURIComponent(value) + text
  })

/** Returns the query parameters with these names from the options, where `contact_id` has the name `contactId`. */
export const queryOf = (options: RequestOptions, ...names: ReadonlyArray<string>): Query =>
  Object.fromEntries(
    names.map((name) => [
      name,
      Reflect.get(
        options,
        name.replaceAll(/_(.)/gu, (_, letter) => letter.toUpperCase())
      )
    ])
  )
