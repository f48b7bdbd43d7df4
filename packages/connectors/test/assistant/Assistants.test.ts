import { isRetellSigned } from "@leadloom/connectors/internal/assistant/RetellSignature"
import { readRetell } from "@leadloom/connectors/internal/assistant/RetellMessage"
import { readVapi } from "@leadloom/connectors/internal/assistant/VapiMessage"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("a Retell signature", () => {
  // A vector made with retell-sdk@5.66.1.
  const key = "key_vector"
  const at = 1_795_220_000_000
  const body = bytes('{"name":"book","call":{"call_id":"c1"},"args":{"a":1}}')
  const header = "v=1795220000000,d=108b9c460f0c365a0f7e3f2b0d63bcc6876e881ab3b1e55c5853619c8b31d446"

  it("is valid for five minutes before and after its time", () => {
    expect([-300_000, 0, 300_000].map((off) => isRetellSigned(key, body, header, at + off))).toEqual([true, true, true])
    expect([-300_001, 300_001].map((off) => isRetellSigned(key, body, header, at + off))).toEqual([false, false])
  })

  it("depends on the key, the body and the time", () => {
    expect(isRetellSigned("key_other", body, header, at)).toBe(false)
    expect(isRetellSigned("", body, header, at)).toBe(false)
    expect(isRetellSigned(key, bytes("{}"), header, at)).toBe(false)
    expect(isRetellSigned(key, body, header.replace("v=1795220000000", "v=1795220000001"), at)).toBe(false)
    expect(isRetellSigned(key, body, header.replace(/6$/u, "7"), at)).toBe(false)
  })

  it("is rejected in any other format", () => {
    fc.assert(fc.property(fc.string(), (text) => !isRetellSigned(key, body, text, at)))
  })
})

const call = { id: "c1", type: "inboundPhoneCall", customer: { number: "+15550002222" } }
const message = (more: object) => ({ message: { type: "tool-calls", timestamp: 1, call, assistant: {}, ...more } })
const args = { message: "A roof" }

describe("a Vapi message", () => {
  it.each([
    [
      "a function with arguments in JSON",
      { id: "t1", type: "function", function: { name: "create_lead", arguments: JSON.stringify(args) } }
    ],
    ["a function with arguments as an object", { id: "t1", function: { name: "create_lead", arguments: args } }],
    ["name and parameters at the top", { id: "t1", name: "create_lead", parameters: args }]
  ])("is read as %s", (_, tool) => {
    for (const list of ["toolCallList", "toolCalls"]) {
      expect(readVapi(message({ [list]: [tool] }))).toEqual({
        _tag: "ToolCalls",
        call: { platform: "vapi", callId: "c1", direction: "inbound", number: "+15550002222" },
        tools: [{ toolCallId: "t1", answerId: "vapi:c1:t1", name: "create_lead", args }]
      })
    }
  })

  it("contains each call once, even if two lists name it", () => {
    const tool = { id: "t1", function: { name: "create_lead", arguments: args } }
    const wrapped = [
      { name: "create_lead", toolCall: { id: "t1", parameters: args } },
      { name: "other", toolCall: { id: "t2" } }
    ]
    const read = readVapi(message({ toolCallList: [tool], toolWithToolCallList: wrapped }))
    expect(read?._tag === "ToolCalls" && read.tools.map(({ name, toolCallId }) => [toolCallId, name])).toEqual([
      ["t1", "create_lead"],
      ["t2", "other"]
    ])
  })

  it("reports the end of a call with its transcript; other types are ignored", () => {
    const report = {
      type: "end-of-call-report",
      startedAt: "2026-03-02T09:00:00Z",
      endedAt: "2026-03-02T09:03:12Z",
      artifact: { transcript: "AI: Hi" },
      phoneNumber: { number: "+15550001111" }
    }
    expect(readVapi(message(report))).toMatchObject({
      _tag: "CallEnded",
      report: {
        transcript: "AI: Hi",
        ownNumber: "+15550001111",
        startedAt: 1_772_442_000_000,
        endedAt: 1_772_442_192_000
      }
    })
    expect(readVapi(message({ type: "status-update" }))).toEqual({ _tag: "Ignored", type: "status-update" })
  })

  it("never makes the reader throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (json, inner) => {
        readVapi(json)
        readRetell(json)
        readVapi(message({ toolCallList: [inner], call: inner }))
        readRetell({ name: "book_callback", args: inner, call: inner })
      })
    )
  })
})

describe("a Retell request", () => {
  const lookUp = {
    name: "book_callback",
    args: { time: "tomorrow" },
    call: { call_id: "c1", direction: "inbound", from_number: "+15550002222", to_number: "+15550001111" }
  }

  it("is a function call with a stable id, and the caller is the contact", () => {
    const [first, again] = [readRetell(lookUp), readRetell(structuredClone(lookUp))]
    expect(first).toEqual(again)
    expect(first).toMatchObject({ _tag: "ToolCalls", call: { number: "+15550002222", platform: "retell" } })
    const other = readRetell({ ...lookUp, args: { time: "today" } })
    const idOf = (read: typeof first) => (read?._tag === "ToolCalls" ? read.tools[0]?.answerId : null)
    expect(idOf(other)).not.toBe(idOf(first))
  })

  it("names the callee as the contact of an outbound call", () => {
    const outbound = readRetell({ ...lookUp, call: { ...lookUp.call, direction: "outbound" } })
    expect(outbound).toMatchObject({ call: { direction: "outbound", number: "+15550001111" } })
  })

  it("may be an event; only the end of a call is read", () => {
    const ended = {
      event: "call_ended",
      call: { ...lookUp.call, start_timestamp: 1, end_timestamp: 2, transcript: "Hi" }
    }
    expect(readRetell(ended)).toMatchObject({
      _tag: "CallEnded",
      report: { startedAt: 1, endedAt: 2, transcript: "Hi" }
    })
    expect(readRetell({ event: "call_started", call: lookUp.call })).toEqual({
      _tag: "Ignored",
      type: "call_started"
    })
    expect(readRetell([])).toBeNull()
  })
})
