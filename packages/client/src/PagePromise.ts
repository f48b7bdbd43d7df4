import type { IdempotentOptions, ListRequest, Request } from "./Request.ts"
import type { PagePromise, ResponsePromise } from "./Result.ts"

type Fields = Readonly<Record<string, unknown>>

/** Returns the position of the next page; null after the last page. */
const nextOf = (page: Fields, cursor: string): string | number | null => {
  const next = page[`next_${cursor}`]
  return page["has_more"] !== false && (typeof next === "string" || typeof next === "number") ? next : null
}

/** Returns the request for another page. A POST contains the position in its body, and a GET in its query. */
const requestOf = (request: ListRequest, cursor: string, position: string | number): Request =>
  request.method === "POST"
    ? { ...request, body: { ...Object(request.body), [cursor]: position } }
    : { ...request, query: { ...request.query, [cursor]: position } }

/** Adds the iteration over all pages to the response with the first page. */
export const pagePromise = <Page, Item>(
  first: ResponsePromise<Page>,
  request: ListRequest,
  call: (request: Request, options: IdempotentOptions) => Promise<Page>,
  options: IdempotentOptions
): PagePromise<Page, Item> => {
  const { cursor = "cursor", items } = request
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let page = await first
    for (;;) {
      yield page
      const next = nextOf(Object(page), cursor)
      if (next === null) return
      // The caller's idempotency key belongs to the request for the first page.
      page = await call(requestOf(request, cursor, next), { ...options, idempotencyKey: undefined })
    }
  }
  async function* iterate(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) for (const field of items) yield* Object(page)[field] ?? []
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: iterate })
}
