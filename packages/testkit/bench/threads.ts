/**
 * Assigns the mails of a maildir to threads and compares them with their labels.
 *
 *   npm run bench -- threads
 *
 * The folder holds `threads/<set>/cur/*.eml` and `golden/<set>.threads.json`. Every mail is parsed and then matched
 * against an in-memory index: in file order, in reverse, and in three seeded shuffles. Printed: pair precision and
 * recall against `expected`, whether every order gives the same threads, and the speed.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rawFingerprint, synthesizedMessageId } from "@leadloom/core/domain/email/Fingerprint"
import { normalizeMessageId, referencedIds } from "@leadloom/core/domain/email/MessageId"
import { findCorpora } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { parseMail } from "../../connectors/src/mime/MimeParser.ts"
import { canonical, shuffled, threadAll, type ThreadedMail } from "../src/ThreadIndex.ts"

const scoreSet = (folder: string, set: string): boolean => {
  const labelled = threadLabels(folder, set)
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
  console.log(
    `${set}: ${nodes.length} mails, ${new Set(threads).size} threads (expected ${new Set(expected).size}), ` +
      `pair precision ${precision.toFixed(5)}, recall ${recall.toFixed(5)}, same in every order: ${stable}, ` +
      `parse ${Math.round((nodes.length / (parsed - start)) * 1000)}/s, match ${Math.round((nodes.length / (done - matching)) * 1000)}/s`
  )
  threads.forEach((thread, i) => {
    const mine = threads.findIndex((other) => other === thread)
    const theirs = expected.findIndex((other) => other === expected[i])
    if (mine !== theirs)
      console.log(`  ${labelled[i]?.file}: with ${labelled[mine]?.file}, expected ${labelled[theirs]?.file}`)
  })
  return stable && precision >= 0.999 && recall >= 0.999
}

const folder = findCorpora()
if (folder !== null) {
  const good = threadSets(folder).map((set) => scoreSet(folder, set))
  process.exitCode = good.every((ok) => ok) ? 0 : 1
}
