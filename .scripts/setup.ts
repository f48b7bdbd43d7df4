import type { TestProject } from "vitest/node"
import unpackCorpora from "@leadloom/testkit/mail/Corpora"
import { useMemory } from "@leadloom/testkit/MemoryFolder"
import startPostgres from "@leadloom/testkit/postgres/TestPostgres"
import { openTemplates } from "../packages/store/test/Templates.ts"
import { bundlePrograms } from "./programs.ts"

/** Says that a run has been set up, by whichever project of it came first. */
const variable = "LEADLOOM_TEST_SETUP"

/** Runs once before all tests and once after them: what files share, so that none of them has to make it again. */
export default async ({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (process.env[variable] !== undefined) return undefined
  process.env[variable] = "done"
  const leaveMemory = useMemory()
  unpackCorpora()
  const databases = async () => {
    const stop = await startPostgres()
    return { stop, close: await openTemplates() }
  }
  // Whoever watches changes the sources meanwhile: programs are run from them.
  const programs = vitest.config.watch ? () => undefined : bundlePrograms()
  const [{ close, stop }, removePrograms] = await Promise.all([databases(), programs])
  return async () => {
    await close()
    removePrograms()
    await stop?.()
    leaveMemory()
  }
}
