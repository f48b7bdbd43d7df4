/**
 * Assigns the mails of a maildir to threads and compares them with their labels.
 *
 * The folder holds `threads/<set>/cur/*.eml` and `golden/<set>.threads.json`. Every mail is parsed and then matched
 * against an in-memory index: in file order, in reverse, and in three seeded shuffles. Printed: pair precision and
 * recall against `expected`, whether every order gives the same threads, and the speed.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rawFingerprint, synthesizedMessageId } from "@leadloom/core/internal/domain/email/Fingerprint"
import { normalizeMessageId, referencedIds } from "@leadloom/core/internal/domain/email/MessageId"
import { type Bench, numberAt } from "@leadloom/testkit/bench/Bench"
import { findCorpora, missingCorpora } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { parseMail } from "../../connectors/src/mime/MimeParser.ts"
import { canonical, shuffled, threadAll, type ThreadedMail } from "../src/ThreadIndex.ts"

const scoreSet = (folder: string, set: string, limit: number) => {
  const labelled = threadLabels(folder, set).slice(0, limit)
  const raws = labelled.map(({ file }) => readFileSync(join(folder, "threads", set, file)))
  const start = performance.now()
  const mails = raws.map((raw) => parseMail(raw))
  const parsed = performance.now()
  const nodes = mails.map((mail, i): ThreadedMail => {
    const own = mail.messageId === null ? null : normalizeMessageId(mail.messageId)
    const ownId = own ?? synthesizedMessageId(rawFingerprint(raws[i] ?? Buffer.alloc(0)))
    return { ownId, references: referencedIds(mail), subject: mail.subject }
  })
  const matching = performance.now()
  const threads = threadAll(nodes, [...nodes.keys()])
  const done = performance.now()
  const expected = labelled.map((label) => label.expected)
  const { precision, recall } = pairScore(threads, expected)
  const orders = [[...nodes.keys()].toReversed(), ...[1, 2, 3].map((seed) => shuffled(nodes.length, seed * 7_919))]
  const stable = orders.every((order) => String(canonical(threadAll(nodes, order))) === String(canonical(threads)))
  const misplaced = threads.flatMap((thread, i) => {
    const mine = threads.findIndex((other) => other === thread)
    const theirs = expected.findIndex((other) => other === expected[i])
    return mine === theirs ? [] : [`${labelled[i]?.file}: with ${labelled[mine]?.file}, not ${labelled[theirs]?.file}`]
  })
  return {
    set,
    mails: nodes.length,
    threads: new Set(threads).size,
    expected: new Set(expected).size,
    precision: Number(precision.toFixed(5)),
    recall: Number(recall.toFixed(5)),
    parsedPerSecond: Math.round((nodes.length / (parsed - start)) * 1000),
    matchedPerSecond: Math.round((nodes.length / (done - matching)) * 1000),
    stable,
    misplaced
  }
}

export const bench: Bench = {
  name: "threads",
  purpose: "The threads of real mail in several orders of arrival, against their labels.",
  usage: "[mails of each set]",
  sizes: { smallest: [60], small: [500], full: [1_000_000] },
  missing: missingCorpora,
  run: (args) => {
    const folder = findCorpora()
    const scores = threadSets(folder).map((set) => scoreSet(folder, set, numberAt(args, 0)))
    return Promise.resolve({
      figures: {
        sets: scores.map(({ misplaced: _, ...row }) => row),
        misplaced: scores.flatMap(({ misplaced }) => misplaced)
      },
      checks: {
        "every order gives the same threads": scores.every(({ stable }) => stable),
        "precision and recall reach 0.999": scores.every(
          ({ precision, recall }) => precision >= 0.999 && recall >= 0.999
        )
      }
    })
  }
}
