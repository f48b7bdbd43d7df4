import {
  countedLines,
  isHeldOut,
  readReplyFixtures,
  replyBatches,
  scoreFixture
} from "@leadloom/testkit/mail/ReplyFixtures"
import { describe, expect, it } from "vitest"
import { splitQuoted } from "../../../../src/domain/email/quoted/QuotedText.ts"

const results = (batch: string, heldOut: boolean) =>
  readReplyFixtures(batch)
    .filter(({ id }) => isHeldOut(id) === heldOut)
    .map((fixture) => ({
      ...fixture,
      ...scoreFixture(fixture, splitQuoted(fixture.text).visible),
      ...countedLines(fixture)
    }))

describe.each(replyBatches())("replies of mail programs, %s batch", (batch) => {
  it.each([
    ["development", false],
    ["held-out", true]
  ])("keep every written line, %s half", (_, heldOut) => {
    expect(results(batch, heldOut).flatMap(({ id, lost }) => lost.map((line) => `${id}: ${line}`))).toEqual([])
  })

  it.each([
    ["development", false],
    ["held-out", true]
  ])("lose quotes and signatures, %s half", (_, heldOut) => {
    const all = results(batch, heldOut)
    expect(all.length).toBeGreaterThan(40)
    expect(all.filter(({ left }) => left.length === 0).length / all.length).toBeGreaterThanOrEqual(0.9)
    const left = all.reduce((sum, each) => sum + each.left.length, 0)
    expect(1 - left / all.reduce((sum, { drop }) => sum + drop, 0)).toBeGreaterThanOrEqual(0.93)
  })
})

describe("scoreFixture", () => {
  it("reports a lost line and a remaining line", () => {
    const [fixture] = readReplyFixtures("first")
    if (fixture === undefined) throw new Error("no fixtures")
    const written = fixture.lines.filter(({ tag }) => tag === "w").map(({ text }) => text)
    expect(scoreFixture(fixture, written.join("\n"))).toEqual({ lost: [], left: [] })
    expect(scoreFixture(fixture, "").lost.length).toBeGreaterThan(0)
    expect(scoreFixture(fixture, fixture.text).left.length).toBeGreaterThan(0)
  })
})
