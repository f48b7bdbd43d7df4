import { describe, expect, it } from "vitest"
import { contract } from "../generate/Contract.ts"
import { type JsonSchema, jsonBody, resolve } from "../generate/Document.ts"
import { createClient, type Contact } from "../src/index.ts"
import { argumentsOf, described, operationsOf } from "./EveryOperation.ts"
import { answer, failure, stubFetch } from "./StubFetch.ts"

const baseUrl = "http://leads.example.com"

const isPages = (value: unknown): value is AsyncIterable<unknown> & { readonly pages: () => AsyncIterable<unknown> } =>
  typeof value === "object" && value !== null && "pages" in value && Symbol.asyncIterator in value

/** Returns the fields of the response to an operation. */
const fieldsOf = (operation: ReturnType<typeof described>[number]["operation"]): Record<string, JsonSchema> => {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
  return { ...resolve(contract(), jsonBody(success))?.properties }
}

const positions = ["next_cursor", "next_after"]

/** Every operation whose response contains the position of another page. */
const paginated = described().filter(({ operation }) => positions.some((name) => name in fieldsOf(operation)))

describe("every paginated operation", () => {
  it("is one of the contract's operations with a cursor", () => {
    // The contract names the position `cursor` in a query or a body, and `after` in the list of events.
    const withCursor = described().filter(({ operation }) => {
      const body = resolve(contract(), jsonBody(operation.requestBody))
      const query = (operation.parameters ?? []).map(({ name }) => name)
      return query.includes("cursor") || "cursor" in (body?.properties ?? {})
    })
    expect(withCursor.length).toBeGreaterThan(20)
    expect(paginated.map(({ id }) => id)).toEqual(expect.arrayContaining(withCursor.map(({ id }) => id)))
    expect(paginated.map(({ id }) => id)).toContain("eventFeed.list")
  })

  for (const one of paginated) {
    const fields = fieldsOf(one.operation)
    const next = positions.find((name) => name in fields) ?? ""
    const lists = Object.keys(fields).filter((name) => fields[name]?.type === "array")
    /** Creates a page with one item per list. */
    const page = (number: number) => ({
      ...Object.fromEntries(lists.map((name) => [name, [`${name} ${number}`]])),
      [next]: number === 2 ? (next === "next_after" ? 9 : null) : number * 3,
      ...(next === "next_after" ? { has_more: number < 2 } : {})
    })

    it(`${one.id} iterates over the items and the pages`, async () => {
      const answers = [() => answer(200, page(1)), () => answer(200, page(2))]
      for (const form of ["items", "pages"]) {
        const { fetch, sent } = stubFetch(answers)
        const result = operationsOf(fetch).get(one.id)?.(...argumentsOf(one, { limit: 1 }))
        if (!isPages(result)) throw new Error("has no pages")
        const seen: Array<unknown> = []
        for await (const each of form === "items" ? result : result.pages()) seen.push(each)
        expect(seen).toEqual(
          form === "items" ? [1, 2].flatMap((number) => lists.map((name) => `${name} ${number}`)) : [page(1), page(2)]
        )
        const cursor = next.replace("next_", "")
        const asked = sent.map(({ body, url }) => url.searchParams.get(cursor) ?? Object(body)[cursor] ?? null)
        expect(asked.map(String)).toEqual(["null", "3"])
        if (one.verb === "get")
          expect(sent[1]?.url.searchParams.get("limit")).toBe(sent[0]?.url.searchParams.get("limit"))
      }
    })
  }
})

describe("a list", () => {
  const contact = (id: string): Partial<Contact> => ({ id })
  const first = () => answer(200, { contacts: [contact("con_1"), contact("con_2")], next_cursor: "c1" })
  const second = () => answer(200, { contacts: [contact("con_3")], next_cursor: null })

  it("is a promise of the first page", async () => {
    const { fetch, sent } = stubFetch([first, second])
    const { contacts, next_cursor: next } = await createClient({ baseUrl, fetch }).contacts.list("acme")
    expect([contacts.length, next]).toEqual([2, "c1"])
    expect(sent).toHaveLength(1)
  })

  it("requests no page that the caller does not read", async () => {
    const { fetch, sent } = stubFetch([first, second])
    for await (const { id } of createClient({ baseUrl, fetch }).contacts.list("acme")) if (id === "con_2") break
    expect(sent).toHaveLength(1)
  })

  it("passes credential and options to every page, but the idempotency key only to the first", async () => {
    const { fetch, sent } = stubFetch([
      () => answer(200, { contacts: [{ score: 1 }], conversations: [{ score: 2 }], next_cursor: "s1" }),
      () => answer(200, { contacts: [], conversations: [{ score: 3 }], next_cursor: null })
    ])
    const client = createClient({ baseUrl, fetch })
    const scores: Array<number> = []
    const options = { credential: "llk_own", idempotencyKey: "once" }
    for await (const { score } of client.search.search("acme", { query: "roof" }, options)) scores.push(score)
    expect(scores).toEqual([1, 2, 3])
    expect(sent.map(({ headers }) => [headers["authorization"], headers["idempotency-key"]])).toEqual([
      ["Bearer llk_own", "once"],
      ["Bearer llk_own", undefined]
    ])
    expect(sent.map(({ body }) => body)).toEqual([{ query: "roof" }, { query: "roof", cursor: "s1" }])
  })

  it("fails at the page that fails, and retries it first", async () => {
    const { fetch, sent } = stubFetch([first, () => failure(503, "SERVICE_UNAVAILABLE", { "retry-after": "0" })])
    const seen: Array<string> = []
    const read = async () => {
      for await (const { id } of createClient({ baseUrl, fetch, maxRetries: 2 }).contacts.list("acme")) seen.push(id)
    }
    await expect(read()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    expect(seen).toEqual(["con_1", "con_2"])
    expect(sent).toHaveLength(4)
  })

  it("stops between pages when the signal aborts", async () => {
    const { fetch, sent } = stubFetch([first, second])
    const stop = new AbortController()
    const read = async () => {
      const list = createClient({ baseUrl, fetch }).contacts.list("acme", { signal: stop.signal })
      for await (const { id } of list) if (id === "con_1") stop.abort(new Error("enough"))
    }
    await expect(read()).rejects.toThrow("enough")
    expect(sent).toHaveLength(1)
  })
})
