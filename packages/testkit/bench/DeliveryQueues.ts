/**
 * Other job queues for webhook deliveries, tuned: BullMQ on its own Redis (append-only file, fsync every second) and
 * pg-boss. Each is filled before the measurement.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "@leadloom/testkit/FreePort"

/** A job: the target path and the event. */
export interface Job {
  readonly path: string
  readonly eventId: string
  readonly body: string
  readonly sequence: number
}

/** A job queue under test. */
export interface DeliveryQueue {
  readonly fill: (jobs: ReadonlyArray<Job>) => Promise<void>
  /** Runs until this many jobs are stored as done. */
  readonly work: (count: number, post: (job: Job) => Promise<void>) => Promise<void>
  readonly close: () => Promise<void>
}

const jobsAtOnce = 500

const batches = (jobs: ReadonlyArray<Job>): ReadonlyArray<ReadonlyArray<Job>> =>
  Array.from({ length: Math.ceil(jobs.length / jobsAtOnce) }, (_, batch) =>
    jobs.slice(batch * jobsAtOnce, (batch + 1) * jobsAtOnce)
  )

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(false))
  })

const startRedis = async (port: number, folder: string): Promise<ChildProcess> => {
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
  const server = spawn("redis-server", [...settings, "--appendonly", "yes", "--appendfsync", "everysec"], {
    stdio: "ignore"
  })
  let failed: Error | null = null
  server.on("error", (error) => void (failed = error))
  while (!(await answers(port))) {
    if (failed !== null || server.exitCode !== null) throw failed ?? new Error("redis-server failed to start")
    await sleep(20)
  }
  return server
}

/**
 * BullMQ with one concurrent job per connection to the receiver. Rejects if `redis-server` or its client `ioredis` is
 * missing; BullMQ would report a missing client later.
 */
export const bullmq = async (concurrency: number): Promise<DeliveryQueue> => {
  createRequire(createRequire(import.meta.url).resolve("bullmq")).resolve("ioredis")
  const { Queue, Worker } = await import("bullmq")
  const folder = mkdtempSync(join(tmpdir(), "leadloom-redis-"))
  const port = await freePort()
  const redis = await startRedis(port, folder).catch((error: unknown) => {
    rmSync(folder, { recursive: true })
    throw error
  })
  const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null }
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true }
  const queue = new Queue<Job>("deliveries", { connection, defaultJobOptions })
  return {
    fill: async (jobs) => {
      for (const batch of batches(jobs)) await queue.addBulk(batch.map((data) => ({ name: "delivery", data })))
    },
    work: async (count, post) => {
      const worker = new Worker<Job>("deliveries", ({ data }) => post(data), { connection, concurrency })
      await new Promise<void>((resolve, reject) => {
        let done = 0
        worker.on("completed", () => {
          done += 1
          if (done === count) resolve()
        })
        worker.on("failed", (_, error) => reject(error))
        worker.on("error", reject)
      })
      await worker.close()
    },
    close: async () => {
      await queue.close()
      redis.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/**
 * pg-boss with four concurrent workers, which fetch and complete 100 jobs at a time without a pause between full
 * batches.
 */
export const pgBoss = async (url: string): Promise<DeliveryQueue> => {
  const { PgBoss } = await import("pg-boss")
  const name = "deliveries"
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, useListenNotify: true })
  let reject: (error: Error) => void = (error) => console.error(error.message)
  boss.on("error", (error) => reject(error))
  await boss.start()
  await boss.createQueue(name, { notify: true })
  const options = { batchSize: 100, localConcurrency: 4, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true }
  return {
    fill: async (jobs) => {
      for (const batch of batches(jobs))
        await boss.insert(
          name,
          batch.map((data) => ({ data }))
        )
    },
    work: async (count, post) => {
      let done = 0
      await new Promise<void>((resolve, failed) => {
        reject = failed
        const handle = async (jobs: ReadonlyArray<{ readonly data: Job }>): Promise<void> => {
          await Promise.all(jobs.map(({ data }) => post(data)))
          done += jobs.length
          if (done >= count) resolve()
        }
        boss.work<Job>(name, options, handle).catch(failed)
      })
      await boss.offWork(name, { wait: true })
    },
    close: () => boss.stop({ graceful: false, close: true })
  }
}
