import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../src/Program.ts"
import type { Terminal } from "../src/Terminal.ts"

/** A terminal that records its output. */
export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string }
}

/** The exit code and output of a command. */
export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Creates a temporary folder. The caller removes it. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "leadloom-test-"))
export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** Creates a terminal with the given environment, isolated from the machine. `home` must be a temporary folder. */
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
    write: async (chunks) => {
      for await (const chunk of chunks) written.out += Buffer.from(chunk).toString("utf8")
    },
    isInteractive: false,
    readInput: () => Promise.resolve(""),
    readBytes: () => Promise.resolve(new Uint8Array()),
    ask: null,
    askSecret: null,
    style: (_, text) => text,
    signal: new AbortController().signal,
    ...given
  }
}

/** Runs a command line on a fake terminal. */
export const runOn = async (terminal: FakeTerminal, args: ReadonlyArray<string>): Promise<Ran> => {
  const exitCode = await run(args, terminal)
  return { exitCode, ...terminal.written }
}
