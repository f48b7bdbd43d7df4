/**
 * Runs a server with SQLite on a small disk under a load of events and requests. The disk becomes full, stays full for a
 * while, and gets space again. Linux as root only, because it mounts an in-memory disk.
 */
import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { adminKey } from "../test/world/TestServer.ts"
import { type Load, openTenants, startLoad, tallyLoad } from "./Load.ts"
import { startServers } from "./Servers.ts"
import { drained, handlingOf, openSqlite } from "./Stored.ts"
import { chaosResult, runChecks } from "./Tally.ts"

/** A mounted disk. */
interface Disk {
  readonly path: string
  /** Writes until no space is left. */
  readonly fill: () => void
  readonly free: () => void
  readonly unmount: () => void
}

/** Mounts a disk. Returns null without the permission. */
const mount = (mebibytes: number): Disk | null => {
  const path = mkdtempSync(join(tmpdir(), "leadloom-disk-"))
  const filler = join(path, "filler")
  const args = ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=700`, "tmpfs", path]
  if (spawnSync("mount", args).status !== 0) {
    rmdirSync(path)
    return null
  }
  return {
    path,
    fill: () => {
      // Ever smaller pieces, until not even a page fits.
      for (let size = 1_048_576; size >= 4_096;) {
        try {
          appendFileSync(filler, Buffer.alloc(size))
        } catch {
          size /= 2
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => {
      spawnSync("umount", [path])
      rmdirSync(path)
    }
  }
}

/** Waits until the server accepts an event again. Returns the milliseconds. */
const accepts = async (load: Load): Promise<number> => {
  const [begun, before] = [performance.now(), load.events.size]
  while (load.events.size === before) await sleep(10)
  return Math.round(performance.now() - begun)
}

const run = async (secondsFull: number, mebibytes: number): Promise<BenchResult> => {
  const disk = mount(mebibytes)
  if (disk === null) throw new Error("cannot mount a disk")
  const servers = await startServers(1, () => ({
    LEADLOOM_DATA_DIR: disk.path,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000"
  }))
  try {
    const keys = await openTenants(servers, ["acme"])
    const load = startLoad(servers, keys, { eventSenders: 4, requestSenders: 2, pauseMillis: 20 })
    await accepts(load)
    disk.fill()
    await sleep(secondsFull * 1_000)
    const whileFull = load.events.size
    const read = await servers
      .send(0, { method: "GET", path: "/tenants/acme/conversations", as: adminKey })
      .catch(() => ({ status: "none" }))
    disk.free()
    const millisToAccept = await accepts(load)
    await load.stop()
    const stored = openSqlite(join(disk.path, "leadloom.db"))
    const drainSeconds = await drained(stored)
    const tally = await tallyLoad(load, stored)
    const handling = await handlingOf(stored)
    await stored.close()
    const figures = {
      secondsFull,
      whileFull,
      readWhileFull: read.status,
      millisToAccept,
      drainSeconds,
      retries: load.retries(),
      handling,
      crashes: [...servers.crashes()]
    }
    return chaosResult(tally, figures, runChecks(handling))
  } finally {
    await servers.stop()
    disk.unmount()
  }
}

export const bench: Bench = {
  name: "disk",
  purpose: "A server with SQLite whose disk becomes full and gets space again.",
  usage: "[seconds without space] [MiB of the disk]",
  sizes: { smallest: [1, 32], small: [5, 32], full: [20, 64] },
  missing: () => {
    const disk = mount(1)
    disk?.unmount()
    return disk === null ? "the permission to mount an in-memory disk" : null
  },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
