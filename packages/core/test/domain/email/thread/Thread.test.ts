import { canonical, threadAll, type ThreadedMail } from "@leadloom/testkit/ThreadIndex"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { idsToLookUp, type IndexedId, matchThread } from "../../../../src/domain/email/thread/Thread.ts"

const row = (id: string, threadId: string, kind: "seen" | "referred" | "weak"): IndexedId => ({
  id,
  threadId,
  seen: kind === "seen",
  weak: kind === "weak"
})

const mail = (ownId: string, ...references: ReadonlyArray<string>) => ({
  ownId,
  references: references.map((id) => ({ id: id.replace("?", ""), weak: id.endsWith("?") })),
  subject: "Offer"
})

describe("matchThread", () => {
  it("opens a thread when no id is known", () => {
    const match = matchThread(mail("a", "p", "q?"), [])
    expect(match).toMatchObject({ join: null, by: null, merge: [] })
    expect(match.register).toEqual([
      { id: "a", seen: true, weak: false },
      { id: "p", seen: false, weak: false },
      { id: "q", seen: false, weak: true }
    ])
  })

  it("joins the thread of the first match and merges the others into it", () => {
    const known = [row("q", "t2", "seen"), row("p", "t1", "seen"), row("a", "t3", "referred")]
    expect(matchThread(mail("a", "p", "q"), known)).toMatchObject({ join: "t1", by: "reference", merge: ["t2", "t3"] })
  })

  it("prefers the thread of a stored message to the thread of an id that is only referenced", () => {
    const known = [row("p", "t1", "referred"), row("q", "t2", "seen"), row("q", "t3", "referred")]
    const match = matchThread(mail("a", "p", "q"), known)
    expect(match).toMatchObject({ join: "t2", by: "reference", via: "q", merge: ["t1"] })
  })

  it("joins children that arrived earlier, even those with weak references", () => {
    expect(matchThread(mail("a"), [row("a", "t1", "referred")])).toMatchObject({ join: "t1", by: "child" })
    const twice = [row("a", "t1", "weak"), row("a", "t2", "weak")]
    expect(matchThread(mail("a"), twice)).toMatchObject({ join: "t1", by: "child", merge: ["t2"] })
  })

  it("does not join through a weak id before its message arrives", () => {
    expect(matchThread(mail("a", "p?"), [row("p", "t1", "referred")]).join).toBeNull()
    expect(matchThread(mail("a", "p"), [row("p", "t1", "weak")]).join).toBeNull()
    expect(matchThread(mail("a", "p?"), [row("p", "t1", "seen")]).join).toBe("t1")
  })

  it("looks up each id once", () => {
    expect(idsToLookUp(mail("a", "p", "a", "p?"))).toEqual(["p", "a"])
  })
})

describe("further evidence for matchThread", () => {
  const provider = { threadId: "t9", threadSubject: "Re: Offer", sharesParticipant: true }

  it("uses the provider's thread id only when no id matches", () => {
    const match = matchThread({ ...mail("a", "p"), provider }, [row("p", "t1", "seen")])
    expect(match).toMatchObject({ join: "t1", merge: [] })
    expect(matchThread({ ...mail("a"), provider }, [])).toMatchObject({ join: "t9", by: "provider" })
  })

  it("ignores a provider's thread id that the headers contradict", () => {
    const otherSubject = { ...provider, threadSubject: "Invoice 7" }
    expect(matchThread({ ...mail("a", "p"), provider }, []).join).toBe("t9")
    expect(matchThread({ ...mail("a", "p"), provider: otherSubject }, []).join).toBeNull()
    expect(matchThread({ ...mail("a"), provider: otherSubject }, []).join).toBe("t9")
    expect(matchThread({ ...mail("a"), provider: { ...otherSubject, sharesParticipant: false } }, []).join).toBeNull()
    expect(matchThread({ ...mail("a"), provider: { ...provider, threadId: null } }, []).join).toBeNull()
  })

  it("uses the reply token last", () => {
    expect(matchThread({ ...mail("a"), provider, replyToken: "t5" }, []).join).toBe("t9")
    expect(matchThread({ ...mail("a", "p"), replyToken: "t5" }, [])).toMatchObject({ join: "t5", by: "reply_token" })
  })
})

/** The definition of a thread: connected components of mails, ids, and weak references to existing messages. */
const partsOf = (mails: ReadonlyArray<ThreadedMail>): ReadonlyArray<number> => {
  const seen = new Set(mails.map(({ ownId }) => ownId))
  const idsOf = (one: ThreadedMail): ReadonlyArray<string> => [
    one.ownId,
    ...one.references.filter(({ id, weak }) => !weak || seen.has(id)).map(({ id }) => id)
  ]
  const label = new Map<string, number>()
  for (let changed = true; changed;) {
    changed = false
    for (const [i, one] of mails.entries()) {
      const lowest = Math.min(i, ...idsOf(one).map((id) => label.get(id) ?? i))
      for (const id of idsOf(one)) {
        if (label.get(id) !== lowest) changed = true
        label.set(id, lowest)
      }
    }
  }
  return canonical(mails.map(({ ownId }) => String(label.get(ownId))))
}

const idName = fc.integer({ min: 0, max: 11 }).map((n) => `m${n}`)
const anyMail: fc.Arbitrary<ThreadedMail> = fc.record({
  ownId: idName,
  references: fc.array(fc.record({ id: idName, weak: fc.boolean() }), { maxLength: 4 }),
  subject: fc.constant("x")
})

describe("threads that are built one mail at a time", () => {
  it("are the connected components of the references, for any order of arrival", () => {
    const mails = fc.array(anyMail, { minLength: 1, maxLength: 12 })
    const scenario = mails.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(
          list.map((_, i) => i),
          { minLength: list.length }
        )
      )
    )
    fc.assert(
      fc.property(scenario, ([list, order]) => {
        expect(canonical(threadAll(list, order))).toEqual(partsOf(list))
      }),
      { numRuns: 1_000 }
    )
  })
})
