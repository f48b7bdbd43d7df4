/** The types of results. The functions that create them are in `Senders.ts` and the files that it imports. */
import type { FetchResponse } from "./Fetch.ts"

/** The data of a response together with its status and headers. */
export interface ApiResponse<Data> {
  readonly data: Data
  readonly status: number
  readonly headers: FetchResponse["headers"]
  /** The server's `X-Request-Id`. With this id, the operator finds the request in the server's log. */
  readonly requestId: string | null
}

/** The result of a call: a promise of the data. */
export interface ResponsePromise<Data> extends Promise<Data> {
  /** Returns the data together with the status, the headers and the request id of the response. */
  readonly withResponse: () => Promise<ApiResponse<Data>>
}

/**
 * The result of a call that lists something: a promise of the first page, and an iterable of the items of all pages.
 * Further pages are requested while the caller iterates.
 */
export interface PagePromise<Page, Item> extends ResponsePromise<Page>, AsyncIterable<Item> {
  /** Iterates over the pages instead of the items. */
  readonly pages: () => AsyncGenerator<Page, void, undefined>
}

/** A file in a response. It can be read once: by iteration, as a stream, or as a whole. */
export interface Download extends AsyncIterable<Uint8Array> {
  readonly contentType: string | null
  /** The size in bytes; null if the server does not state it. */
  readonly size: number | null
  readonly stream: () => ReadableStream<Uint8Array>
  /** Returns the whole file. Holds it in memory. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>
}

/** One server-sent event (HTML Standard, section 9.2). */
export interface ServerEvent {
  /** The id after which a new stream can continue. For outbound events, the sequence number. */
  readonly id: string
  readonly type: string
  /** The data as received. For outbound events, the JSON text of the envelope. */
  readonly data: string
}

/** An outbound event in a stream. */
export interface StreamedEvent<Event> extends ServerEvent {
  /** The parsed event. A newer server may send types that are not listed here. */
  readonly event: Event
}

/** The events of a stream as they arrive. */
export type EventStream<Event> = AsyncGenerator<StreamedEvent<Event>, void, undefined>
