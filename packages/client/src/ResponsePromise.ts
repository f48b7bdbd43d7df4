import type { FetchResponse } from "./Request.ts"

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

/** Converts a response to a promise of its data. */
export const responsePromise = <Data>(response: Promise<ApiResponse<Data>>): ResponsePromise<Data> => {
  const data = response.then((received) => received.data)
  const withResponse = () => {
    // The caller handles a rejection of `response`, so a rejection of `data` is not unhandled.
    data.catch(() => undefined)
    return response
  }
  return Object.assign(data, { withResponse })
}
