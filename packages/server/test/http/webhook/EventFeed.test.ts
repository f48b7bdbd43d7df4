import { EventEnvelope } from "@leadloom/api/internal/schema/EventData"
import { Schema } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, requestOf, startServer, textAt, type TestServer } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"

let server: TestServer

const base = "/api/v1/tenants/acme"
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  server.call("GET", `${base}${path}`, { as: adminKey, headers })
const createContact = (name: string) => server.call("POST", `${base}/contacts`, { as: adminKey, body: { name } })

const sequencesOf = (json: unknown): ReadonlyArray<unknown> => {
  const events = at(json, "events")
  return Array.isArray(events) ? events.map((event) => at(event, "sequence")) : []
}

beforeAll(async () => {
  server = startServer()
  await makeWorld(server)
})
afterAll(() => server.close())

/** Reads a stream until a text arrives, and closes it. */
const readUntil = async (path: string, headers: Readonly<Record<string, string>>, wanted: string): Promise<string> => {
  const leave = new AbortController()
  const request = new Request(requestOf("GET", `${base}${path}`, { as: adminKey, headers }), { signal: leave.signal })
  const response = await server.fetch(request)
  expect(response.headers.get("content-type")).toContain("text/event-stream")
  let text = ""
  const decoder = new TextDecoder()
  if (response.body === null) throw new Error("no stream")
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes(wanted)) break
    await createContact("Follower")
  }
  leave.abort()
  return text
}

describe("the feed of events", () => {
  it("returns every event in order without gaps, page by page, in the envelope of webhooks", async () => {
    for (let number = 0; number < 7; number++) await createContact(`Somebody ${number}`)
    const whole = await get("/events?limit=500")
    const sequences = sequencesOf(whole.json)
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
    expect(at(whole.json, "has_more")).toBe(false)
    for (const { event } of Object(whole.json).events) Schema.decodeUnknownSync(EventEnvelope)(event)
    const first = await get("/events?limit=3")
    expect(sequencesOf(first.json)).toEqual([1, 2, 3])
    expect(first.json).toMatchObject({ next_after: 3, has_more: true, oldest_sequence: 1 })
    expect(sequencesOf((await get("/events?after=3&limit=3")).json)).toEqual([4, 5, 6])
    const contacts = await get("/events?types=contact.created&limit=2")
    expect(Object(contacts.json).events.map((one: unknown) => at(one, "event", "event_type"))).toEqual([
      "contact.created",
      "contact.created"
    ])
  })

  it("reports invalid parameters", async () => {
    expect((await get("/events?types=lead.born")).status).toBe(400)
    expect((await get("/events?after=-1")).status).toBe(400)
    expect((await get("/events/stream", { "last-event-id": "last" })).status).toBe(400)
    const nobody = await server.call("GET", "/api/v1/tenants/nobody/events", { as: adminKey })
    expect(nobody.status).toBe(404)
  })

  it("streams new events, and those since the last received event", async () => {
    const { json } = await get("/events?limit=500")
    const last = Number(at(json, "next_after"))
    const text = await readUntil("/events/stream", {}, "data: ")
    expect(text).toContain(`id: ${last + 1}\nevent: contact.created\ndata: {`)
    const missed = await get("/events/stream?follow=false", { "last-event-id": String(last - 1) })
    expect(missed.text).toContain(`id: ${last}\n`)
    expect(missed.text).toContain(`id: ${last + 1}\n`)
    const data = /^data: (.*)$/mu.exec(missed.text)?.[1] ?? ""
    expect(Schema.decodeUnknownSync(EventEnvelope)(JSON.parse(data)).tenant_id).toBe("acme")
  })

  it("ends the stream of a revoked key", async () => {
    const made = await server.call("POST", `${base}/api-keys`, { as: adminKey, body: { name: "partner" } })
    const response = await server.fetch(requestOf("GET", `${base}/events/stream`, { as: textAt(made.json, "key") }))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain("retry:")
    await server.call("DELETE", `${base}/api-keys/${textAt(made.json, "id")}`, { as: adminKey })
    await createContact("Nobody's business")
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
  })

  it("permits twenty open streams per tenant, and frees a place when one closes", async () => {
    const leave = new AbortController()
    const open = () =>
      server.fetch(new Request(requestOf("GET", `${base}/events/stream`, { as: adminKey }), { signal: leave.signal }))
    const streams = await Promise.all(Array.from({ length: 21 }, open))
    expect(streams.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 20 }, () => 200), 409])
    await Promise.all(streams.map((stream) => stream.body?.cancel()))
    leave.abort()
    expect(textAt({ text: (await get("/events/stream?follow=false")).text }, "text")).toContain("retry:")
  })
})
