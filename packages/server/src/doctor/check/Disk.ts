import { existsSync, statfsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import { sizeText } from "../Size.ts"

const scarce = 1_073_741_824
const exhausted = 100 * 1_048_576

const advice = "Free some space, or move LEADLOOM_DATA_DIR to a larger disk. A full disk stops all writes."

/** Judges the free space of a disk. */
export const judgeSpace = (directory: string, freeBytes: number): Finding => {
  const found = `The disk of ${directory} has ${sizeText(freeBytes)} free.`
  if (freeBytes < exhausted) return problem(found, advice)
  return freeBytes < scarce ? warning(found, advice) : healthy(found)
}

/** Returns the directory, or its nearest ancestor that exists. */
const nearest = (path: string): string => (existsSync(path) || path === dirname(path) ? path : nearest(dirname(path)))

/** Checks the free space on the disk of the data directory. */
export const disk: Check = {
  name: "disk",
  run: ({ config }) =>
    Effect.sync(() => {
      if (config === null) return []
      const { bavail, bsize } = statfsSync(nearest(resolve(config.dataDir)))
      return [judgeSpace(config.dataDir, bavail * bsize)]
    })
}
