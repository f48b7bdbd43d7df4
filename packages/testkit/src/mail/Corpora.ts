import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../Sources.ts"

/** Real mail with its labels may lie beside the repository; this unpacks it and prints where. */
const unpack = join(repository, "../shared/mail/unpack")

/** The environment variable that tells the tests where the mail was unpacked. */
const variable = "LEADLOOM_TEST_CORPORA"

/** Runs once before all tests, so that no two of them unpack at the same time. */
export default (): void => {
  if (existsSync(unpack)) process.env[variable] = execFileSync(unpack, { encoding: "utf8" }).trim()
}

/** The folder of the corpora (`threads`, `golden`, `odd`, `replies`); null where there are none. */
export const corpora: string | null = process.env[variable] === undefined ? null : join(process.env[variable], "public")

/** For measurements, which have no setup: unpacks the corpora and says where they are, or says on the console that not. */
export const findCorpora = (): string | null => {
  if (existsSync(unpack)) return join(execFileSync(unpack, { encoding: "utf8" }).trim(), "public")
  process.stderr.write("There are no mail corpora beside the repository; nothing was measured.\n")
  process.exitCode = 2
  return null
}

/** To stand in a test's title: says that what needs the corpora was not checked. */
export const corporaNote = corpora === null ? " (NOT CHECKED: no mail corpora beside the repository)" : ""
