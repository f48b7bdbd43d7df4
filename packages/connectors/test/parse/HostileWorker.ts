import { existsSync } from "node:fs"
import { parentPort } from "node:worker_threads"
import { type ParseJob, runJob } from "../../src/parse/ParseJob.ts"

/** A parse thread that parses, unless a mail tells it to misbehave. */
parentPort?.on("message", (job: ParseJob) => {
  const text = job.kind === "json" ? "" : Buffer.from(job.raw).toString("latin1")
  const sign = /loop while (\S+)/u.exec(text)?.[1]
  if (sign !== undefined) while (existsSync(sign));
  else if (text.includes("loop")) for (;;);
  if (text.includes("memory")) {
    const held: Array<ReadonlyArray<string>> = []
    for (;;) held.push(Array.from({ length: 100_000 }, (_, n) => `${n}`))
  }
  if (text.includes("crash")) throw new Error("crashed")
  parentPort?.postMessage(runJob(job), [])
})
parentPort?.postMessage("ready", [])
