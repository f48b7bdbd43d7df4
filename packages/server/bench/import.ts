/**
 * Imports real mail through the HTTP API and compares the threads with their labels.
 *
 * Imports each set in order of arrival and in three seeded shuffles,
 * twice each. Reports pair precision and recall over all files (a copy counts as part of its original's thread), whether
 * every order gives the same threads, the additions of the second pass, and the mails per second of the first pass.
 */
import { join } from "node:path"
import { shuffled, canonical } from "@leadloom/testkit/ThreadIndex"
import { type Bench, numberAt } from "@leadloom/testkit/bench/Bench"
import { findCorpora, missingCorpora } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { startServer } from "../test/world/TestServer.ts"
import { addedOf, importAll, openAcme, threadsOf } from "./mail/ImportMails.ts"

interface Imported {
  readonly set: string
  readonly order: string
  readonly mails: number
  readonly copies: number
  readonly threads: number
  readonly precision: number
  readonly recall: number
  readonly addedAgain: number
  readonly mailsPerSecond: number
  /** The threads, independent of their ids. */
  readonly partition: string
}

type Labels = ReturnType<typeof threadLabels>

const importInOrder = async (folder: string, set: string, labels: Labels, seed: number): Promise<Imported> => {
  const files = labels.map(({ file }) => join(folder, "threads", set, file))
  const order = seed === 0 ? [...labels.keys()] : shuffled(labels.length, seed * 7_919)
  const server = await openAcme(startServer())
  const begun = performance.now()
  const first = await importAll(
    server,
    order.map((index) => files[index] ?? "")
  )
  const seconds = (performance.now() - begun) / 1000
  const second = await importAll(server, files)
  await server.close()
  const threads = threadsOf(second)
  const score = pairScore(
    threads,
    labels.map(({ expected }) => expected)
  )
  return {
    set,
    order: seed === 0 ? "arrival" : `shuffle ${seed}`,
    mails: files.length,
    copies: first.length - addedOf(first).length,
    threads: new Set(threads).size,
    precision: Number(score.precision.toFixed(5)),
    recall: Number(score.recall.toFixed(5)),
    addedAgain: addedOf(second).length,
    mailsPerSecond: Math.round(files.length / seconds),
    partition: String(canonical(threads))
  }
}

export const bench: Bench = {
  name: "import",
  purpose: "Imports of real mail in several orders, against the labels of their threads.",
  usage: "[mails of each set] [orders]",
  sizes: { smallest: [10, 2], small: [200, 2], full: [1_000_000, 4] },
  missing: missingCorpora,
  run: async (args) => {
    const folder = findCorpora()
    const sets: Array<ReadonlyArray<Imported>> = []
    for (const set of threadSets(folder)) {
      const labels = threadLabels(folder, set).slice(0, numberAt(args, 0))
      const imported: Array<Imported> = []
      for (let seed = 0; seed < numberAt(args, 1); seed++) {
        imported.push(await importInOrder(folder, set, labels, seed))
      }
      sets.push(imported)
    }
    return {
      figures: { imports: sets.flat().map(({ partition: _, ...row }) => row) },
      checks: {
        "every order gives the same threads": sets.every(
          (imported) => new Set(imported.map(({ partition }) => partition)).size === 1
        ),
        "a second pass adds nothing": sets.flat().every(({ addedAgain }) => addedAgain === 0)
      }
    }
  }
}
