import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../Sources.ts"

/** A program outside the repository that unpacks real mail with labels, and prints the path. It may be missing. */
const unpack = join(repository, "../shared/mail/unpack")

/** The variable with the folder of the unpacked mail. */
const variable = "LEADLOOM_TEST_CORPORA"

/** Runs once before all tests, so that test files do not unpack the mail concurrently. */
export default (): void => {
  if (existsSync(unpack)) process.env[variable] = execFileSync(unpack, { encoding: "utf8" }).trim()
}

/** The folder of the corpora (`threads`, `golden`, `odd`, `replies`); null if they are missing. */
export const corpora: string | null = process.env[variable] === undefined ? null : join(process.env[variable], "public")

/** Returns what a benchmark of real mail lacks, or null. */
export const missingCorpora = (): string | null =>
  existsSync(unpack) ? null : "the mail corpora next to the repository"

/** Unpacks the corpora and returns their folder. Benchmarks call it, because they have no setup. */
export const findCorpora = (): string => join(execFileSync(unpack, { encoding: "utf8" }).trim(), "public")

/** A suffix for test titles. It states that a test was skipped because the corpora are missing. */
export const corporaNote = corpora === null ? " (NOT CHECKED: no mail corpora next to the repository)" : ""
