import { parentPort } from "node:worker_threads"
import { runJob } from "./ParseJob.ts"

/**
 * A thread that parses what strangers send, one job at a time. It has no secrets and no environment, and may be killed at
 * any moment. Imports nothing large: a replacement has to be there within milliseconds.
 */
parentPort?.on("message", (job) => parentPort?.postMessage(runJob(job), []))
parentPort?.postMessage("ready", [])
