import fc from "fast-check"
import { type FuzzRequest, type Known, requestsOf } from "./Requests.ts"
import { contract, sendTo } from "./Target.ts"
import { faultOf } from "./Verdict.ts"

/** Number of concurrent requests. */
const atOnce = 16

/** Number of requests generated at a time. */
const chunk = 500

/** The result of a run. */
export interface FuzzReport {
  readonly sent: number
  /** The number of responses per status. */
  readonly statuses: ReadonlyMap<number, number>
  /** The operations, with the number of requests and of responses below 400. */
  readonly operations: ReadonlyMap<string, { readonly requested: number; readonly fine: number }>
  readonly faults: ReadonlyArray<string>
}

const shown = ({ body, headers, method, path }: FuzzRequest): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body === null ? "" : Buffer.from(body).toString("latin1").slice(0, 400)}`

/**
 * Sends requests generated from the contract, most of them almost valid, and checks every response. The same seed
 * creates the same requests; their interleaving varies. `onChunk` receives the number of requests sent.
 */
export const fuzz = async (
  url: string,
  known: Known,
  { onChunk, requests, seed }: { requests: number; seed: number; onChunk?: (sent: number) => void }
): Promise<FuzzReport> => {
  const arbitrary = requestsOf(contract(), known)
  const statuses = new Map<number, number>()
  const operations = new Map<string, { requested: number; fine: number }>()
  const faults: Array<string> = []
  const one = async (fuzzed: FuzzRequest): Promise<void> => {
    const answer = await sendTo(url, fuzzed).catch((error: unknown) => String(error))
    const fault = typeof answer === "string" ? `no answer: ${answer}` : faultOf(answer)
    if (fault !== null) faults.push(`${fault} — ${shown(fuzzed)}`)
    const status = typeof answer === "string" ? 0 : answer.status
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const before = operations.get(fuzzed.operation) ?? { requested: 0, fine: 0 }
    operations.set(fuzzed.operation, {
      requested: before.requested + 1,
      fine: before.fine + (status > 0 && status < 400 ? 1 : 0)
    })
  }
  let sent = 0
  while (sent < requests) {
    const waiting = fc.sample(arbitrary, { numRuns: Math.min(chunk, requests - sent), seed: seed + sent })
    sent += waiting.length
    const worker = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await one(next)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    onChunk?.(sent)
  }
  return { sent, statuses, operations, faults }
}

/** The environment of a fuzzed server, with rate limits high enough for the run. */
export const fuzzEnvironment = (dataDir: string): Readonly<Record<string, string>> => ({
  LEADLOOM_DATA_DIR: dataDir,
  LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
  LEADLOOM_LOG_LEVEL: "info",
  ...Object.fromEntries(
    ["ADMIN", "WEBHOOK", "WORKFLOW", "PUBLIC", "BAD_CREDENTIALS"].map((name) => [`LEADLOOM_LIMIT_${name}`, "1000000"])
  )
})
