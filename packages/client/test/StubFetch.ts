import type { Fetch, FetchResponse } from "../src/index.ts"

/** A request that the stub received. */
export interface Sent {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: unknown
}

/** Creates a response with a JSON body. */
export const answer = (status: number, body: unknown, headers: Record<string, string> = {}): FetchResponse =>
  new Response(status === 204 ? null : JSON.stringify(body), { status, headers })

/** Creates a response with the error envelope. */
export const failure = (status: number, code: string, headers: Record<string, string> = {}): FetchResponse =>
  answer(status, { error: { code, message: `${code} happened` } }, headers)

/** Creates a `fetch` that returns the responses in sequence and repeats the last one. It records all requests. */
export const stubFetch = (answers: ReadonlyArray<() => FetchResponse | Promise<FetchResponse>>) => {
  const sent: Array<Sent> = []
  const fetch: Fetch = async (url, init) => {
    const next = answers[Math.min(sent.length, answers.length - 1)]
    const body: unknown = init.body === undefined ? undefined : JSON.parse(String(init.body))
    sent.push({ url: new URL(url), method: init.method, headers: init.headers, body })
    if (next === undefined) throw new Error("no answer left")
    return next()
  }
  return { fetch, sent }
}
