import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../src/Program.ts"
import type { Terminal } from "../src/Terminal.ts"

/** A terminal that remembers what it was told. */
export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string }
}

/** What a command did. */
export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** A folder that is there for the length of a test; the caller removes it. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "leadloom-test-"))
export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** A terminal with this environment and nothing else of the machine. `home` has to be a folder of the test's own. */
export const fakeTerminal = (home: string, env: Terminal["env"] = {}, given: Partial<Terminal> = {}): FakeTerminal => {
  const written = { out: "", err: "" }
  return {
    env,
    home,
    written,
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    isInteractive: false,
    readInput: () => Promise.resolve(""),
    style: (_, text) => text,
    signal: new AbortController().signal,
    ...given
  }
}

/** Runs a command line on a terminal of its own. */
export const runOn = async (terminal: FakeTerminal, args: ReadonlyArray<string>): Promise<Ran> => {
  const exitCode = await run(args, terminal)
  return { exitCode, ...terminal.written }
}
