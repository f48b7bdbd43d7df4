import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { programArguments } from "@leadloom/testkit/Program"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"

const source = fileURLToPath(new URL("../src/main.ts", import.meta.url))

/** The arguments of Node.js that run the CLI. */
export const leadloom = programArguments("cli", source)

/** The admin key of servers that tests start. */
export const adminKey = "test-admin-key-0123456789-0123456789"

/** Starts the CLI as a process. */
export const spawnLeadloom = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): ChildProcess =>
  spawn(process.execPath, [...leadloom, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1", ...shiftedClock(), ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })

/** The output and exit code of a process. */
export interface Watched {
  readonly output: () => { readonly out: string; readonly err: string }
  /** Resolves when standard output matches the pattern. Rejects when the process ends first. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ends: Promise<number | null>
}

/** Records the output of a process from its start. */
export const watch = (child: ChildProcess): Watched => {
  const written = { out: "", err: "" }
  const listeners = new Set<() => void>()
  const notify = (): void => listeners.forEach((listener) => listener())
  child.stdout?.on("data", (chunk: Buffer) => {
    written.out += chunk.toString("utf8")
    notify()
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    written.err += chunk.toString("utf8")
  })
  const ends = new Promise<number | null>((resolve) => {
    child.on("close", (code) => resolve(code))
  })
  const says = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(written.out)
        if (match === null) return
        listeners.delete(look)
        resolve(match)
      }
      listeners.add(look)
      look()
      void ends.then((code) => reject(new Error(`ended with ${code} before it said ${pattern}: ${written.err}`)))
    })
  return { output: () => ({ ...written }), says, ends }
}

/** A running server. */
export interface RunningServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a real server on a free port with its data in the given folder. `env` adds variables. */
export const startServer = async (
  dataDir: string,
  env: Readonly<Record<string, string>> = {}
): Promise<RunningServer> => {
  const child = spawnLeadloom(["serve", "--port", "0", "--data-dir", dataDir], {
    LEADLOOM_ADMIN_KEY: adminKey,
    LEADLOOM_SESSION_SECRET: "test-session-secret-0123456789-0123456789",
    ...env
  })
  const watched = watch(child)
  const found = await watched.says(/"message":"listening","url":"(?<url>[^"]+)"/u)
  return {
    url: found.groups?.["url"] ?? "",
    stop: async () => {
      child.kill("SIGTERM")
      await watched.ends
    }
  }
}
