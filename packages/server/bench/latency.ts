/**
 * The latency of a pipeline request, which stores, runs and answers a message, against an event, which is only stored
 * before the answer. Requests are sent at half of the rate that the server reaches with pipeline requests, independent
 * of the answers. The two kinds alternate in every round.
 */
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median, quantile, short } from "@leadloom/testkit/bench/Median"
import { startMeasured } from "./MeasuredServer.ts"
import { makeLoad } from "./RawLoad.ts"

const connections = 64

const run = async (count: number, rounds: number): Promise<BenchResult> => {
  const server = await startMeasured()
  const load = makeLoad(server.port, connections)
  try {
    const { event, pipeline } = server.requests
    let sent = 0
    const fresh = (requestOf: (index: number) => string) => {
      const from = sent
      sent += count
      return (index: number): string => requestOf(from + index)
    }
    await load.send(count, fresh(pipeline))
    await load.send(count, fresh(event))
    await server.drain()
    const begun = performance.now()
    const statuses = await load.send(count, fresh(pipeline))
    const halfRate = (count * 500) / (performance.now() - begun)
    const kinds = { pipeline: new Array<ReadonlyArray<number>>(), event: new Array<ReadonlyArray<number>>() }
    for (let round = 0; round < rounds; round++) {
      kinds.event.push(await load.sendAt(halfRate, count, fresh(event)))
      await server.drain()
      kinds.pipeline.push(await load.sendAt(halfRate, count, fresh(pipeline)))
      await server.drain()
    }
    const at = (all: ReadonlyArray<ReadonlyArray<number>>, share: number): number =>
      short(median(all.map((millis) => quantile(millis, share))))
    const ratios = kinds.pipeline.map(
      (millis, round) => quantile(millis, 0.99) / quantile(kinds.event[round] ?? [], 0.99)
    )
    const stored = server.stored()
    return {
      figures: {
        rounds,
        requestsOfARound: count,
        perSecond: Math.round(halfRate),
        pipelineP50Millis: at(kinds.pipeline, 0.5),
        pipelineP99Millis: at(kinds.pipeline, 0.99),
        eventP50Millis: at(kinds.event, 0.5),
        eventP99Millis: at(kinds.event, 0.99),
        ratio: short(median(ratios))
      },
      checks: {
        "every message is stored and run": stored.messages === sent && stored.runs === sent,
        "requests are answered with 200": statuses.get(200) === count
      }
    }
  } finally {
    await server.stop()
  }
}

export const bench: Bench = {
  name: "latency",
  purpose: "Latency of a pipeline request at half load, against an event that is only accepted.",
  usage: "[requests of a round] [rounds]",
  sizes: { smallest: [20, 1], small: [500, 3], full: [3_000, 7] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
