/** Servers of the product in separate processes that chaos commands stop and start again. */
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "@leadloom/testkit/FreePort"
import { type ServerProcess, startProcess } from "../test/world/ServerProcess.ts"
import { at } from "../test/world/TestServer.ts"

/** The pause before a crashed server is started again. */
const restartMillis = 500
/** The time within which a repeated request must be accepted. It exceeds every fault of a command. */
const maxInsistMillis = 900_000

type Environment = Readonly<Record<string, string>>

/** A request with a JSON body. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly as: string
  readonly body?: unknown
  /** The idempotency key. */
  readonly key?: string
}

/** An answer with its parsed body. */
export interface CallAnswer {
  readonly status: number
  readonly json: unknown
  readonly retryAfter: string | null
}

/** The servers of a chaos command. */
export interface Servers {
  readonly ports: ReadonlyArray<number>
  readonly pids: () => ReadonlyArray<number>
  /** Sends a request to one server. Rejects without an answer within 20 s. */
  readonly send: (index: number, call: Call) => Promise<CallAnswer>
  /**
   * Repeats a request on any server until it is accepted. A status of the client's fault rejects, except for conflicts
   * with an unfinished request and limits. `onRetry` is called before each repetition.
   */
  readonly insist: (call: Call, onRetry?: () => void) => Promise<CallAnswer>
  /** Kills a server and starts it again. Resolves when the old process has ended; does not wait for the new one. */
  readonly kill: (index: number, environment?: Environment) => Promise<void>
  /** Returns the exits that no command caused, with the end of the error output. */
  readonly crashes: () => ReadonlyArray<string>
  /** Waits until a server listens. */
  readonly ready: (index: number) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Sends a request to a port. Rejects without an answer within 20 s. */
export const request = async (port: number, { as, body, key, method, path }: Call): Promise<CallAnswer> => {
  const response = await fetch(`http://127.0.0.1:${port}${path === "/health" ? path : `/api/v1${path}`}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000)
  })
  return { status: response.status, retryAfter: response.headers.get("retry-after"), json: await response.json() }
}

/** Limits of requests end a repetition only where the limit is the result: an account's daily limit of sends. */
const isFinal = ({ json, status }: CallAnswer, { path }: Call): boolean =>
  (status < 300 && at(json, "status") !== "skipped") || (status === 429 && path.endsWith("/send"))

/** Starts servers on fixed ports. */
export const startServers = async (count: number, environmentOf: (index: number) => Environment): Promise<Servers> => {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const crashes: Array<string> = []
  const expected = new WeakSet<ServerProcess>()
  /** Starts a server, and again after a crash, as a service manager does. */
  const start = (index: number, more: Environment = {}): ServerProcess => {
    const started = startProcess({ LEADLOOM_PORT: String(ports[index]), ...environmentOf(index), ...more })
    void started.exit.then(async ({ code, signal }) => {
      if (expected.has(started)) return
      crashes.push(`${signal ?? code}: ${started.stderr().slice(-500)}${started.stdout().slice(-500)}`)
      await sleep(restartMillis)
      if (processes[index] === started && !expected.has(started)) processes[index] = start(index, more)
    })
    return started
  }
  const processes = ports.map((_, index) => start(index))
  await Promise.all(processes.map((one) => one.url))
  const send = (index: number, call: Call): Promise<CallAnswer> => request(ports[index] ?? 0, call)
  return {
    ports,
    pids: () => processes.map(({ pid }) => pid ?? 0),
    send,
    insist: async (call, onRetry) => {
      for (const limit = performance.now() + maxInsistMillis; ;) {
        const answer = await send(Math.floor(Math.random() * ports.length), call).catch(() => null)
        if (answer !== null && isFinal(answer, call)) return answer
        if (answer !== null && answer.status >= 400 && answer.status < 500 && ![409, 429].includes(answer.status)) {
          throw new Error(`${call.path} answered ${answer.status}: ${JSON.stringify(answer.json)}`)
        }
        if (performance.now() > limit) {
          throw new Error(`${call.method} ${call.path} is not accepted: ${JSON.stringify(answer)}`)
        }
        onRetry?.()
        await sleep(50)
      }
    },
    kill: async (index, environment) => {
      const victim = processes[index]
      if (victim !== undefined) expected.add(victim)
      victim?.kill("SIGKILL")
      await victim?.exit
      processes[index] = start(index, environment)
    },
    crashes: () => crashes,
    ready: (index) => processes[index]?.url ?? Promise.resolve(),
    stop: async () => {
      for (const one of processes) {
        expected.add(one)
        one.kill("SIGTERM")
      }
      await Promise.all(processes.map(({ exit }) => exit))
    }
  }
}
