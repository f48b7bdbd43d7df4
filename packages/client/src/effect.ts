/**
 * The operations as Effects with typed errors, for programs that use Effect 4. It wraps the promise client of
 * `index.ts`, so requests, retries and credentials behave identically. Tests: `packages/client/test/Effect.test.ts`.
 */
import { Context, Effect, Layer, Stream } from "effect"
import {
  type ApiResponse,
  type CallOptions,
  type ClientOptions,
  createClient,
  createSenders,
  type Download,
  type ErrorCode,
  type EventStream,
  isLeadloomError,
  type LeadloomError,
  type ListRequest,
  type OperationErrors,
  type Operations,
  operations,
  type PagePromise,
  type Request,
  type RequestOptions,
  type ResponsePromise,
  type Senders,
  type StreamedEvent,
  type StreamOptions
} from "./index.ts"

/** The errors that every call can have without a response of the server. */
type ConnectionCode = "NETWORK_ERROR" | "TIMEOUT" | "UNEXPECTED_RESPONSE"

/** One error type per code, so that `Effect.catchTag("NOT_FOUND", …)` handles one of them. */
type ErrorOf<Code extends ErrorCode> = Code extends ErrorCode ? LeadloomError<Code> : never

/** The result of an operation. */
export interface ResponseEffect<Data, E> extends Effect.Effect<Data, E> {
  /** Succeeds with the data, the status, the headers and the request id of the response. */
  readonly withResponse: Effect.Effect<ApiResponse<Data>, E>
}

/** The result of an operation that lists something: the first page. */
export interface PageEffect<Page, Item, E> extends ResponseEffect<Page, E> {
  /** The items of all pages. */
  readonly stream: Stream.Stream<Item, E>
  readonly pages: Stream.Stream<Page, E>
}

/** The result of an operation that returns a file. */
export interface DownloadEffect<E> extends ResponseEffect<Download, E> {
  /** The parts of the file as they arrive. */
  readonly stream: Stream.Stream<Uint8Array, E>
}

type ResultOf<Result, E> =
  Result extends PagePromise<infer Page, infer Item>
    ? PageEffect<Page, Item, E>
    : Result extends ResponsePromise<Download>
      ? DownloadEffect<E>
      : Result extends ResponsePromise<infer Data>
        ? ResponseEffect<Data, E>
        : Result extends EventStream<infer Event>
          ? Stream.Stream<StreamedEvent<Event>, E>
          : never

type MethodOf<Method, E> = Method extends (...args: infer Args) => infer Result
  ? (...args: Args) => ResultOf<Result, E>
  : never

type CodeOf<Group, Name> = Group extends keyof OperationErrors
  ? Name extends keyof OperationErrors[Group]
    ? OperationErrors[Group][Name] & string
    : never
  : never

/** All operations of the API as Effects. A newer server may fail with codes that the types do not list. */
export type EffectOperations = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: MethodOf<
      Operations[Group][Name],
      ErrorOf<CodeOf<Group, Name> | ConnectionCode>
    >
  }
} & {
  /** Downloads an attachment by the `download_url` of a message. */
  readonly download: (
    url: string,
    options?: RequestOptions
  ) => DownloadEffect<ErrorOf<CodeOf<"attachments", "download"> | ConnectionCode>>
}

/** Returns the error of a failed call. Throws every other error, which makes it a defect. */
const failureOf = (error: unknown): LeadloomError => {
  if (isLeadloomError(error)) return error
  throw error
}

/** Combines the signal that aborts on interruption with the signal of the caller. */
const withSignal = <Options extends RequestOptions>(options: Options, signal: AbortSignal): Options => ({
  ...options,
  signal: options.signal === undefined ? signal : AbortSignal.any([options.signal, signal])
})

/** Runs a call that stops on interruption. */
const effectOf = <Data>(run: (signal: AbortSignal) => ResponsePromise<Data>): ResponseEffect<Data, LeadloomError> =>
  Object.assign(Effect.tryPromise({ try: run, catch: failureOf }), {
    withResponse: Effect.tryPromise({ try: (signal) => run(signal).withResponse(), catch: failureOf })
  })

/** Reads an iterable that stops on interruption. */
const streamOf = <A>(open: (signal: AbortSignal) => AsyncIterable<A>): Stream.Stream<A, LeadloomError> =>
  Stream.unwrap(
    Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    ).pipe(Effect.map(({ signal }) => Stream.fromAsyncIterable(open(signal), failureOf)))
  )

async function* partsOf(download: Promise<Download>): AsyncGenerator<Uint8Array> {
  yield* await download
}

const downloadOf = (run: (signal: AbortSignal) => ResponsePromise<Download>): DownloadEffect<LeadloomError> =>
  Object.assign(effectOf(run), { stream: streamOf((signal) => partsOf(run(signal))) })

/** Returns senders whose results are Effects and Streams instead of promises. */
const effectSenders = ({ call, follow, list }: Senders) => ({
  call: (request: Request, options: CallOptions) =>
    request.file === true
      ? downloadOf((signal) => call<Download>(request, withSignal(options, signal)))
      : effectOf((signal) => call(request, withSignal(options, signal))),
  list: (request: ListRequest, options: CallOptions) => {
    const open = (signal: AbortSignal) => list<unknown, unknown>(request, withSignal(options, signal))
    return Object.assign(effectOf(open), { stream: streamOf(open), pages: streamOf((signal) => open(signal).pages()) })
  },
  follow: (request: Request, options: StreamOptions) =>
    streamOf((signal) => follow(request, withSignal(options, signal)))
})

/**
 * Creates a client for one server, with the options of `createClient`.
 * @throws TypeError when `baseUrl` is not a URL
 */
export const make = (options: ClientOptions): EffectOperations => {
  const { download } = createClient(options)
  // `operations` passes the results of the senders on unchanged, and `EffectOperations` maps their types accordingly.
  const senders = effectSenders(createSenders(options)) as unknown as Senders
  return {
    ...operations(senders),
    download: (url: string, per: RequestOptions = {}) => downloadOf((signal) => download(url, withSignal(per, signal)))
  } as unknown as EffectOperations
}

/** The client as a service. */
export class Leadloom extends Context.Service<Leadloom, EffectOperations>()("@leadloom/client/Leadloom") {
  /** Provides a client for one server. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Leadloom> => Layer.sync(Leadloom, () => make(options))
}
