/**
 * Threads a maildir set and compares with its labels.
 *
 *   node --conditions=development packages/testkit/bench/threads.ts <corpus folder>
 *
 * The folder holds `threads/<set>/cur/*.eml` and `golden/<set>.threads.json`. Every mail is parsed, then matched one at a
 * time against an index in memory: in file order, reversed, and in three seeded shuffles. Printed: pair precision and
 * recall against `expected`, whether every order gives the same threads, and how fast it went.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { rawFingerprint, synthesizedMessageId } from "@leadloom/core/email/Fingerprint"
import { normalizeMessageId, referencedIds } from "@leadloom/core/email/MessageId"
import { parseMail } from "../../connectors/src/mime/MimeParser.ts"
import { canonical, shuffled, threadAll, type ThreadedMail } from "../src/ThreadIndex.ts"

interface Labelled {
  readonly file: string
  readonly expected: string
}

const pairsOf = (labels: ReadonlyArray<string>): number => {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts.values()].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0)
}

const isLabelled = (value: unknown): value is Labelled =>
  typeof value === "object" && value !== null && "file" in value && "expected" in value

const labelsOf = (path: string): ReadonlyArray<Labelled> => {
  const golden: unknown = JSON.parse(readFileSync(path, "utf8"))
  const files = typeof golden === "object" && golden !== null && "files" in golden ? golden.files : []
  return Array.isArray(files) ? files.filter(isLabelled) : []
}

const scoreSet = (folder: string, set: string): boolean => {
  const labelled = labelsOf(join(folder, "golden", `${set}.threads.json`))
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
  const both = pairsOf(threads.map((thread, i) => `${thread} ${expected[i]}`))
  const precision = both / Math.max(1, pairsOf(threads))
  const recall = both / Math.max(1, pairsOf(expected))
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

const folder = process.argv[2] ?? ""
if (!existsSync(join(folder, "threads"))) {
  console.error("usage: node --conditions=development packages/testkit/bench/threads.ts <corpus folder>")
  process.exitCode = 2
} else {
  const sets = readdirSync(join(folder, "threads")).filter((set) =>
    existsSync(join(folder, "golden", `${set}.threads.json`))
  )
  const good = sets.map((set) => scoreSet(folder, set))
  process.exitCode = good.every((ok) => ok) ? 0 : 1
}
