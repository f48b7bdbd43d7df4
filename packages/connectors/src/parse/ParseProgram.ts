import { runJob } from "./ParseJob.ts"
import { serveJobs } from "./ServeJobs.ts"

/**
 * The program of a process that parses untrusted content. It has no secrets and no environment variables, and may be
 * killed at any time. It imports nothing large, so that a replacement starts quickly.
 */
serveJobs(runJob)
