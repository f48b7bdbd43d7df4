/** Server processes on one database that share the clock of a simulation. */
import { type ChildProcess, spawn } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { freePort } from "@leadloom/testkit/FreePort"
import { programArguments } from "@leadloom/testkit/Program"
import { adminKey, at } from "../../test/world/TestServer.ts"
import { type Call, type CallAnswer, request } from "../Servers.ts"
import { type ClockChange, timeVariable } from "./SimulatedServer.ts"

const program = programArguments("SimulatedServer", fileURLToPath(new URL("SimulatedServer.ts", import.meta.url)))

/** The time within which a repeated request must be accepted. */
const maxInsistMillis = 120_000

/** The servers of a simulation. */
export interface SimulatedServers {
  /** The time of the simulation, in epoch milliseconds. It passes like the real time between two moves. */
  readonly now: () => number
  /** Moves the clocks of all running servers, and waits until they have moved. */
  readonly moveTo: (time: number) => Promise<void>
  /** Sets the difference between the clock of a server and the simulation, in milliseconds. */
  readonly skew: (index: number, millis: number) => void
  /** Kills a server. It does not run until `start`. */
  readonly kill: (index: number) => Promise<void>
  /** Starts a killed server, and waits until it listens. */
  readonly start: (index: number) => Promise<void>
  /**
   * Repeats a request on any server until one accepts it, or answers with one of the final statuses. After a repetition,
   * a rejection means that an earlier request has taken effect, so it is returned too.
   */
  readonly insist: (call: Call, finalStatuses?: ReadonlyArray<number>) => Promise<CallAnswer>
  /** Repeats a request with a form on any server until one accepts it. */
  readonly insistForm: (path: string, form: RequestInit) => Promise<void>
  /** Returns the log lines that report a failure. */
  readonly failures: () => ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

interface One {
  readonly child: ChildProcess
  readonly exit: Promise<void>
  moved: PromiseWithResolvers<void>
  /** False until it listens, and after it was killed. */
  isUp: boolean
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Starts a process. Resolves when it listens. */
const startOne = async (env: NodeJS.ProcessEnv, failures: Array<string>): Promise<One> => {
  const child = spawn(process.execPath, program, { env, stdio: ["ignore", "pipe", "pipe", "ipc"] })
  const listening = Promise.withResolvers<void>()
  const exit = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const one: One = { child, exit, moved: Promise.withResolvers(), isUp: false }
  let rest = ""
  child.stdout?.on("data", (chunk) => {
    const lines = (rest + String(chunk)).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const entry = parse(line)
      if (at(entry, "message") === "listening") listening.resolve()
      if (at(entry, "level") === "warn" || at(entry, "level") === "error") failures.push(line)
    }
  })
  child.stderr?.on("data", (chunk) => void failures.push(String(chunk)))
  child.on("message", () => one.moved.resolve())
  void exit.then(() => {
    one.isUp = false
    one.moved.resolve()
    listening.reject(new Error(`the server ended before it listened: ${failures.slice(-3).join("")}`))
  })
  await listening.promise
  one.isUp = true
  return one
}

/** Returns the requests of `SimulatedServers`. */
const requestsTo = (ports: ReadonlyArray<number>): Pick<SimulatedServers, "insist" | "insistForm"> => ({
  insist: async (call, finalStatuses = []) => {
    for (let attempt = 0, limit = performance.now() + maxInsistMillis; ; attempt++) {
      const port = ports[Math.floor(Math.random() * ports.length)] ?? 0
      const answer = await request(port, call).catch(() => null)
      const status = answer?.status ?? 0
      // An event that is not stored is answered with 200 and `skipped`.
      const isDone = status >= 200 && status < 300 && at(answer?.json, "status") !== "skipped"
      if (answer !== null && (isDone || finalStatuses.includes(status))) return answer
      // 409 with a key means that an earlier attempt still runs, or ended with its server.
      const isUnfinished = status === 429 || (status === 409 && call.key !== undefined)
      if (answer !== null && status >= 400 && status < 500 && !isUnfinished) {
        if (attempt > 0) return answer
        throw new Error(`${call.method} ${call.path} answered ${status}: ${JSON.stringify(answer.json)}`)
      }
      if (performance.now() > limit) throw new Error(`${call.path} is not accepted: ${JSON.stringify(answer)}`)
      await sleep(20)
    }
  },
  insistForm: async (path, form) => {
    for (const limit = performance.now() + maxInsistMillis; ;) {
      const url = `http://127.0.0.1:${ports[Math.floor(Math.random() * ports.length)]}${path}`
      const answer = await fetch(url, { method: "POST", ...form }).catch(() => null)
      await answer?.body?.cancel()
      if (answer !== null && answer.status < 300) return
      if (performance.now() > limit) throw new Error(`${path} is not accepted: ${answer?.status ?? "no answer"}`)
      await sleep(20)
    }
  }
})

/** Starts servers at a time of the simulation. */
export const startSimulatedServers = async (
  count: number,
  time: number,
  environmentOf: (index: number) => Readonly<Record<string, string>>
): Promise<SimulatedServers> => {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const skews = ports.map(() => 0)
  const failures: Array<string> = []
  let offset = time - Date.now()
  const now = (): number => Date.now() + offset
  const launch = (index: number): Promise<One> =>
    startOne(
      {
        PATH: process.env["PATH"],
        LEADLOOM_PORT: String(ports[index]),
        LEADLOOM_ADMIN_KEY: adminKey,
        [timeVariable]: String(now()),
        ...environmentOf(index)
      },
      failures
    )
  const change = async (one: One, index: number): Promise<void> => {
    if (!one.isUp) return
    one.moved = Promise.withResolvers()
    const message: ClockChange = { now: now(), skewMillis: skews[index] ?? 0 }
    one.child.send(message, (error) => void (error !== null && one.moved.resolve()))
    await one.moved.promise
  }
  const all = await Promise.all(ports.map((_, index) => launch(index)))
  const changeAll = () => Promise.all(all.map(change))
  return {
    now,
    moveTo: async (to) => {
      offset = Math.max(offset, to - Date.now())
      await changeAll()
    },
    skew: (index, millis) => void (skews[index] = millis),
    kill: async (index) => {
      all[index]?.child.kill("SIGKILL")
      await all[index]?.exit
    },
    start: async (index) => {
      const one = await launch(index)
      all[index] = one
      await change(one, index)
    },
    ...requestsTo(ports),
    failures: () => failures,
    stop: async () => {
      for (const { child } of all) child.kill("SIGTERM")
      await Promise.all(all.map(({ exit }) => exit))
    }
  }
}
