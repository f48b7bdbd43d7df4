import { parentPort } from "node:worker_threads"

/** A parse thread that does what the subject of a mail says. */
parentPort?.on("message", (job) => {
  const text = Buffer.from(job.raw).toString("latin1")
  if (text.includes("loop")) for (;;);
  if (text.includes("memory")) {
    const held = []
    for (;;) held.push(Array.from({ length: 100_000 }, (_, n) => `${n}`))
  }
  if (text.includes("crash")) throw new Error("crashed")
  parentPort?.postMessage({ text: `read ${text.length}`, headers: [], attachments: [] })
})
parentPort?.postMessage("ready")
