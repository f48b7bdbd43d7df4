import { runJob } from "./ParseJob.ts"
import { serveJobs } from "./ServeJobs.ts"

/**
 * The program of a process that parses untrusted content. It has no secrets and no environment variables, and the
 * server may kill it at any time. It imports no large module, so that a replacement starts quickly.
 */
serveJobs(runJob)
