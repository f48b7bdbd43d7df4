import { beforeAll, describe, expect, it } from "vitest"
import { dayServer } from "../../src/command/DemoDay.ts"
import { problemsOf } from "../../src/day/Check.ts"
import { type Day, nextTuesday, runDay } from "../../src/day/Day.ts"
import type { Facts } from "../../src/day/Facts.ts"
import { isQuiet } from "../../src/day/Place.ts"

let day: Day
beforeAll(async () => {
  const signal = new AbortController().signal
  day = await runDay(await dayServer(), { contacts: 60, seed: 7, stepMinutes: 60, signal, onStep: () => undefined })
})

/** Returns the problems of the day after a change of its facts. */
const problemsWith = (change: Partial<Facts>): string => problemsOf({ ...day.facts, ...change }).join("\n")

describe("demo day", () => {
  it("ends with a consistent store", () => {
    expect(day.summary.problems).toEqual([])
  })

  it("has messages on every channel at three businesses, and delivers every event", () => {
    const { tenants } = day.summary
    expect(tenants.map((one) => one.tenant_id)).toEqual(["larkspur", "havelblick", "neem"])
    const channels = new Set(tenants.flatMap((one) => Object.keys(one.messages_in)))
    expect([...channels].toSorted()).toEqual(["chat", "email", "sms", "voice", "webhook"])
    for (const { events } of tenants)
      expect(events).toEqual({ written: events.written, delivered: events.written, repeated: 0, unverified: 0 })
  })

  it("detects a message that is missing in the store or stored twice", () => {
    const { messages } = day.facts
    const first = messages.find(({ actor, channel }) => actor === "contact" && channel === "email")
    expect(problemsWith({ messages: messages.filter((row) => row !== first) })).toMatch(/ 0 times instead of once/u)
    expect(problemsWith({ messages: [...messages, ...(first === undefined ? [] : [first])] })).toMatch(
      / 2 times instead of once/u
    )
  })

  it("detects a text to a contact who has opted out or is blocked", () => {
    const { notes, texts } = day.facts
    const [text] = texts
    if (text === undefined) throw new Error("nobody got a text")
    const places = { "+12135550001": "larkspur", "+493023124001": "havelblick", "+912255540001": "neem" }
    const tenantId = Object.entries(places).find(([number]) => number === text.from)?.[1] ?? ""
    const who = `${tenantId} ${text.to}`
    const consentChanges = [...notes.consentChanges, { who, at: text.at - 1, stop: true }]
    expect(problemsWith({ notes: { ...notes, consentChanges } })).toMatch(/has opted out and received a text/u)
    const blocked = new Map([[who, text.at - 1]])
    expect(problemsWith({ notes: { ...notes, blocked } })).toMatch(/is blocked and received a text/u)
  })

  it("detects a text in quiet hours", () => {
    const night = Date.parse("2026-01-13T02:30:00Z")
    const text = { at: night, from: "+493023124001", to: "+493023125999", body: "Good night" }
    expect(problemsWith({ texts: [text] })).toMatch(
      /havelblick \+493023125999 received a text in quiet hours, at 2026-01-13T02:30/u
    )
  })

  it("detects a second reply and an unfinished send", () => {
    const { sends } = day.facts
    const reply = { tenant_id: "neem", message_id: "msg_x", send_key: "reply:sig_x", state: "confirmed" }
    expect(problemsWith({ sends: [...sends, reply, reply] })).toMatch(/reply:sig_x received 2 replies/u)
    expect(problemsWith({ sends: [...sends, { ...reply, state: "reserved" }] })).toMatch(/is reserved/u)
  })

  it("detects missing events and events out of order", () => {
    const { events, received } = day.facts
    const [all, got] = [events.get("neem") ?? [], received.get("neem")]
    if (got === undefined) throw new Error("nothing was received")
    const without = new Map(events).set("neem", all.slice(1))
    expect(problemsWith({ events: without })).toMatch(/have a gap before 2/u)
    const ids = got.ids.toReversed()
    expect(problemsWith({ received: new Map(received).set("neem", { ...got, ids }) })).toMatch(/out of order/u)
    const known = new Set(got.ids.slice(1))
    expect(problemsWith({ received: new Map(received).set("neem", { ...got, known }) })).toMatch(/did not reach/u)
  })

  it("detects a lead without its newest message and a message without a contact", () => {
    const { leads } = day.facts
    const stale = leads.map((row) => ({ ...row, last_message_at: 1 }))
    expect(problemsWith({ leads: stale })).toMatch(/does not refer to its newest message/u)
    expect(problemsWith({ contacts: [] })).toMatch(/has no contact/u)
  })
})

describe("the clock of the day", () => {
  it("starts on a Tuesday, UTC", () => {
    expect(new Date(nextTuesday(Date.parse("2026-11-21T16:00:00Z"))).toISOString()).toBe("2026-11-24T00:00:00.000Z")
    expect(new Date(nextTuesday(Date.parse("2026-11-24T00:00:01Z"))).toISOString()).toBe("2026-12-01T00:00:00.000Z")
  })

  it("knows the quiet hours of a time zone", () => {
    const at = Date.parse("2026-11-24T05:00:00Z")
    expect(isQuiet("America/Los_Angeles", at - 1)).toBe(false)
    expect(isQuiet("America/Los_Angeles", at)).toBe(true)
    expect(isQuiet("Asia/Kolkata", at)).toBe(false)
  })
})
