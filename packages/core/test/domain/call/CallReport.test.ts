import { type Call, isOver, rankOf } from "@leadloom/core/internal/domain/call/Call"
import { afterReport, type CallReport } from "@leadloom/core/internal/domain/call/CallReport"
import { callBody, callLine } from "@leadloom/core/internal/domain/call/CallWords"
import { callRecord } from "@leadloom/testkit/suite/Records"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const outbound = callRecord("acme", 1, { providerCallId: null })
const inbound = callRecord("acme", 1, { direction: "inbound", status: "ringing", providerCallId: "C", contactLeg: "C" })
const start = outbound.startedAt

type Reported = readonly [about: CallReport["about"], status: CallReport["status"], seconds?: number | null]

const report = ([about, status, durationSeconds = null]: Reported, index: number): CallReport => ({
  about,
  status,
  legId: about === "contact" ? "C" : about === "agent" ? "A" : null,
  durationSeconds,
  at: start + (index + 1) * 10_000
})

const applyReports = (call: Call, ...reported: ReadonlyArray<Reported>): Call =>
  reported.map(report).reduce((now, each) => afterReport(now, each) ?? now, call)

describe("the state of a call from the provider's reports of its legs", () => {
  it("is in progress for an outbound call from the contact's answer until the connection ends", () => {
    const up = applyReports(
      outbound,
      ["agent", "queued"],
      ["agent", "ringing"],
      ["agent", "answered"],
      ["contact", "ringing"]
    )
    expect(up).toMatchObject({ status: "ringing", providerCallId: "A", contactLeg: "C", answeredAt: null })
    const spoken = applyReports(up, ["contact", "answered"])
    expect(spoken).toMatchObject({ status: "in_progress", answeredAt: start + 10_000 })
    expect(applyReports(spoken, ["agent", "answered"], ["contact", "completed", 192])).toMatchObject({
      status: "completed",
      durationSeconds: 192,
      endedAt: start + 20_000
    })
  })

  it.each([
    ["the agent does not answer", [["agent", "no_answer"]], "no_answer", "the agent's phone: no answer"],
    [
      "the contact is busy",
      [
        ["agent", "answered"],
        ["dial", "busy"]
      ],
      "busy",
      "the contact's phone: busy"
    ],
    [
      "the agent hangs up before the contact answers",
      [
        ["agent", "answered"],
        ["agent", "completed", 20]
      ],
      "no_answer",
      "the agent's phone: no answer"
    ],
    ["it fails", [["agent", "failed"]], "failed", "the agent's phone: failed"]
  ] as const)("ends without an outbound conversation when %s", (_, reports, status, reason) => {
    expect(applyReports(outbound, ...reports)).toMatchObject({
      status,
      reason,
      durationSeconds: null,
      answeredAt: null
    })
  })

  it("is missed for an inbound call whose first leg was up, unless a person answers", () => {
    expect(applyReports(inbound, ["contact", "answered"], ["dial", "no_answer"])).toMatchObject({ status: "no_answer" })
    expect(applyReports(inbound, ["contact", "answered"], ["contact", "completed", 30])).toMatchObject({
      status: "no_answer"
    })
    const taken = applyReports(inbound, ["agent", "ringing"], ["agent", "answered"], ["dial", "completed", 9])
    expect(taken).toMatchObject({ status: "completed", durationSeconds: 9, contactLeg: "C" })
  })

  it("continues after a transfer until the contact's leg or the new connection ends", () => {
    const passed = { ...applyReports(inbound, ["agent", "answered"]), transferredTo: "+15550004444" }
    const on = applyReports(passed, ["agent", "completed", 10], ["dial", "completed", 10])
    expect(on.status).toBe("in_progress")
    expect(applyReports(on, ["transfer", "busy"]).status).toBe("completed")
    expect(applyReports(on, ["contact", "completed", 99]).status).toBe("completed")
  })

  it("is recovered from the report of the first leg after a lost response", () => {
    expect(applyReports({ ...outbound, status: "unknown" }, ["agent", "ringing"])).toMatchObject({
      status: "ringing",
      providerCallId: "A"
    })
  })

  it("never returns to an earlier state, ends once, and ignores repeated reports", () => {
    const about = fc.constantFrom("contact" as const, "agent" as const, "dial" as const, "transfer" as const)
    const status = fc.constantFrom(
      "queued",
      "ringing",
      "answered",
      "completed",
      "busy",
      "no_answer",
      "canceled",
      "failed"
    )
    const tuples = fc.tuple(about, status, fc.option(fc.nat({ max: 4_000 })))
    const call = fc.constantFrom(
      outbound,
      inbound,
      { ...inbound, transferredTo: "+1" },
      { ...outbound, status: "unknown" as const }
    )
    fc.assert(
      fc.property(call, fc.array(tuples, { maxLength: 12 }), (begun, all) => {
        let now: Call = begun
        for (const each of all.map(report)) {
          const next = afterReport(now, each) ?? now
          expect(rankOf(next.status)).toBeGreaterThanOrEqual(rankOf(now.status))
          if (isOver(now))
            expect({ ...next, contactLeg: 0, providerCallId: 0, updatedAt: 0 }).toEqual({
              ...now,
              contactLeg: 0,
              providerCallId: 0,
              updatedAt: 0
            })
          if (isOver(next)) expect(next.endedAt).not.toBeNull()
          if (next.status === "completed") expect(next.durationSeconds).not.toBeNull()
          expect(afterReport(next, each)).toBeNull()
          now = next
        }
      })
    )
  })

  it("has a one-line summary", () => {
    const line = (changes: Partial<Call>) => callLine(callRecord("acme", 1, changes))
    expect(line({ status: "completed", durationSeconds: 192 })).toBe("Call, 3 min 12 s, answered")
    expect(line({ status: "completed", durationSeconds: 59 })).toBe("Call, 59 s, answered")
    expect(line({ status: "no_answer" })).toBe("Call, not answered")
    expect(line({ status: "busy", direction: "inbound" })).toBe("Missed call")
    expect(callBody(callRecord("acme", 1, { status: "busy" }), "  ", "Hi\uD800")).toBe("Call, busy\n\nHi\uFFFD")
  })
})
