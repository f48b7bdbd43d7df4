import type { ApiResponse, ResponsePromise } from "./Result.ts"

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
