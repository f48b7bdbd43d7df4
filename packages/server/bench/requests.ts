/**
 * The cost of requests relative to two bare servers: plain `node:http`, and an Effect `HttpApi` endpoint that only
 * decodes and encodes a body. All cases alternate in every round, over 64 connections. Ratios compare the CPU time of
 * the server process per request, because other programs on the machine distort rates. An event counts from its arrival
 * until the workers have run its signal. The short list has five conversations, the other one a full page of 50.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { type MeasuredServer, pipelineBody, startMeasured } from "./MeasuredServer.ts"
import { cpuMicros, missingProc } from "./profiling/ProcessUse.ts"
import { makeLoad, type RawLoad, requestText } from "./RawLoad.ts"

const connections = 64

/** A measured kind of request. */
interface Case {
  readonly name: string
  readonly pid: number
  readonly load: RawLoad
  readonly requestOf: (index: number) => string
  /** Waits for work that outlives the answers. */
  readonly drain?: () => Promise<void>
  readonly perSecond: Array<number>
  readonly micros: Array<number>
  /** The answers with another status than 200. */
  refused: number
  next: number
}

const startEcho = async (mode: "node" | "effect") => {
  const program = fileURLToPath(new URL("EchoServer.ts", import.meta.url))
  const child = spawn(process.execPath, [program, mode], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(child.stdout, "data")
  return { pid: child.pid ?? 0, port: Number(line), stop: () => void child.kill() }
}

const echoRequest = (index: number): string => requestText("POST", "/echo", "secret", pipelineBody(index))

const measure = async (one: Case, count: number, isWarmUp: boolean): Promise<void> => {
  const from = one.next
  one.next += count
  const [begun, before] = [performance.now(), cpuMicros(one.pid)]
  const statuses = await one.load.send(count, (index) => one.requestOf(from + index))
  await one.drain?.()
  const micros = (cpuMicros(one.pid) - before) / count
  const perSecond = (count * 1_000) / (performance.now() - begun)
  one.refused += count - (statuses.get(200) ?? 0)
  if (isWarmUp) return
  one.micros.push(micros)
  one.perSecond.push(perSecond)
}

const resultOf = (cases: ReadonlyArray<Case>, server: MeasuredServer, rounds: number): BenchResult => {
  const effect = cases.find(({ name }) => name === "bare Effect")
  const event = cases.find(({ name }) => name === "event")
  const stored = server.stored()
  return {
    figures: {
      connections,
      rounds,
      requests: cases.map(({ micros, name, perSecond }) => ({
        request: name,
        perSecond: Math.round(median(perSecond)),
        cpuMicros: Math.round(median(micros)),
        ratio: Number(median(micros.map((value, round) => (effect?.micros[round] ?? 0) / value)).toFixed(3))
      }))
    },
    checks: {
      "every request is answered with 200": cases.every(({ refused }) => refused === 0),
      "every event is stored and run, and nothing else": stored.messages === event?.next && stored.runs === event.next
    }
  }
}

const run = async (count: number, rounds: number): Promise<BenchResult> => {
  const echoes = { node: await startEcho("node"), effect: await startEcho("effect") }
  const server = await startMeasured()
  try {
    const own = { pid: server.pid, load: makeLoad(server.port, connections) }
    await server.openSmall()
    const { config, dryRun, event, health, list, shortList, sync } = server.requests
    const kinds = [
      {
        name: "bare Node",
        pid: echoes.node.pid,
        load: makeLoad(echoes.node.port, connections),
        requestOf: echoRequest
      },
      {
        name: "bare Effect",
        pid: echoes.effect.pid,
        load: makeLoad(echoes.effect.port, connections),
        requestOf: echoRequest
      },
      { name: "health", ...own, requestOf: health },
      { name: "config", ...own, requestOf: config },
      { name: "short list", ...own, requestOf: shortList },
      { name: "list", ...own, requestOf: list },
      { name: "dry run", ...own, requestOf: dryRun },
      { name: "event, sync", ...own, requestOf: sync },
      { name: "event", ...own, requestOf: event, drain: server.drain }
    ]
    const cases = kinds.map((kind): Case => ({ ...kind, perSecond: [], micros: [], refused: 0, next: 0 }))
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const one of cases) await measure(one, count, round === 0)
    }
    return resultOf(cases, server, rounds)
  } finally {
    echoes.node.stop()
    echoes.effect.stop()
    await server.stop()
  }
}

export const bench: Bench = {
  name: "requests",
  purpose: "Requests and events per second and their CPU time, against a bare Node and a bare Effect endpoint.",
  usage: "[requests of a round] [rounds]",
  sizes: { smallest: [20, 1], small: [500, 3], full: [3_000, 9] },
  missing: missingProc,
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
