/**
 * A second tenant that uses the server continuously. It runs in a separate process, so that the sender of hostile input
 * never delays it. It measures waiting times, refusals and the memory of the server. Linux only: it reads `/proc`, and
 * it binds to other loopback addresses than the sender, because quotas apply per network.
 */
import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { childrenOf, privateMiB } from "../profiling/ProcessUse.ts"

/** The server, and the second tenant. */
export interface ProbeTarget {
  readonly url: string
  readonly smtpPort: number
  readonly pid: number
  readonly tenantId: string
  readonly adminKey: string
  readonly sourceKey: string
}

/** The measurements since the last query. */
export interface Observation {
  /** Longest wait in milliseconds. Requests without an answer count with their time so far. */
  readonly longestMillis: number
  /** The request with the longest wait. */
  readonly longestWas: string
  /** Answers of 4xx and 5xx over HTTP or SMTP, and broken connections. */
  readonly refusals: ReadonlyArray<string>
  /** Peak resident memory of the server, in MiB. */
  readonly peakMiB: number
  /** Peak private memory of its parse processes together, in MiB. */
  readonly parsersMiB: number
  readonly requests: number
}

const localAddress = "127.0.7.1"
const pauseMillis = 5
const memoryMillis = 20

const residentMiB = (pid: number): number => {
  try {
    return Number(/VmRSS:\s{1,20}(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

/** Returns the private memory of the child processes. A process that has ended has none. */
const childrenMiB = (pid: number): number => {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + privateMiB(child), 0)
  } catch {
    return 0
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 8, localAddress })

const call = (
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = body === "" ? {} : { "content-length": Buffer.byteLength(body), "content-type": "application/json" }
    const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (response) => {
      response
        .resume()
        .on("end", () => resolve(response.statusCode ?? 0))
        .on("error", reject)
    })
    sent.on("error", reject).end(body)
  })

/** Sends one short mail and returns the code of the last reply. `greeted` is called at the server's greeting. */
const sendMail = ({ smtpPort, tenantId }: ProbeTarget, number: number, greeted: () => void): Promise<number> =>
  new Promise((resolve, reject) => {
    const date = "Sun, 1 Mar 2026 09:30:00 +0000"
    const head = `From: kim@quiet.example\r\nTo: sales@${tenantId}.com\r\nDate: ${date}\r\nMessage-ID: <${number}@quiet.example>`
    const lines = [
      "EHLO quiet.example",
      "MAIL FROM:<kim@quiet.example>",
      `RCPT TO:<sales@${tenantId}.com>`,
      "DATA",
      `${head}\r\nSubject: Roof ${number}\r\n\r\nHow much is roof number ${number}?\r\n.`,
      "QUIT"
    ]
    const socket = connect({ host: "127.0.0.1", port: smtpPort, localAddress })
    let code = 0
    let received = ""
    socket.once("data", greeted)
    socket.on("data", (data) => {
      received += String(data)
      const last = /(?:^|\n)(?<code>\d{3}) [^\n]*\n$/u.exec(received)?.groups?.["code"]
      if (last === undefined) return
      received = ""
      code = Number(last) === 221 ? code : Number(last)
      const line = code >= 400 ? undefined : lines.shift()
      if (line === undefined) socket.end()
      else socket.write(`${line}\r\n`)
    })
    socket.on("error", reject).on("close", () => resolve(code))
  })

/** Sends one request and returns a status. `begin` restarts the measurement. */
type Ask = (number: number, begin: () => void) => Promise<number>

/**
 * The requests of the second tenant. The measurement of a mail starts at the greeting, which the listener delays by 100
 * ms to recognise clients that send too early.
 */
const requestsOf = (target: ProbeTarget): Readonly<Record<string, Ask>> => {
  const { adminKey, sourceKey, tenantId, url } = target
  return {
    "GET /health": () => call(url, "GET", "/health", {}, ""),
    "GET config": () => call(url, "GET", `/api/v1/config/${tenantId}`, { authorization: `Bearer ${adminKey}` }, ""),
    "POST event": (number) => {
      const body = JSON.stringify({ entity: { id: String(number) }, content: { body: `Roof ${number}` } })
      const headers = { authorization: `Bearer ${sourceKey}` }
      return call(url, "POST", `/api/v1/events/${tenantId}/crm`, headers, body)
    },
    "SMTP mail": (number, begin) => sendMail(target, number, begin)
  }
}

/** Runs in the process of the probe. */
const watch = (target: ProbeTarget): void => {
  const waiting = new Map<string, number>()
  let seen: Observation
  const reset = (): void => {
    seen = {
      longestMillis: 0,
      longestWas: "",
      refusals: [],
      peakMiB: residentMiB(target.pid),
      parsersMiB: childrenMiB(target.pid),
      requests: 0
    }
  }
  const note = (name: string, millis: number): void => {
    if (millis > seen.longestMillis) seen = { ...seen, longestMillis: millis, longestWas: name }
  }
  const loop = async (name: string, sendRequest: Ask): Promise<never> => {
    for (let number = 0; ; number++) {
      const begin = (): void => void waiting.set(name, performance.now())
      begin()
      const status = await sendRequest(number, begin).catch((error: unknown) => String(error))
      note(name, performance.now() - (waiting.get(name) ?? 0))
      waiting.delete(name)
      const refused = typeof status === "string" || status >= 400
      const refusals =
        refused && seen.refusals.length < 1_000 ? [...seen.refusals, `${name}: ${status}`] : seen.refusals
      seen = { ...seen, requests: seen.requests + 1, refusals }
      await sleep(refused ? 10 * pauseMillis : pauseMillis)
    }
  }
  reset()
  setInterval(() => {
    const peakMiB = Math.max(seen.peakMiB, residentMiB(target.pid))
    seen = { ...seen, peakMiB, parsersMiB: Math.max(seen.parsersMiB, childrenMiB(target.pid)) }
  }, memoryMillis)
  process.on("message", () => {
    for (const [name, began] of waiting) note(name, performance.now() - began)
    process.send?.(seen)
    reset()
  })
  for (const [name, sendRequest] of Object.entries(requestsOf(target))) void loop(name, sendRequest)
}

/** The probe, controlled from the parent process. */
export interface Probe {
  /** Returns the measurements since the last call. */
  readonly take: () => Promise<Observation>
  readonly stop: () => void
}

/** The first argument of the probe's process; its target follows. */
const mark = "probe"

/** Starts the probe. */
export const startProbe = (target: ProbeTarget): Probe => {
  const child = fork(fileURLToPath(import.meta.url), [mark, JSON.stringify(target)])
  return {
    take: () =>
      new Promise((resolve) => {
        child.once("message", (observation: Observation) => resolve(observation))
        child.send("take")
      }),
    stop: () => void child.kill("SIGKILL")
  }
}

const [role, given = ""] = process.argv.slice(2)
if (role === mark) {
  const target: ProbeTarget = JSON.parse(given)
  watch(target)
}
