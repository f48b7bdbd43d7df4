import { existsSync, statfsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import { sizeText } from "../Size.ts"

const scarce = 1_073_741_824
const exhausted = 100 * 1_048_576

const advice = "Free some space, or move LEADLOOM_DATA_DIR to a larger disk: nothing can be stored on a full one."

/** What it means that so many bytes are free. */
export const judgeSpace = (directory: string, freeBytes: number): Finding => {
  const found = `${sizeText(freeBytes)} are free on the disk of ${directory}.`
  if (freeBytes < exhausted) return problem(found, advice)
  return freeBytes < scarce ? warning(found, advice) : healthy(found)
}

/** The directory, or what of the way to it is there. */
const nearest = (path: string): string => (existsSync(path) || path === dirname(path) ? path : nearest(dirname(path)))

/** There is room for data. */
export const disk: Check = {
  name: "disk",
  run: ({ config }) =>
    Effect.sync(() => {
      if (config === null) return []
      const { bavail, bsize } = statfsSync(nearest(resolve(config.dataDir)))
      return [judgeSpace(config.dataDir, bavail * bsize)]
    })
}
