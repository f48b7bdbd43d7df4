import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { programArguments } from "@leadloom/testkit/Program"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { adminKey, at } from "./TestServer.ts"

const source = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** A server in a separate process. */
export interface ServerProcess {
  /** Resolves to the URL; rejects if the process ends first. */
  readonly url: Promise<string>
  readonly pid: number | undefined
  readonly kill: (signal: NodeJS.Signals) => void
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>
  readonly stdout: () => string
  readonly stderr: () => string
}

/** Creates a folder that is removed after the tests. */
export const temporaryFolder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "leadloom-process-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Places a migrated database in the data folder of a server, if it has none and the environment names no other one. */
const placeDatabase = (env: Readonly<Record<string, string>>): void => {
  const folder = env["LEADLOOM_DATA_DIR"]
  if (folder === undefined || env["LEADLOOM_DATABASE_URL"] !== undefined) return
  const file = join(folder, "leadloom.db")
  const isPossible = statSync(dirname(folder), { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isPossible || existsSync(file)) return
  mkdirSync(folder, { recursive: true })
  placeMigratedFile(file)
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const listeningUrl = (stdout: string): string | undefined => {
  const entry = stdout
    .split("\n")
    .map(parse)
    .find((line) => at(line, "message") === "listening")
  const url = at(entry, "url")
  return typeof url === "string" ? url : undefined
}

const urlOf = (child: ChildProcess, stdout: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.on("data", () => {
      const url = listeningUrl(stdout())
      if (url !== undefined) resolve(url)
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it listened`)))
  })

/**
 * Starts a server on a free port. A data folder without a database receives a migrated one, because all migrations take a
 * quarter of the start of a server. `isEmpty` prevents this. The tests of the command `serve` start on an empty folder.
 */
export const startProcess = (
  env: Readonly<Record<string, string>>,
  args = programArguments("server", source),
  isEmpty = false
): ServerProcess => {
  if (!isEmpty) placeDatabase(env)
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env["PATH"],
      LEADLOOM_PORT: "0",
      LEADLOOM_ADMIN_KEY: adminKey,
      ...shiftedClock(),
      ...env
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const seen = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk) => void (seen.stdout += String(chunk)))
  child.stderr.on("data", (chunk) => void (seen.stderr += String(chunk)))
  const url = urlOf(child, () => seen.stdout)
  url.catch(() => undefined)
  return {
    url,
    pid: child.pid,
    kill: (signal) => void child.kill(signal),
    exit: new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal }))),
    stdout: () => seen.stdout,
    stderr: () => seen.stderr
  }
}

/** A raw connection to a server. */
export interface RawConnection {
  readonly socket: Socket
  /** Completes when the received text contains the given one. */
  readonly until: (text: string) => Promise<string>
  /** Resolves to everything received, after the server has closed the connection. */
  readonly end: Promise<string>
}

/** Opens a connection and sends a text. */
export const openRaw = (url: string, text: string | Uint8Array): RawConnection => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(text))
  let received = ""
  socket.on("data", (chunk) => void (received += String(chunk)))
  return {
    socket,
    until: (expected) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (received.includes(expected)) resolve(received)
        }
        socket.on("data", look).on("close", () => reject(new Error(`closed after: ${received}`)))
        look()
      }),
    end: new Promise((resolve) => socket.on("error", () => undefined).on("close", () => resolve(received)))
  }
}
