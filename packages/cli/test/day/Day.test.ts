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

/** What is said of the day with something about it changed. */
const problemsWith = (change: Partial<Facts>): string => problemsOf({ ...day.facts, ...change }).join("\n")

describe("demo day", () => {
  it("ends with a consistent store", () => {
    expect(day.summary.problems).toEqual([])
  })

  it("has people write on every channel to three businesses, and every event reach its receiver", () => {
    const { tenants } = day.summary
    expect(tenants.map((one) => one.tenant_id)).toEqual(["larkspur", "havelblick", "neem"])
    const channels = new Set(tenants.flatMap((one) => Object.keys(one.messages_in)))
    expect([...channels].toSorted()).toEqual(["chat", "email", "sms", "voice", "webhook"])
    for (const { events } of tenants)
      expect(events).toEqual({ written: events.written, delivered: events.written, repeated: 0, unverified: 0 })
  })

  it("misses what never reached the store", () => {
    const { messages } = day.facts
    const first = messages.find(({ actor, channel }) => actor === "contact" && channel === "email")
    expect(problemsWith({ messages: messages.filter((row) => row !== first) })).toMatch(/is there 0 times/u)
    expect(problemsWith({ messages: [...messages, ...(first === undefined ? [] : [first])] })).toMatch(
      /is there 2 times/u
    )
  })

  it("sees a text to who has opted out or is blocked", () => {
    const { notes, texts } = day.facts
    const [text] = texts
    if (text === undefined) throw new Error("nobody got a text")
    const places = { "+12135550001": "larkspur", "+493023124001": "havelblick", "+912255540001": "neem" }
    const tenantId = Object.entries(places).find(([number]) => number === text.from)?.[1] ?? ""
    const who = `${tenantId} ${text.to}`
    const consentChanges = [...notes.consentChanges, { who, at: text.at - 1, stop: true }]
    expect(problemsWith({ notes: { ...notes, consentChanges } })).toMatch(/who has opted out/u)
    const blocked = new Map([[who, text.at - 1]])
    expect(problemsWith({ notes: { ...notes, blocked } })).toMatch(/who is blocked/u)
  })

  it("sees a text that wakes somebody", () => {
    const night = Date.parse("2026-01-13T02:30:00Z")
    const text = { at: night, from: "+493023124001", to: "+493023125999", body: "Good night" }
    expect(problemsWith({ texts: [text] })).toMatch(/woke havelblick \+493023125999 at 2026-01-13T02:30/u)
  })

  it("sees a second reply, a send left open, and a send nobody heard of", () => {
    const { sends } = day.facts
    const reply = { tenant_id: "neem", message_id: "msg_x", send_key: "reply:sig_x", state: "confirmed" }
    expect(problemsWith({ sends: [...sends, reply, reply] })).toMatch(/reply:sig_x was answered 2 times/u)
    expect(problemsWith({ sends: [...sends, { ...reply, state: "reserved" }] })).toMatch(/is reserved/u)
  })

  it("sees events that are missing, and such as came out of order", () => {
    const { events, received } = day.facts
    const [all, got] = [events.get("neem") ?? [], received.get("neem")]
    if (got === undefined) throw new Error("nothing was received")
    const without = new Map(events).set("neem", all.slice(1))
    expect(problemsWith({ events: without })).toMatch(/have a gap before 2/u)
    const ids = got.ids.toReversed()
    expect(problemsWith({ received: new Map(received).set("neem", { ...got, ids }) })).toMatch(/out of order/u)
    const known = new Set(got.ids.slice(1))
    expect(problemsWith({ received: new Map(received).set("neem", { ...got, known }) })).toMatch(/never reached/u)
  })

  it("sees a lead that does not know its newest message, and a message of nobody", () => {
    const { leads } = day.facts
    const stale = leads.map((row) => ({ ...row, last_message_at: 1 }))
    expect(problemsWith({ leads: stale })).toMatch(/does not know its newest message/u)
    expect(problemsWith({ contacts: [] })).toMatch(/belongs to nobody/u)
  })
})

describe("the clock of the day", () => {
  it("begins on a Tuesday, UTC", () => {
    expect(new Date(nextTuesday(Date.parse("2026-11-21T16:00:00Z"))).toISOString()).toBe("2026-11-24T00:00:00.000Z")
    expect(new Date(nextTuesday(Date.parse("2026-11-24T00:00:01Z"))).toISOString()).toBe("2026-12-01T00:00:00.000Z")
  })

  it("knows when a place is asleep", () => {
    const at = Date.parse("2026-11-24T05:00:00Z")
    expect(isQuiet("America/Los_Angeles", at - 1)).toBe(false)
    expect(isQuiet("America/Los_Angeles", at)).toBe(true)
    expect(isQuiet("Asia/Kolkata", at)).toBe(false)
  })
})
