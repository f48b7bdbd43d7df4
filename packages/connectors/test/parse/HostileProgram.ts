import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readlinkSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { type ParseJob, runJob } from "../../src/parse/ParseJob.ts"
import { serveJobs } from "../../src/parse/ServeJobs.ts"

const holdHeap = (): never => {
  const held: Array<ReadonlyArray<string>> = []
  for (;;) held.push(Array.from({ length: 100_000 }, (_, n) => `${n}`))
}

/** Allocates memory outside V8's heap. */
const holdBytes = (): never => {
  const held: Array<Buffer> = []
  for (;;) held.push(Buffer.alloc(1_048_576, 1))
}

const codeOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error
  }
}

const linkOf = (descriptor: string): string => {
  try {
    return readlinkSync(join("/proc/self/fd", descriptor))
  } catch {
    return ""
  }
}

/** Returns the resources that the process can access, as the text of a mail. */
const confinement = (): Buffer => {
  const found = {
    environment: Object.keys(process.env),
    write: codeOf(() => writeFileSync("/tmp/leadloom-escape", "")),
    spawn: codeOf(() => execFileSync("/bin/true")),
    thread: codeOf(() => new Worker("0", { eval: true })),
    files: readdirSync("/proc/self/fd")
      .map(linkOf)
      .filter((link) => /^\/(?!proc\/|dev\/null$)/u.test(link))
  }
  return Buffer.from(`Subject: Found\r\n\r\n${JSON.stringify(found)}`)
}

const never = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the process like an endless loop, without its CPU time. */
const block = (millis?: number): void => void Atomics.wait(never, 0, 0, millis)

/** Reports on the standard error output that the job has started. */
const begin = (): void => void writeSync(2, "begun")

/** The parse program, with a fault for each mail that names one. */
serveJobs((job: ParseJob) => {
  const text = job.kind === "json" || job.kind === "html" ? "" : Buffer.from(job.raw).toString("latin1")
  const sign = /loop while (\S+)/u.exec(text)?.[1]
  if (text.includes("loop")) begin()
  if (sign !== undefined) while (existsSync(sign)) block(10)
  else if (text.includes("endless loop")) for (;;);
  else if (text.includes("loop")) block()
  if (text.includes("memory")) holdHeap()
  if (text.includes("bytes")) holdBytes()
  if (text.includes("abort")) process.abort()
  if (text.includes("crash")) throw new Error("crashed")
  return text.includes("confinement") ? runJob({ kind: "mail", raw: confinement() }) : runJob(job)
})
