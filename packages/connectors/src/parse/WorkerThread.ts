import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import type { ParseJob, ParseResult } from "./ParseJob.ts"

/** Memory of one thread, MB. The largest mail is 25 MB of bytes, which are not on this heap; its text is 1 MB. */
export interface ThreadMemory {
  readonly oldSpace: number
  readonly youngSpace: number
}

/** Why a thread ended by itself. */
export type ThreadFailure = { readonly reason: "memory" | "failed"; readonly message: string }

/** Names the folder of the programs that a test run has bundled. */
const bundleVariable = "LEADLOOM_TEST_PROGRAMS"

/**
 * The file of the thread: beside this one, as a source, as a build, or as its own file of the bundle. A test run uses its
 * bundle instead of the source: stripping types loads a WebAssembly module into every thread, and V8 may crash the process
 * when many threads that have one end (https://github.com/nodejs/node/issues/64500).
 */
const workerUrl = (): URL => {
  const ending = /\.[cm]?[jt]s$/u.exec(import.meta.url)?.[0] ?? ".js"
  const bundle = process.env[bundleVariable]
  return ending === ".ts" && bundle !== undefined
    ? pathToFileURL(join(bundle, "ParseWorker.mjs"))
    : new URL(`./ParseWorker${ending}`, import.meta.url)
}

/** Sources name each other's packages under a condition that builds do not know. */
const conditions = (url: URL): ReadonlyArray<string> =>
  url.pathname.endsWith(".ts") ? ["--conditions=development", "--conditions=leadloom:source"] : []

const failureOf = (error: unknown): ThreadFailure => {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  const message = error instanceof Error ? error.message : String(error)
  return { reason: code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "failed", message }
}

/** What the pool hears from a thread. */
export interface ThreadEvents {
  readonly onReady: () => void
  readonly onResult: (result: ParseResult) => void
  /** The thread is gone. */
  readonly onFailure: (failure: ThreadFailure) => void
}

/** One thread. Keeps the process alive only while it works. */
export class WorkerThread {
  readonly #worker: Worker
  #ended = false

  constructor(memory: ThreadMemory, events: ThreadEvents, url: URL = workerUrl()) {
    this.#worker = new Worker(url, {
      env: {},
      execArgv: [...conditions(url)],
      resourceLimits: { maxOldGenerationSizeMb: memory.oldSpace, maxYoungGenerationSizeMb: memory.youngSpace }
    })
    this.#worker.unref()
    let ready = false
    this.#worker.on("message", (message: "ready" | ParseResult) => {
      if (this.#ended) return
      if (ready) return events.onResult(message as ParseResult)
      ready = true
      events.onReady()
    })
    const fail = (failure: ThreadFailure): void => {
      if (this.#ended) return
      this.#ended = true
      events.onFailure(failure)
    }
    this.#worker.on("error", (error) => fail(failureOf(error)))
    this.#worker.on("exit", (code) => fail({ reason: "failed", message: `The thread ended with code ${code}.` }))
  }

  /** Begins a job. Bytes are copied once and handed over, never more of their buffer than belongs to them. */
  start(job: ParseJob): void {
    this.#worker.ref()
    if (!("raw" in job)) return this.#worker.postMessage(job, [])
    const raw = Uint8Array.from(job.raw)
    this.#worker.postMessage({ ...job, raw }, [raw.buffer])
  }

  /** The job is over. */
  rest(): void {
    this.#worker.unref()
  }

  /** Ends the thread, whatever it is at. No event follows. */
  kill(): Promise<unknown> {
    this.#ended = true
    return this.#worker.terminate()
  }
}
