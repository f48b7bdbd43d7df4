import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A mail of a corpus and its labelled thread. */
export interface LabelledMail {
  /** The path below the folder of the set. */
  readonly file: string
  readonly expected: string
}

const isLabelled = (value: unknown): value is LabelledMail =>
  typeof value === "object" && value !== null && "file" in value && "expected" in value

/** Returns the names of the thread sets in a corpora folder. */
export const threadSets = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(folder, "threads")).filter((name) => existsSync(join(folder, "golden", `${name}.threads.json`)))

/** Returns the labels of a set, in order of arrival. */
export const threadLabels = (folder: string, set: string): ReadonlyArray<LabelledMail> => {
  const golden: unknown = JSON.parse(readFileSync(join(folder, "golden", `${set}.threads.json`), "utf8"))
  const files = typeof golden === "object" && golden !== null && "files" in golden ? golden.files : []
  return Array.isArray(files) ? files.filter(isLabelled) : []
}

const pairsOf = (labels: ReadonlyArray<string>): number => {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0)
}

/**
 * Compares the found threads with the expected ones over all pairs of mails. Both lists are in the order of the mails.
 */
export const pairScore = (
  found: ReadonlyArray<string>,
  expected: ReadonlyArray<string>
): { readonly precision: number; readonly recall: number } => {
  const both = pairsOf(found.map((thread, index) => `${thread} ${expected[index]}`))
  return { precision: both / Math.max(1, pairsOf(found)), recall: both / Math.max(1, pairsOf(expected)) }
}
