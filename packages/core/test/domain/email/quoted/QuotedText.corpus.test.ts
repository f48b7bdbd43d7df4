import { readdirSync } from "node:fs"
import { join } from "node:path"
import { corpora, corporaNote } from "@leadloom/testkit/mail/Corpora"
import { droppedShare, keptShare, readReplies, scoreReplies } from "@leadloom/testkit/mail/ReplyScore"
import { describe, expect, it } from "vitest"
import { splitQuoted } from "../../../../src/domain/email/quoted/QuotedText.ts"

const root = corpora ?? ""
const isReplies = (file: string): boolean => /^real-.*\.jsonl$/.test(file)
const files = corpora === null ? [] : readdirSync(join(root, "replies")).filter(isReplies)

describe(`real replies${corporaNote}`, () => {
  it("has fixtures when the archive is available", () => {
    expect(files.length > 0).toBe(corpora !== null)
  })

  it.each(files)("of %s keep the writers' text and lose the quotes", (file) => {
    const replies = readReplies(join(root, "replies", file))
    const score = scoreReplies(root, replies, ({ html, text }) => splitQuoted(text, html).visible)
    // The difference to 1 consists of quotes and list footers that the labels count as the writer's text.
    expect(keptShare(score)).toBeGreaterThanOrEqual(0.99)
    expect(droppedShare(score)).toBeGreaterThanOrEqual(0.99)
  })
})
