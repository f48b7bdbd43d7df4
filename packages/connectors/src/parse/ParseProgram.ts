import { runJob } from "./ParseJob.ts"
import { serveJobs } from "./ServeJobs.ts"

/**
 * The program of a process that parses untrusted content. It has no secrets and no environment, and may be killed at any
 * moment. It imports nothing large, because a replacement must start quickly.
 */
serveJobs(runJob)
