import { Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { eventFromJson } from "../../../src/http/json/EventJson.ts"

afterEach(() => vi.unstubAllEnvs())

const read = (json: Parameters<typeof eventFromJson>[0]) => Effect.runPromise(eventFromJson(json))

describe("a custom event", () => {
  it("receives defaults", async () => {
    expect(await read({ entity: {}, event_type: "form_sent" })).toEqual({
      entity: { id: null, name: null, email: null, phone: null, company: null },
      body: "form_sent",
      subject: null,
      channel: "webhook",
      direction: "inbound",
      metadata: { event_type: "form_sent" },
      timestamp: null,
      messageId: null
    })
  })

  it("keeps all its fields", async () => {
    const event = await read({
      entity: { id: 42, name: "Ann", email: "a@b.example", phone: "1", company: "Co", metadata: { vip: true } },
      event_type: "form_sent",
      content: {
        body: "Hello",
        subject: "Hi",
        channel: "sms",
        direction: "outbound",
        type: "text",
        metadata: { message_id: 7, page: "/" }
      },
      context: { campaign: "spring" },
      timestamp: "2026-03-01T09:30:00.250+02:00"
    })
    expect(event).toEqual({
      entity: { id: "42", name: "Ann", email: "a@b.example", phone: "1", company: "Co" },
      body: "Hello",
      subject: "Hi",
      channel: "sms",
      direction: "outbound",
      metadata: {
        vip: true,
        campaign: "spring",
        message_id: 7,
        page: "/",
        type: "text",
        event_type: "form_sent"
      },
      timestamp: Date.UTC(2026, 2, 1, 7, 30, 0, 250),
      messageId: "7"
    })
  })

  it("prefers metadata of the message to that of the sender and the context", async () => {
    const { metadata } = await read({
      entity: { metadata: { plan: "entity", only: 1 } },
      context: { plan: "context" },
      content: { body: "Hello", metadata: { plan: "content" } }
    })
    expect(metadata).toEqual({ plan: "content", only: 1 })
  })

  it.each(["UTC", "America/New_York", "Asia/Kolkata"])(
    "has times in UTC if they have no offset, on a machine in %s",
    async (zone) => {
      vi.stubEnv("TZ", zone)
      const timeOf = async (timestamp: string) => (await read({ entity: {}, event_type: "x", timestamp })).timestamp
      expect(await timeOf("2026-03-01T09:30:00")).toBe(Date.UTC(2026, 2, 1, 9, 30))
      expect(await timeOf("2026-03-01 09:30")).toBe(Date.UTC(2026, 2, 1, 9, 30))
      expect(await timeOf("2026-03-01")).toBe(Date.UTC(2026, 2, 1))
      expect(await timeOf("2026-03-01T09:30:00Z")).toBe(Date.UTC(2026, 2, 1, 9, 30))
      expect(await timeOf("2026-03-01T09:30:00-0500")).toBe(Date.UTC(2026, 2, 1, 14, 30))
    }
  )
})
