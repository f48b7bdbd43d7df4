import { runRecord } from "@leadloom/testkit/suite/Records"
import { describe, expect, it } from "vitest"
import { recordingsToStored, resultToStored } from "../../../src/domain/run/StoredRun.ts"
import { isJson } from "../../../src/domain/text/Json.ts"
import type { Row } from "../../../src/domain/privacy/Record.ts"
import { unknownValuesIn } from "../../../src/domain/privacy/Vocabulary.ts"

const jsonOf = (value: unknown) => {
  const json: unknown = JSON.parse(JSON.stringify(value))
  return isJson(json) ? json : null
}

const columns = (() => {
  const { inputs, recordings, ...run } = runRecord("acme", 1)
  const { actions, classification, matchedRules, reply, score, steps, written } = run
  const result = resultToStored({ actions, classification, matchedRules, reply, score, steps, written })
  return { inputs, recordings: recordingsToStored(recordings), result }
})()

/** A run as it is stored in an archive. */
const row = (change: Partial<Record<"result" | "inputs" | "recordings", unknown>> = {}): Row => {
  const { inputs, recordings, result } = columns
  return {
    result: jsonOf(change.result ?? result),
    inputs: jsonOf(change.inputs === undefined ? inputs : change.inputs),
    recordings: jsonOf(change.recordings === undefined ? recordings : change.recordings)
  }
}

describe("a run in an archive", () => {
  it("is accepted in its current form and in the form from before inputs were stored", () => {
    expect(unknownValuesIn({ name: "runs" }, row())).toBeNull()
    const { written: _, ...before } = columns.result
    expect(unknownValuesIn({ name: "runs" }, row({ result: before, inputs: null, recordings: null }))).toBeNull()
  })

  const { inputs, result } = columns
  it.each([
    ["nothing", { result: {} }, "result"],
    [
      "a step that nobody takes",
      { result: { ...result, steps: [{ step: "dance", outcome: "done", reason: "" }] } },
      "result"
    ],
    ["a reply without words", { result: { ...result, reply: { channel: "email" } } }, "result"],
    ["inputs without a time", { inputs: { ...inputs, now: "noon" } }, "inputs"],
    ["a time that no calendar knows", { inputs: { ...inputs, now: 1e300 } }, "inputs"],
    ["a recording of nothing", { recordings: { classification: {}, reply: null } }, "recordings"]
  ])("is rejected with %s", (_, change, column) => {
    expect(unknownValuesIn({ name: "runs" }, row(change))).toContain(column)
  })
})
