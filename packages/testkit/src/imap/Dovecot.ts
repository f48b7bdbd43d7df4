import { execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { freePort } from "../FreePort.ts"
import { type DovecotOptions, type DovecotPorts, mailOwner, writeDovecotConfig } from "./DovecotConfig.ts"
import { toModifiedUtf7 } from "./ModifiedUtf7.ts"

/** A running Dovecot and its control by tests. */
export interface Dovecot extends DovecotPorts {
  /** The folder of all files, above all `mail/<username>`. */
  readonly folder: string
  /**
   * Stores a mail in a folder with this time of arrival. It takes no process, so thousands of mails are possible.
   */
  readonly deliver: (username: string, path: string, raw: Uint8Array, receivedAt: number) => void
  /** Runs `doveadm` for an account, for example `["flags", "add", "\\Seen", "mailbox", "INBOX", "uid", "1"]`. */
  readonly doveadm: (username: string, args: ReadonlyArray<string>) => Promise<string>
  readonly close: () => Promise<void>
}

/** Returns the reason why Dovecot cannot run on this machine, or null. */
export const dovecotMissing = (): string | null => {
  const { error, status } = spawnSync("dovecot", ["--version"], { stdio: "ignore" })
  return error === undefined && status === 0
    ? null
    : "Dovecot is not installed: apt-get install --no-install-recommends dovecot-imapd"
}

/** Returns whether a server sends its greeting on a port. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const end = (greeted: boolean): void => {
      socket.destroy()
      resolve(greeted)
    }
    socket.setTimeout(5_000, () => end(false))
    socket.on("data", () => end(true)).on("error", () => end(false))
    socket.on("end", () => end(false))
  })

const makeFolder = (path: string): void => {
  const { gid, uid } = mailOwner()
  mkdirSync(path, { recursive: true })
  chownSync(path, uid, gid)
}

let delivered = 0

/** Writes a mail like a delivery agent: first to `tmp`, then to `new`. The time of the file is the time of arrival. */
const deliverTo = (maildir: string, raw: Uint8Array, receivedAt: number): void => {
  if (!existsSync(join(maildir, "new"))) for (const name of ["", "cur", "new", "tmp"]) makeFolder(join(maildir, name))
  const name = `${Math.floor(receivedAt / 1000)}.M${delivered++}P${process.pid}.test`
  const temporary = join(maildir, "tmp", name)
  writeFileSync(temporary, raw, { mode: 0o666 })
  const { gid, uid } = mailOwner()
  chownSync(temporary, uid, gid)
  utimesSync(temporary, receivedAt / 1000, receivedAt / 1000)
  renameSync(temporary, join(maildir, "new", name))
}

const maildirOf = (folder: string, username: string, path: string): string => {
  const home = join(folder, "mail", username)
  return path === "INBOX" ? home : join(home, `.${toModifiedUtf7(path.replaceAll("/", "."))}`)
}

/**
 * Starts Dovecot in a temporary folder on free ports of 127.0.0.1. Its certificate is that of `mail/Certificate.ts`.
 * Without root rights, all its processes run as the current user.
 */
export const startDovecot = async (options: DovecotOptions): Promise<Dovecot> => {
  const folder = mkdtempSync(join(tmpdir(), "dovecot-"))
  // Dovecot's own users read the folder.
  chmodSync(folder, 0o755)
  makeFolder(join(folder, "mail"))
  const ports: DovecotPorts = { port: await freePort(), tlsPort: await freePort() }
  const config = writeDovecotConfig(folder, ports, options)
  const child = spawn("dovecot", ["-F", "-c", config], { stdio: "ignore" })
  const ended = once(child, "exit")
  // A test run that ends early leaves no server behind.
  const stop = (): void => void child.kill("SIGTERM")
  process.once("exit", stop)
  const close = async (): Promise<void> => {
    process.off("exit", stop)
    if (child.exitCode === null) stop()
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  for (let tries = 0; !(await greets(ports.port)); tries++) {
    if (tries > 300 || child.exitCode !== null) {
      const log = readFileSync(join(folder, "dovecot.log"), { encoding: "utf8", flag: "a+" })
      await close()
      throw new Error(`Dovecot did not start: ${log.slice(-2_000)}`)
    }
    await sleep(100)
  }
  const run = promisify(execFile)
  return {
    ...ports,
    folder,
    deliver: (username, path, raw, receivedAt) => {
      makeFolder(maildirOf(folder, username, "INBOX"))
      deliverTo(maildirOf(folder, username, path), raw, receivedAt)
    },
    doveadm: async (username, [command = "", ...args]) => {
      // A command of two words, such as `mailbox update`, has its options after the second word.
      const words = command.split(" ")
      const { stdout } = await run("doveadm", ["-c", config, ...words, "-u", username, ...args])
      return stdout
    },
    close
  }
}
